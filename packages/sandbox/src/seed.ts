import { createHmac } from 'node:crypto';

/**
 * Where everything "random" in the simulated world comes from. The same text gives the same world, byte for byte;
 * each draw is named, so that one part drawing more does not move another part's values.
 */
export class Seed {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** 32 bytes that belong to this name. */
  bytes(...name: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#text).update(JSON.stringify(name)).digest();
  }

  /** A version 4 UUID that belongs to this name. */
  uuid(...name: readonly (string | number)[]): string {
    const bytes = this.bytes('uuid', ...name).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  /** Decimal digits that belong to this name; at most twelve. */
  digits(count: number, ...name: readonly (string | number)[]): string {
    const whole = this.bytes('digits', ...name).readUIntBE(0, 6);
    return String(whole % 10 ** count).padStart(count, '0');
  }

  /** A stream of draws that belongs to this name. */
  draws(...name: readonly (string | number)[]): Draws {
    return new Draws(this, name);
  }
}

/** Numbers drawn one after another from a seed. */
export class Draws {
  readonly #seed: Seed;
  readonly #name: readonly (string | number)[];
  #drawn = 0;

  constructor(seed: Seed, name: readonly (string | number)[]) {
    this.#seed = seed;
    this.#name = name;
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    this.#drawn += 1;
    return this.#seed.bytes('draw', ...this.#name, this.#drawn).readUIntBE(0, 6) / 2 ** 48;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** True with the given chance, 0 to 1. */
  happens(chance: number): boolean {
    return this.fraction() < chance;
  }

  /** One of the list, which must not be empty. */
  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.between(0, list.length - 1)] ?? list[0];
  }
}
