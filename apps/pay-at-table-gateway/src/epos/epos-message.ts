import { ConnectRequest } from '@pos/grpc-contracts/gateway';
import { decodeWithin, EPOS_MESSAGE_VALUES_MAX, findText, TooManyValues } from '@pos/grpc-contracts/message-values';

/** An answer that nobody can read, to a call that is known. */
export interface UnreadableResult {
  readonly callId: string;
  readonly reason: string;
}

/** What an EPOS says on the stream that it has opened. */
export interface EposMessage {
  readonly message?: ConnectRequest['message'] | { readonly $case: 'unreadable'; readonly value: UnreadableResult };
}

/** The field numbers of `ConnectRequest.result` and its `call_id`. */
const CALL_ID = [2, 1];

/**
 * Reads a message of the stream. One with too many values is an answer to its call that cannot be read, so that it ends
 * this call and not the stream with all others; without a call's id it is refused.
 */
export function readEposMessage(bytes: Buffer): EposMessage {
  try {
    return decodeWithin(EPOS_MESSAGE_VALUES_MAX, (each) => ConnectRequest.decode(each), bytes);
  } catch (error) {
    const callId = error instanceof TooManyValues ? findText(CALL_ID, bytes) : null;
    if (callId === null || !(error instanceof TooManyValues)) throw error;
    return { message: { $case: 'unreadable', value: { callId, reason: error.message } } };
  }
}
