/** The numeric results of a payment flow. The last three are made by the client alone, never by the service. */
export const RESULT_CODES = {
  successful: 0,
  /** The payer has not completed the challenge of the issuer. */
  authorizing: 3,
  referred: 4,
  declined: 5,
  /** The payment was paid already, or another attempt runs. */
  duplicate: 20,
  failed: 30,
  /** Nothing was submitted: a value is wrong, or the payment cannot be paid. */
  invalidRequest: 400,
  /** A secret is wrong, was used, or has expired. */
  secretInvalid: 401,
  /** A secret is missing; nothing was submitted. */
  secretMissing: 404,
  /** The outcome is unknown: read the payment intent on your server. */
  outcomeUnknown: 500,
  /** The payment waits to be executed. */
  waiting: 99,
  /** The client failed. */
  clientError: 7770,
  /** The payer closed the flow without paying. */
  closedByPayer: 7780,
} as const;

export type ResultCode = (typeof RESULT_CODES)[keyof typeof RESULT_CODES];

const KNOWN = new Set<number>(Object.values(RESULT_CODES));

/** The code of a number that the service answered. Every number that is no result becomes 7770. */
export function toResultCode(statusCode: unknown): ResultCode {
  return isResultCode(statusCode) ? statusCode : RESULT_CODES.clientError;
}

function isResultCode(value: unknown): value is ResultCode {
  return typeof value === 'number' && KNOWN.has(value);
}
