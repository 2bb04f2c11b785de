/** The calls of the acquirer's gRPC service, by the names that this project uses. */
export const ACQUIRER_METHODS = [
  'Authorise',
  'CompleteChallenge',
  'Increase',
  'Capture',
  'Refund',
  'Reverse',
  'Inquire',
  'ListBooked',
] as const;
export type AcquirerMethod = (typeof ACQUIRER_METHODS)[number];

/** Every error status of gRPC; a status that is not listed is read as `UNKNOWN`. */
export const ACQUIRER_ERROR_STATUSES = [
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;
export type AcquirerErrorStatus = (typeof ACQUIRER_ERROR_STATUSES)[number];

/**
 * The meaning of an error status for the call.
 * - `refused`: nothing was booked, and the same call will always be refused.
 * - `inquireFirst`: the reference is in use; an inquiry returns what is booked under it.
 * - `accessRefused`: the acquirer refused us before it processed the call. No money moved. Its configuration is
 * wrong, so an alarm is raised and the call is repeated.
 * - `notFound`: the outcome "not found" of an inquiry, from an acquirer that answers it as an error.
 * - `unknown`: the call may or may not have been booked.
 */
export type StatusMeaning = 'refused' | 'inquireFirst' | 'accessRefused' | 'notFound' | 'unknown';

const NOTHING_KNOWN = forEachMethod('unknown');
const NO_ACCESS = forEachMethod('accessRefused');
/** A definite refusal of a call that books. A challenge's authorisation exists, so only an inquiry can end it. */
const REFUSED = {
  ...forEachMethod('refused'),
  CompleteChallenge: 'inquireFirst',
  Inquire: 'unknown',
  ListBooked: 'unknown',
} as const satisfies StatusMeanings;
const IN_USE = {
  ...forEachMethod('inquireFirst'),
  Inquire: 'unknown',
  ListBooked: 'unknown',
} as const satisfies StatusMeanings;

/** The complete table of error status and method. The comments of the acquirer's proto state the same. */
const STATUS_MEANINGS = {
  INVALID_ARGUMENT: REFUSED,
  NOT_FOUND: { ...REFUSED, Inquire: 'notFound' },
  FAILED_PRECONDITION: REFUSED,
  OUT_OF_RANGE: REFUSED,
  UNIMPLEMENTED: REFUSED,
  ALREADY_EXISTS: IN_USE,
  UNAUTHENTICATED: NO_ACCESS,
  PERMISSION_DENIED: NO_ACCESS,
  CANCELLED: NOTHING_KNOWN,
  UNKNOWN: NOTHING_KNOWN,
  DEADLINE_EXCEEDED: NOTHING_KNOWN,
  RESOURCE_EXHAUSTED: NOTHING_KNOWN,
  ABORTED: NOTHING_KNOWN,
  INTERNAL: NOTHING_KNOWN,
  UNAVAILABLE: NOTHING_KNOWN,
  DATA_LOSS: NOTHING_KNOWN,
} as const satisfies Record<AcquirerErrorStatus, StatusMeanings>;

type StatusMeanings = Readonly<Record<AcquirerMethod, StatusMeaning>>;

/** Looks up the meaning of an error status for a call of a method. */
export function findStatusMeaning(method: AcquirerMethod, status: AcquirerErrorStatus): StatusMeaning {
  return STATUS_MEANINGS[status][method];
}

function forEachMethod<M extends StatusMeaning>(meaning: M): Readonly<Record<AcquirerMethod, M>> {
  return {
    ...{ Authorise: meaning, CompleteChallenge: meaning, Increase: meaning, Capture: meaning },
    ...{ Refund: meaning, Reverse: meaning, Inquire: meaning, ListBooked: meaning },
  };
}
