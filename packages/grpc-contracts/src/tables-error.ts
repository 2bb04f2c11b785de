import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { TablesError, TablesErrorCode } from './gen/service/tables/v1/error.js';

/** The trailer in which a refusal of TablesService travels, as an encoded TablesError. */
export const TABLES_ERROR_TRAILER = 'service-tables-error-bin';

/** The gRPC status that goes with each code, for clients that know nothing of the trailer. */
export const TABLES_ERROR_STATUS = {
  TABLES_ERROR_CODE_UNSPECIFIED: status.INTERNAL,
  SESSION_NO_SUCH_SESSION: status.NOT_FOUND,
  TABLE_NO_SUCH_TABLE: status.NOT_FOUND,
  BILL_NO_SUCH_BILL: status.NOT_FOUND,
  SESSION_ALREADY_LOCKED: status.ABORTED,
  SESSION_NOT_LOCKED: status.FAILED_PRECONDITION,
  SESSION_UNABLE_TO_UNLOCK: status.UNAVAILABLE,
  PAYMENT_ALREADY_RECORDED: status.ALREADY_EXISTS,
  PAYMENT_NOT_RECORDED: status.FAILED_PRECONDITION,
  WAITER_INCORRECT_WAITER_ID: status.PERMISSION_DENIED,
  ERROR_PARSE_ERROR: status.INVALID_ARGUMENT,
  ERROR_INTERNAL_POS_ERROR: status.INTERNAL,
  UNRECOGNIZED: status.INTERNAL,
} as const satisfies Record<TablesErrorCode, status>;

/** What a server hands to its callback to refuse a call: status and typed trailer. */
export interface TablesRefusal {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Builds the refusal of a call of TablesService. The reason is shown to staff. */
export function createTablesRefusal(errorCode: TablesErrorCode, errorReason: string): TablesRefusal {
  const metadata = new Metadata();
  metadata.set(TABLES_ERROR_TRAILER, Buffer.from(TablesError.encode({ errorCode, errorReason }).finish()));
  // The trailer carries the whole reason; the status message is sent as a header and is kept short.
  return { code: TABLES_ERROR_STATUS[errorCode], details: `${errorCode}: ${errorReason}`.slice(0, 512), metadata };
}

/**
 * The typed refusal inside a failed call, or null when the failure is none: no connection, no answer in time, a
 * trailer that cannot be read. A null says nothing about what the EPOS did.
 */
export function findTablesError(error: Pick<ServiceError, 'metadata'>): TablesError | null {
  const [trailer] = error.metadata.get(TABLES_ERROR_TRAILER);
  if (!Buffer.isBuffer(trailer)) return null;
  const refusal = decodeTrailer(trailer);
  if (refusal === null || isUnnamed(refusal.errorCode)) return null;
  return refusal;
}

function decodeTrailer(trailer: Buffer): TablesError | null {
  try {
    return TablesError.decode(trailer);
  } catch {
    // Bytes from the network that cannot be read contain no refusal.
    return null;
  }
}

function isUnnamed(code: TablesErrorCode): boolean {
  return code === TablesErrorCode.TABLES_ERROR_CODE_UNSPECIFIED || code === TablesErrorCode.UNRECOGNIZED;
}
