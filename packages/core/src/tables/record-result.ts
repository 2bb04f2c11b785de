import type { EposDataError, EposErrorCode } from './epos-error.js';

/** Everything that can come back when a payment is recorded at an EPOS, in either contract. */
export type RecordAnswer = 'Success' | EposErrorCode | EposDataError | 'CredentialsRefused' | 'NoAnswer' | 'NotSent';

/**
 * What an answer to a record call means for the money.
 * `recorded` it is booked. `refused` it is not and will not be. `lockAgain` it is not, for want of a
 * lock. `unknown` it may be booked. `notDone` it is not, and nothing speaks against the same call again.
 * `credentials` the same, but every call fails until the account's credentials are put right.
 * `lookAtOrder`, `lookAtBill` the EPOS has to be read to know. `operator` only a person can tell.
 */
export type RecordMeaning =
  | 'recorded'
  | 'refused'
  | 'lockAgain'
  | 'unknown'
  | 'notDone'
  | 'credentials'
  | 'lookAtOrder'
  | 'lookAtBill'
  | 'operator';

/** The refusal of a first call is trusted. After an unanswered call it may be the echo of a booking that succeeded. */
export const RECORD_ANSWERS = {
  Success: createSameMeaning('recorded'),
  PAYMENT_ALREADY_RECORDED: createSameMeaning('recorded'),
  PAYMENT_NOT_RECORDED: { first: 'refused', afterUnanswered: 'lookAtBill' },
  ERROR_PARSE_ERROR: { first: 'refused', afterUnanswered: 'operator' },
  WAITER_INCORRECT_WAITER_ID: { first: 'refused', afterUnanswered: 'operator' },
  // The bill may have been closed, and its session forgotten, by this very payment.
  SESSION_NO_SUCH_SESSION: { first: 'refused', afterUnanswered: 'operator' },
  TABLE_NO_SUCH_TABLE: { first: 'refused', afterUnanswered: 'operator' },
  BILL_NO_SUCH_BILL: { first: 'refused', afterUnanswered: 'operator' },
  SESSION_NOT_LOCKED: createSameMeaning('lockAgain'),
  // Not an answer the contract has for recording; somebody else's lock stands in our way all the same.
  SESSION_ALREADY_LOCKED: createSameMeaning('lockAgain'),
  SESSION_UNABLE_TO_UNLOCK: createSameMeaning('unknown'),
  ERROR_INTERNAL_POS_ERROR: createSameMeaning('unknown'),
  NotFound: { first: 'refused', afterUnanswered: 'operator' },
  Conflict: createSameMeaning('lookAtOrder'),
  InvalidRequest: createSameMeaning('lookAtOrder'),
  UnexpectedError: createSameMeaning('unknown'),
  CredentialsRefused: createSameMeaning('credentials'),
  NoAnswer: createSameMeaning('unknown'),
  NotSent: createSameMeaning('notDone'),
} as const satisfies Record<RecordAnswer, { first: RecordMeaning; afterUnanswered: RecordMeaning }>;

/** Reads an answer in the light of the calls before it. Where there is an order, it is read rather than guessed at. */
export function findRecordMeaning(
  answer: RecordAnswer,
  call: { readonly isUnanswered: boolean; readonly hasOrder: boolean },
): RecordMeaning {
  // An order's conflict may reach us already put into the words of the other contract.
  if (call.hasOrder && (answer === 'PAYMENT_NOT_RECORDED' || answer === 'ERROR_PARSE_ERROR')) return 'lookAtOrder';
  const row = RECORD_ANSWERS[answer];
  return call.isUnanswered ? row.afterUnanswered : row.first;
}

function createSameMeaning<M extends RecordMeaning>(meaning: M): { first: M; afterUnanswered: M } {
  return { first: meaning, afterUnanswered: meaning };
}
