/** The kinds of data that must not be stored or sent in clear. */
export type LeakKind =
  | 'card number'
  | 'hash of a card number'
  | 'CV2'
  | 'wallet token'
  | 'API key'
  | 'client secret'
  | 'customer secret'
  | 'webhook secret';

/** A leak that was found. Its excerpt may be shown: it contains nothing usable. */
export interface Leak {
  readonly kind: LeakKind;
  /** How it was written: `plain`, `base64`, `sha256 in hex`. */
  readonly form: string;
  /** Of its first byte. */
  readonly at: number;
  /** The bytes before it, with crosses for digits, and what is found in brackets. */
  readonly excerpt: string;
}

/** One way in which something may be written. */
export interface LeakShape {
  readonly kind: LeakKind;
  readonly form: string;
  /** Its first four bytes, one character each: the scan searches for them. */
  readonly sign: string;
  /** The excerpt to show if the sign is no coincidence; else null. */
  readonly confirm: (bytes: Uint8Array, at: number) => string | null;
}

/** No shape reaches further than this from its sign, in either direction. */
export const REACH = 512;

const SIGN_LENGTH = 4;
const FILTER_BITS = 20;
const GOLDEN = 0x9e3779b1;
// In a test, reading a global is a hundred times slower than reading a constant, and this runs for each byte.
const { imul } = Math;
const BEFORE = 32;

/**
 * Searches for all shapes at once: one lookup per byte in a table of the signs. Hundreds of megabytes take seconds,
 * for any number of shapes.
 */
export class LeakScan {
  readonly #mayBegin = new Uint8Array(1 << FILTER_BITS);
  readonly #shapes = new Map<number, LeakShape[]>();

  constructor(shapes: readonly LeakShape[]) {
    for (const shape of shapes) {
      const key = computeKey(shape.sign);
      this.#mayBegin[computeSlot(key)] = 1;
      this.#shapes.set(key, [...(this.#shapes.get(key) ?? []), shape]);
    }
  }

  /** Returns all leaks in the order of their position; the same position in the same form once. */
  find(bytes: Uint8Array): Leak[] {
    const found: Leak[] = [];
    const mayBegin = this.#mayBegin;
    let key = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      key = (key << 8) | (bytes[end] ?? 0);
      if (mayBegin[imul(key, GOLDEN) >>> (32 - FILTER_BITS)] === 0 || end < SIGN_LENGTH - 1) continue;
      this.#confirm(bytes, { key, at: end - SIGN_LENGTH + 1, found });
    }
    return found;
  }

  /** Searches a text as it would be encoded on a wire. */
  findInText(text: string): Leak[] {
    return this.find(Buffer.from(text));
  }

  #confirm(bytes: Uint8Array, { key, at, found }: { key: number; at: number; found: Leak[] }): void {
    for (const { kind, form, confirm } of this.#shapes.get(key) ?? []) {
      const shown = confirm(bytes, at);
      if (shown !== null) found.push({ kind, form, at, excerpt: `${excerptBefore(bytes, at)}[${shown}]` });
    }
  }
}

function computeKey(sign: string): number {
  if (sign.length !== SIGN_LENGTH) throw new Error(`a sign has ${SIGN_LENGTH} bytes, not ${sign.length}`);
  return Array.from(sign).reduce((key, character) => (key << 8) | character.charCodeAt(0), 0);
}

function computeSlot(key: number): number {
  return imul(key, GOLDEN) >>> (32 - FILTER_BITS);
}

/**
 * The text before a leak, so that its place can be found. It may be the end of another secret, so words are cut too.
 */
function excerptBefore(bytes: Uint8Array, at: number): string {
  const text = decodeLatin1(bytes, Math.max(0, at - BEFORE), at);
  return text
    .replaceAll(/[^\x20-\x7e]/g, '.')
    .replaceAll(/\d/g, '×')
    .replaceAll(/[A-Za-z0-9_×-]{16,}/g, '…');
}

/** The bytes from one place to another, a character for each. */
export function decodeLatin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);
}
