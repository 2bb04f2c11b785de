import { Refusal } from '@pos/core/refusals/refusal';
import { decodeWithin, MESSAGE_VALUES_MAX, TooManyValues } from '@pos/grpc-contracts/message-values';
import type { RpcDefinition } from './grpc-controller.js';
import { requireStorableText } from './grpc-text-check.js';

/** A message of a caller is at most so long, unless its rpc decodes by itself. */
export const REQUEST_BYTES_MAX = 1024 * 1024;

/**
 * The same rpc, whose codec hands bytes that are no message, or one with too many values, on as their refusal: thrown
 * there, grpc-js would answer INTERNAL, before the credentials were looked at and without a line of log.
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

/** What is wrong with a message above a limit. */
export function describeTooLong(bytesMax: number): string {
  return `the message is longer than ${bytesMax} bytes`;
}

/** The message, or the refusal that came instead of it. */
export function requireMessage<Q>(request: Q): Q {
  if (request instanceof Refusal) throw request;
  return request;
}

/** The one message of a call; refuses what is none, and text that nobody can keep. */
export function requireReadable<Q>(request: Q): Q {
  requireStorableText(requireMessage(request));
  return request;
}
