import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { ClientOptions } from '@grpc/grpc-js';

/** A message that came from outside holds at most this many values: as many as an answer of an EPOS in JSON. */
export const MESSAGE_VALUES_MAX = 30_000;
/** One between processes of the service: what an EPOS has said in JSON has up to three times as many values in it. */
export const INTERNAL_VALUES_MAX = 100_000;

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

/** Options of a client whose answers are decoded within a limit: a larger answer ends its call as one that cannot be read. */
export function answersWithin(limit: number): ClientOptions {
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
