import { Metadata, status } from '@grpc/grpc-js';
import { EPOS_ERRORS, type EposErrorCode } from '@pos/core/epos-error';
import { Refusal, type RefusalCode } from '@pos/core/refusal';
import { TablesError, TablesErrorCode } from '@pos/grpc-contracts/tables';

/** The trailer that carries a serialised `service.tables.v1.TablesError`. */
export const TABLES_ERROR_TRAILER = 'service-tables-error-bin';
/** The trailer that names the refusal, for machines; the same word as `code` in a problem body. */
export const REFUSAL_TRAILER = 'service-refusal-code';
/** The trailer that names the trace, so a partner can quote it. */
const TRACE_TRAILER = 'trace-id';

/** How a refusal sounds over gRPC, and which pay-at-table error goes with it, if one says the same. */
export interface GrpcRefusal {
  readonly status: status;
  readonly tables: EposErrorCode | null;
}

/** A call ends with this status and these trailers. Thrown by rpc methods for what is not a refusal of `core`: an EPOS's own answer, say. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';

  constructor(
    readonly status: status,
    readonly details: string,
    readonly tablesError: { readonly code: EposErrorCode; readonly reason: string } | null = null,
  ) {
    super(`${status}: ${details}`);
  }
}

/** A failure that carries a pay-at-table error under the status that belongs to it. */
export function tablesFailure(code: EposErrorCode, reason: string): GrpcFailure {
  return new GrpcFailure(status[EPOS_ERRORS[code].grpcStatus], reason, { code, reason });
}

const notFound = { status: status.NOT_FOUND, tables: null };
const conflict = { status: status.FAILED_PRECONDITION, tables: null };
const invalid = { status: status.INVALID_ARGUMENT, tables: 'ERROR_PARSE_ERROR' } as const;
const exhausted = { status: status.RESOURCE_EXHAUSTED, tables: null };
const away = { status: status.UNAVAILABLE, tables: null };

/** The one place that knows gRPC about refusals. A new code does not compile until it has a row. */
const GRPC_REFUSALS: Readonly<Record<RefusalCode, GrpcRefusal>> = {
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
  acquirer_unanswered: away,
  client_secret_missing: { status: status.UNAUTHENTICATED, tables: null },
  client_secret_invalid: { status: status.UNAUTHENTICATED, tables: null },
  submissions_exhausted: exhausted,
  payment_outcome_unknown: away,
  attempt_not_found: notFound,
  saved_card_not_found: notFound,
  saved_card_not_usable: conflict,
  saved_card_busy: { status: status.ABORTED, tables: null },
  saved_card_of_setup_intent: conflict,
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
  setup_intent_not_found: notFound,
  setup_intent_busy: { status: status.ABORTED, tables: null },
  setup_intent_not_authorisable: conflict,
  setup_intent_not_cancelable: conflict,
  customer_not_found: notFound,
  terminal_not_found: notFound,
  terminal_unavailable: { status: status.ABORTED, tables: null },
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
  api_key_not_found: notFound,
  api_keys_exhausted: exhausted,
  attestation_missing: { status: status.PERMISSION_DENIED, tables: null },
  flow_not_found: notFound,
  flow_runs_exhausted: exhausted,
  pending_payment_not_found: notFound,
  pending_payment_not_decidable: conflict,
  alarm_not_found: notFound,
  alarm_answered: conflict,
  lease_not_found: notFound,
  lease_over: { status: status.FAILED_PRECONDITION, tables: 'SESSION_NOT_LOCKED' },
  lease_money_open: conflict,
  journey_not_found: notFound,
  journey_over: conflict,
  journey_busy: conflict,
  journey_money_open: conflict,
  journey_not_movable: conflict,
  bill_unusable: { status: status.INTERNAL, tables: 'ERROR_INTERNAL_POS_ERROR' },
  bill_paid: conflict,
  part_invalid: invalid,
  part_exceeds_outstanding: { status: status.INVALID_ARGUMENT, tables: null },
  item_not_on_bill: { status: status.INVALID_ARGUMENT, tables: null },
  item_share_taken: conflict,
  table_payment_id_reused: { status: status.FAILED_PRECONDITION, tables: 'PAYMENT_NOT_RECORDED' },
  card_transaction_unusable: { status: status.FAILED_PRECONDITION, tables: 'PAYMENT_NOT_RECORDED' },
  order_placement_not_found: notFound,
  order_not_placeable: conflict,
  epos_cannot_order: conflict,
  payment_intent_held_for_order: conflict,
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

function setTablesError(metadata: Metadata, code: EposErrorCode, errorReason: string): void {
  const error = TablesError.encode({ errorCode: TablesErrorCode[code], errorReason });
  metadata.set(TABLES_ERROR_TRAILER, Buffer.from(error.finish()));
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
