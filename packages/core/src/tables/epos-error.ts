/**
 * Every error that an EPOS answers in the pay-at-table contract, and its form at each edge. A code is a fact about
 * the EPOS, not a Refusal of ours: the caller decides whether to trust it.
 */
export const EPOS_ERRORS = {
  SESSION_NO_SUCH_SESSION: { meaning: 'The session or table is unknown', grpcStatus: 'NOT_FOUND', simulatorHttp: 404 },
  TABLE_NO_SUCH_TABLE: { meaning: 'The table is unknown', grpcStatus: 'NOT_FOUND', simulatorHttp: 404 },
  BILL_NO_SUCH_BILL: { meaning: 'The session has no bill', grpcStatus: 'NOT_FOUND', simulatorHttp: 404 },
  SESSION_ALREADY_LOCKED: {
    meaning: 'The session is locked by someone else',
    grpcStatus: 'ABORTED',
    simulatorHttp: 409,
  },
  SESSION_NOT_LOCKED: { meaning: 'A lock is needed first', grpcStatus: 'FAILED_PRECONDITION', simulatorHttp: 409 },
  SESSION_UNABLE_TO_UNLOCK: {
    meaning: 'The EPOS could not unlock, for reasons of its own',
    grpcStatus: 'UNAVAILABLE',
    simulatorHttp: 502,
  },
  PAYMENT_ALREADY_RECORDED: {
    meaning: 'The same payment is already booked: a success',
    grpcStatus: 'ALREADY_EXISTS',
    simulatorHttp: 409,
  },
  PAYMENT_NOT_RECORDED: {
    meaning: 'The EPOS definitely did not book the payment',
    grpcStatus: 'FAILED_PRECONDITION',
    simulatorHttp: 422,
  },
  WAITER_INCORRECT_WAITER_ID: {
    meaning: 'The waiter is unknown',
    grpcStatus: 'PERMISSION_DENIED',
    simulatorHttp: 403,
  },
  ERROR_PARSE_ERROR: {
    meaning: 'The request was not understood, or its method is unknown',
    grpcStatus: 'INVALID_ARGUMENT',
    simulatorHttp: 400,
  },
  ERROR_INTERNAL_POS_ERROR: { meaning: 'Anything else', grpcStatus: 'INTERNAL', simulatorHttp: 502 },
} as const satisfies Record<string, EposErrorForm>;

export type EposErrorCode = keyof typeof EPOS_ERRORS;

/** The two kinds of missing answer; they carry no code. */
export const EPOS_SILENCES = {
  notConnected: { meaning: 'No EPOS is connected', grpcStatus: 'UNAVAILABLE', simulatorHttp: 503 },
  noAnswer: { meaning: 'No answer came in time', grpcStatus: 'DEADLINE_EXCEEDED', simulatorHttp: 504 },
} as const satisfies Record<string, EposErrorForm>;

export type EposSilence = keyof typeof EPOS_SILENCES;

/** Errors of the EPOS Data API, where an order represents a session. */
export type EposDataError = 'NotFound' | 'Conflict' | 'InvalidRequest' | 'UnexpectedError';

/** What was requested of the order: the same error has a different meaning for each call. */
export type OrderCall = 'session' | 'bill' | 'lock' | 'record' | 'unlock';

/**
 * An EPOS Data error as a code of the pay-at-table contract. A conflict on recording is read as not recorded; a
 * caller that finds our intent on the order reports PAYMENT_ALREADY_RECORDED instead.
 */
export const EPOS_DATA_ERROR_CODES = {
  session: createErrorRow('SESSION_NO_SUCH_SESSION', 'ERROR_INTERNAL_POS_ERROR'),
  bill: createErrorRow('BILL_NO_SUCH_BILL', 'ERROR_INTERNAL_POS_ERROR'),
  lock: createErrorRow('SESSION_NO_SUCH_SESSION', 'SESSION_ALREADY_LOCKED'),
  record: createErrorRow('SESSION_NO_SUCH_SESSION', 'PAYMENT_NOT_RECORDED'),
  unlock: createErrorRow('SESSION_NO_SUCH_SESSION', 'SESSION_UNABLE_TO_UNLOCK'),
} as const satisfies Record<OrderCall, Record<EposDataError, EposErrorCode>>;

/** Whether a text from outside is one of the codes; anything else is read as ERROR_INTERNAL_POS_ERROR by the edge. */
export function isEposErrorCode(text: string): text is EposErrorCode {
  return Object.hasOwn(EPOS_ERRORS, text);
}

interface EposErrorForm {
  readonly meaning: string;
  readonly grpcStatus:
    | 'NOT_FOUND'
    | 'ABORTED'
    | 'FAILED_PRECONDITION'
    | 'UNAVAILABLE'
    | 'ALREADY_EXISTS'
    | 'PERMISSION_DENIED'
    | 'INVALID_ARGUMENT'
    | 'INTERNAL'
    | 'DEADLINE_EXCEEDED';
  readonly simulatorHttp: number;
}

function createErrorRow(notFound: EposErrorCode, conflict: EposErrorCode): Record<EposDataError, EposErrorCode> {
  return {
    NotFound: notFound,
    Conflict: conflict,
    InvalidRequest: 'ERROR_PARSE_ERROR',
    UnexpectedError: 'ERROR_INTERNAL_POS_ERROR',
  };
}
