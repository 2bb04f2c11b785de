import { ConnectRequest } from '@pos/grpc-contracts/gateway';
import { decodeWithin, EPOS_MESSAGE_VALUES_MAX, findText, TooManyValues } from '@pos/grpc-contracts/message-values';
import { Refusal } from '@pos/core/refusals';
import { REQUEST_BYTES_MAX, describeTooLong } from '@pos/service-kit/grpc';

/** An unreadable answer to a known call. */
export interface UnreadableResult {
  readonly callId: string;
  readonly reason: string;
}

/** A message of an EPOS on its stream. */
export interface EposMessage {
  readonly message?: ConnectRequest['message'] | { readonly $case: 'unreadable'; readonly value: UnreadableResult };
}

/** The field numbers of `ConnectRequest.result` and its `call_id`. */
const CALL_ID_PATH = [2, 1];

/**
 * Reads a message of the stream. One that is too long, or has too many values, is an answer to its call that cannot be read:
 * it ends this call and not the stream with all others. Without a call's id it is refused.
 */
export function readEposMessage(bytes: Buffer): EposMessage {
  try {
    if (bytes.length > REQUEST_BYTES_MAX) throw new Refusal('body_too_large', describeTooLong(REQUEST_BYTES_MAX));
    return decodeWithin(EPOS_MESSAGE_VALUES_MAX, (each) => ConnectRequest.decode(each), bytes);
  } catch (error) {
    const reason = findExceededLimit(error);
    const callId = reason === null ? null : findText(CALL_ID_PATH, bytes);
    if (callId === null || reason === null) throw error;
    return { message: { $case: 'unreadable', value: { callId, reason } } };
  }
}

/** The limit that the message is above; null for another failure. */
function findExceededLimit(error: unknown): string | null {
  if (error instanceof Refusal) return error.detail;
  return error instanceof TooManyValues ? error.message : null;
}
