import { Refusal } from '@pos/core/refusals';
import { decodeWithin, MESSAGE_VALUES_MAX, TooManyValues } from '@pos/grpc-contracts/message-values';
import type { RpcDefinition } from './grpc-controller.js';
import { requireStorableText } from './grpc-text-check.js';

/** The longest message of a caller, unless its rpc decodes by itself. */
export const REQUEST_BYTES_MAX = 1024 * 1024;

/**
 * Returns the rpc with a codec that returns a refusal in place of an invalid message, or of one with too many values.
 * If the codec threw it, grpc-js would answer INTERNAL before the credentials are checked and without a log line.
 */
export function deferDecodingErrors<R extends Pick<RpcDefinition, 'requestDeserialize' | 'decodeRequest'>>(
  rpc: R,
  valuesMax = MESSAGE_VALUES_MAX,
): R {
  const decode =
    rpc.decodeRequest?.bind(rpc) ??
    ((bytes: Buffer) => {
      if (bytes.length > REQUEST_BYTES_MAX) throw new Refusal('body_too_large', describeTooLong(REQUEST_BYTES_MAX));
      return decodeWithin(valuesMax, (each) => rpc.requestDeserialize(each), bytes);
    });
  return {
    ...rpc,
    requestDeserialize(bytes: Buffer) {
      try {
        return decode(bytes);
      } catch (error) {
        if (error instanceof Refusal) return error;
        if (error instanceof TooManyValues) return new Refusal('body_too_large', error.message);
        return new Refusal('body_malformed', 'the bytes are no message of this method');
      }
    },
  };
}

/** The detail of a refusal of a message above the limit. */
export function describeTooLong(bytesMax: number): string {
  return `the message is longer than ${bytesMax} bytes`;
}

/** The message. Throws the refusal that the codec returned in its place. */
export function requireMessage<Q>(request: Q): Q {
  if (request instanceof Refusal) throw request;
  return request;
}

/** The one message of a call. Refuses invalid bytes, and text that the database cannot store. */
export function requireReadable<Q>(request: Q): Q {
  requireStorableText(requireMessage(request));
  return request;
}
