import { createHmac } from 'node:crypto';

/**
 * Source of everything "random" in the simulated world. The same text gives the same world, byte for byte. Each draw
 * has a name, so that more draws in one part do not change the values of another.
 */
export class Seed {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** 32 bytes that belong to this name. */
  deriveBytes(...name: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#text).update(JSON.stringify(name)).digest();
  }

  /** A version 4 UUID that belongs to this name. */
  deriveUuid(...name: readonly (string | number)[]): string {
    const bytes = this.deriveBytes('uuid', ...name).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  /** Decimal digits that belong to this name; at most twelve. */
  deriveDigits(count: number, ...name: readonly (string | number)[]): string {
    const integer = this.deriveBytes('digits', ...name).readUIntBE(0, 6);
    return String(integer % 10 ** count).padStart(count, '0');
  }

  /** A stream of draws that belongs to this name. */
  createRandom(...name: readonly (string | number)[]): SeededRandom {
    return new SeededRandom(this, name);
  }
}

/** Numbers drawn one after another from a seed. */
export class SeededRandom {
  readonly #seed: Seed;
  readonly #name: readonly (string | number)[];
  #drawCount = 0;

  constructor(seed: Seed, name: readonly (string | number)[]) {
    this.#seed = seed;
    this.#name = name;
  }

  /** From 0 up to, but not including, 1. */
  nextFraction(): number {
    this.#drawCount += 1;
    return this.#seed.deriveBytes('draw', ...this.#name, this.#drawCount).readUIntBE(0, 6) / 2 ** 48;
  }

  /** A whole number, both ends included. */
  nextInteger(min: number, max: number): number {
    return min + Math.floor(this.nextFraction() * (max - min + 1));
  }

  /** True with the given chance, 0 to 1. */
  nextBoolean(chance: number): boolean {
    return this.nextFraction() < chance;
  }

  /** One of the list, which must not be empty. */
  pickElement<T>(list: readonly [T, ...T[]]): T {
    return list[this.nextInteger(0, list.length - 1)] ?? list[0];
  }
}
