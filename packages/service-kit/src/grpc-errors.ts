import { Metadata, status } from '@grpc/grpc-js';
import { Refusal, type RefusalCode } from '@pos/core/refusal';
import { TablesError, TablesErrorCode } from '@pos/grpc-contracts/tables';

/** The trailer that carries a serialised `service.tables.v1.TablesError`. */
export const TABLES_ERROR_TRAILER = 'service-tables-error-bin';
/** The trailer that names the refusal, for machines; the same word as `code` in a problem body. */
export const REFUSAL_TRAILER = 'service-refusal-code';
/** The trailer that names the trace, so a partner can quote it. */
export const TRACE_TRAILER = 'trace-id';

/** How a refusal sounds over gRPC, and which pay-at-table error goes with it, if one says the same. */
export interface GrpcRefusal {
  readonly status: status;
  readonly tables: TablesErrorCode | null;
}

/** A call ends with this status and these trailers. Thrown by rpc methods for what is not a refusal of `core`: an EPOS's own answer, say. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';

  constructor(
    readonly status: status,
    readonly details: string,
    readonly tablesError: { readonly code: TablesErrorCode; readonly reason: string } | null = null,
  ) {
    super(`${status}: ${details}`);
  }
}

/** The status each pay-at-table error travels under. */
export const TABLES_ERROR_STATUS = {
  [TablesErrorCode.TABLES_ERROR_CODE_UNSPECIFIED]: status.INTERNAL,
  [TablesErrorCode.SESSION_NO_SUCH_SESSION]: status.NOT_FOUND,
  [TablesErrorCode.TABLE_NO_SUCH_TABLE]: status.NOT_FOUND,
  [TablesErrorCode.BILL_NO_SUCH_BILL]: status.NOT_FOUND,
  [TablesErrorCode.SESSION_ALREADY_LOCKED]: status.ABORTED,
  [TablesErrorCode.SESSION_NOT_LOCKED]: status.FAILED_PRECONDITION,
  [TablesErrorCode.SESSION_UNABLE_TO_UNLOCK]: status.UNAVAILABLE,
  [TablesErrorCode.PAYMENT_ALREADY_RECORDED]: status.ALREADY_EXISTS,
  [TablesErrorCode.PAYMENT_NOT_RECORDED]: status.FAILED_PRECONDITION,
  [TablesErrorCode.WAITER_INCORRECT_WAITER_ID]: status.PERMISSION_DENIED,
  [TablesErrorCode.ERROR_PARSE_ERROR]: status.INVALID_ARGUMENT,
  [TablesErrorCode.ERROR_INTERNAL_POS_ERROR]: status.INTERNAL,
  [TablesErrorCode.UNRECOGNIZED]: status.INTERNAL,
} as const satisfies Record<TablesErrorCode, status>;

/** A failure that carries a pay-at-table error under its own status. */
export function tablesFailure(code: TablesErrorCode, reason: string): GrpcFailure {
  return new GrpcFailure(TABLES_ERROR_STATUS[code], reason, { code, reason });
}

const notFound = { status: status.NOT_FOUND, tables: null };
const conflict = { status: status.FAILED_PRECONDITION, tables: null };
const invalid = { status: status.INVALID_ARGUMENT, tables: TablesErrorCode.ERROR_PARSE_ERROR };
const exhausted = { status: status.RESOURCE_EXHAUSTED, tables: null };
const away = { status: status.UNAVAILABLE, tables: null };

