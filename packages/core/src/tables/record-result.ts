import type { EposDataError, EposErrorCode } from './epos-error.js';

/** Every possible result of recording a payment at an EPOS, in either contract. */
export type RecordAnswer = 'Success' | EposErrorCode | EposDataError | 'CredentialsRefused' | 'NoAnswer' | 'NotSent';

/**
 * What an answer to a record call means for the money.
 * `recorded`: it is booked.
 * `refused`: it is not booked and will not be.
 * `lockAgain`: it is not booked because a lock is missing.
 * `unknown`: it may be booked.
 * `notDone`: it is not booked, and the same call can be repeated.
 * `credentials`: the same, but every call fails until the account's credentials are fixed.
 * `lookAtOrder`, `lookAtBill`: the EPOS has to be read first.
 * `operator`: only a person can decide.
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

/**
 * The refusal of a first call is trusted. After an unanswered call it may be the echo of a booking that succeeded.
 */
export const RECORD_ANSWERS = {
  Success: createSameMeaning('recorded'),
  PAYMENT_ALREADY_RECORDED: createSameMeaning('recorded'),
  PAYMENT_NOT_RECORDED: { first: 'refused', afterUnanswered: 'lookAtBill' },
  ERROR_PARSE_ERROR: { first: 'refused', afterUnanswered: 'operator' },
  WAITER_INCORRECT_WAITER_ID: { first: 'refused', afterUnanswered: 'operator' },
  // This very payment may have closed the bill and deleted its session.
  SESSION_NO_SUCH_SESSION: { first: 'refused', afterUnanswered: 'operator' },
  TABLE_NO_SUCH_TABLE: { first: 'refused', afterUnanswered: 'operator' },
  BILL_NO_SUCH_BILL: { first: 'refused', afterUnanswered: 'operator' },
  SESSION_NOT_LOCKED: createSameMeaning('lockAgain'),
  // The contract does not define this answer for recording; another device's lock prevents it all the same.
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

/** Interprets an answer with respect to the calls before it. If there is an order, it is read instead of guessing. */
export function findRecordMeaning(
  answer: RecordAnswer,
  call: { readonly isUnanswered: boolean; readonly hasOrder: boolean },
): RecordMeaning {
  // An order's conflict may arrive already translated to the other contract.
  if (call.hasOrder && (answer === 'PAYMENT_NOT_RECORDED' || answer === 'ERROR_PARSE_ERROR')) return 'lookAtOrder';
  const row = RECORD_ANSWERS[answer];
  return call.isUnanswered ? row.afterUnanswered : row.first;
}

function createSameMeaning<M extends RecordMeaning>(meaning: M): { first: M; afterUnanswered: M } {
  return { first: meaning, afterUnanswered: meaning };
}
