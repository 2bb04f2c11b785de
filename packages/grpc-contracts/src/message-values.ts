import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { ClientOptions } from '@grpc/grpc-js';

/** A message that came from outside holds at most this many values. */
export const MESSAGE_VALUES_MAX = 30_000;
/** An answer of an EPOS: a bill of 1,000 items with ten modifiers each, or a list of 4,000 sessions. */
export const EPOS_MESSAGE_VALUES_MAX = 100_000;
/** One between processes of the service: what one of them has read from an EPOS, the next one reads, too. */
export const INTERNAL_VALUES_MAX = 300_000;

/** A message holds more values than are read. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';

  constructor(limit: number) {
    super(`the message holds more than ${limit} values`);
  }
}

/**
 * Decodes a message that came from outside. Each field on the wire counts as one value, whether anybody knows it or not; a
 * message inside, and a number of 32 bits, counts twice. Decoding ends with `TooManyValues` at the first one above the limit,
 * so that a message of four megabytes never becomes a million objects.
 */
export function decodeWithin<T>(limit: number, decode: (bytes: Buffer) => T, bytes: Buffer): T {
  // The generated decoders take a reader as well as bytes; that their types in a service definition say less is no matter.
  return decode(new CountingReader(bytes, limit) as unknown as Buffer);
}

/**
 * Finds a text in a message without decoding it: the first one at this path of field numbers. Null when there is none, or
 * the bytes before it are no message.
 */
export function findText(path: readonly number[], bytes: Uint8Array): string | null {
  const reader = new BinaryReader(bytes);
  let end = reader.len;
  try {
    for (const [depth, field] of path.entries()) {
      if (!findField(reader, field, end)) return null;
      if (depth === path.length - 1) return reader.string();
      const length = reader.uint32();
      end = reader.pos + length;
    }
    return null;
  } catch {
    return null;
  }
}

/** Moves to the length of the first field with this number that has one. */
function findField(reader: BinaryReader, field: number, end: number): boolean {
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    if (number === field && type === WireType.LengthDelimited) return true;
    reader.skip(type, number);
  }
  return false;
}

/** Options of a client whose answers are decoded within a limit: a larger answer ends its call as one that cannot be read. */
export function limitAnswer(limit: number): ClientOptions {
  return {
    callInvocationTransformer: (call) => {
      const { methodDefinition } = call;
      const responseDeserialize = methodDefinition.responseDeserialize.bind(methodDefinition);
      return {
        ...call,
        methodDefinition: {
          ...methodDefinition,
          responseDeserialize: (bytes: Buffer): unknown => decodeWithin<unknown>(limit, responseDeserialize, bytes),
        },
      };
    },
  };
}

class CountingReader extends BinaryReader {
  #left: number;

  constructor(bytes: Uint8Array, limit: number) {
    super(bytes);
    this.#left = limit;
    const read = this.uint32.bind(this);
    // Every tag and every length is read by this.
    this.uint32 = () => {
      this.#left -= 1;
      if (this.#left < 0) throw new TooManyValues(limit);
      return read();
    };
  }

  /** The length of a text is no value of its own. */
  override string(strict?: boolean): string {
    const left = this.#left;
    this.#left = Infinity;
    const read = super.string(strict);
    this.#left = left;
    return read;
  }

  override bytes(): Uint8Array {
    const left = this.#left;
    this.#left = Infinity;
    const read = super.bytes();
    this.#left = left;
    return read;
  }
}