/** The one place that knows gRPC about refusals. A new code does not compile until it has a row. */
export const GRPC_REFUSALS: Readonly<Record<RefusalCode, GrpcRefusal>> = {
  path_unknown: { status: status.UNIMPLEMENTED, tables: null },
  method_not_allowed: { status: status.UNIMPLEMENTED, tables: null },
  unauthenticated: { status: status.UNAUTHENTICATED, tables: null },
  rate_limited: exhausted,
  version_invalid: invalid,
  permission_missing: { status: status.PERMISSION_DENIED, tables: null },
  partner_header_invalid: invalid,
  media_type_unsupported: invalid,
  body_too_large: exhausted,
  body_malformed: invalid,
  idempotency_key_invalid: invalid,
  idempotency_key_reused: { status: status.ALREADY_EXISTS, tables: null },
  idempotency_in_progress: { status: status.ABORTED, tables: null },
  validation_failed: invalid,
  service_unavailable: away,
  commit_unknown: away,
  acquirer_not_configured: conflict,
  payment_intent_not_found: notFound,
  payment_intent_unknown: notFound,
  payment_intent_canceled: conflict,
  payment_intent_busy: { status: status.ABORTED, tables: null },
  payment_intent_not_cancelable: conflict,
  payment_intent_not_payable: conflict,
  currency_not_enabled: conflict,
  not_capturable: conflict,
  capture_exceeds_authorized: conflict,
  capture_refused: conflict,
  not_refundable: conflict,
  refund_exceeds_captured: conflict,
  refund_refused: conflict,
  refund_not_found: notFound,
  not_reversible: conflict,
  reversal_window_passed: conflict,
  reversal_refused: conflict,
  not_chargeable: conflict,
  charge_without_setup_intent: conflict,
  charge_exceeds_intended: conflict,
  setup_intent_not_chargeable: conflict,
  amount_change_not_enabled: conflict,
  amount_not_changeable: conflict,
  amount_not_raised: conflict,
  amount_raise_refused: conflict,
  tips_change_not_enabled: conflict,
  tips_not_changeable: conflict,
  secret_not_refreshable: conflict,
  receipt_not_available: conflict,
  terminal_not_found: notFound,
  terminal_unavailable: away,
  terminal_session_not_found: notFound,
  terminal_session_not_cancelable: conflict,
  signature_not_awaited: conflict,
  subscription_not_found: notFound,
  event_kind_taken: { status: status.ALREADY_EXISTS, tables: null },
  secret_not_found: notFound,
  secret_is_active: conflict,
  secrets_exhausted: exhausted,
  delivery_not_found: notFound,
  delivery_not_dead_lettered: conflict,
  flow_not_found: notFound,
  pending_payment_not_found: notFound,
  pending_payment_not_decidable: conflict,
};

/** What grpc-js sends to end a call that did not succeed. */
export interface EndStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Turns whatever was thrown into the end of the call. What nobody planned is INTERNAL and tells the trace id only. */
export function endStatusOf(thrown: unknown, traceId: string): EndStatus {
  const metadata = new Metadata();
  metadata.set(TRACE_TRAILER, traceId);
  if (thrown instanceof Refusal) {
    const { status: code, tables } = GRPC_REFUSALS[thrown.code];
    metadata.set(REFUSAL_TRAILER, thrown.code);
    if (tables !== null) setTablesError(metadata, tables, refusalText(thrown));
    return { code, details: refusalText(thrown), metadata };
  }
  if (thrown instanceof GrpcFailure) {
    if (thrown.tablesError !== null) setTablesError(metadata, thrown.tablesError.code, thrown.tablesError.reason);
    return { code: thrown.status, details: oneLine(thrown.details), metadata };
  }
  return { code: status.INTERNAL, details: `internal error, trace ${traceId}`, metadata };
}

/** Whether the failure is of our making and belongs in the log as an error. */
export function isUnplanned(thrown: unknown): boolean {
  return !(thrown instanceof Refusal) && !(thrown instanceof GrpcFailure);
}

function setTablesError(metadata: Metadata, errorCode: TablesErrorCode, errorReason: string): void {
  metadata.set(TABLES_ERROR_TRAILER, Buffer.from(TablesError.encode({ errorCode, errorReason }).finish()));
}

const DETAILS_LENGTH_MAX = 1_000;

function refusalText({ detail, members }: Refusal): string {
  const perMember = Object.entries(members).map(([name, messages]) => `${name}: ${messages.join(' ')}`);
  return oneLine(perMember.length === 0 ? detail : `${detail} (${perMember.join('; ')})`);
}

// The status line is a header: a line break in it would end the call with a protocol error.
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, ' ').slice(0, DETAILS_LENGTH_MAX);
}
