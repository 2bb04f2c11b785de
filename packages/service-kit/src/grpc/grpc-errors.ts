import { Metadata, status } from '@grpc/grpc-js';
import { EPOS_ERRORS, type EposErrorCode } from '@pos/core/tables';
import { Refusal, type RefusalCode } from '@pos/core/refusals';
import { TablesError, TablesErrorCode } from '@pos/grpc-contracts/tables';
import { TABLES_ERROR_TRAILER } from '@pos/grpc-contracts/tables-error';
import { isOutageError } from '../lifecycle/outage.js';

/** The trailer with the code of the refusal, for machines; the same as `code` in a problem body. */
export const REFUSAL_TRAILER = 'service-refusal-code';
/** The trailer with the trace, so a partner can quote it. */
const TRACE_TRAILER = 'trace-id';

/** The gRPC status of a refusal, and the pay-at-table error with the same meaning, if there is one. */
export interface GrpcRefusalMapping {
  readonly status: status;
  readonly tables: EposErrorCode | null;
}

/**
 * Ends a call with this status and these trailers. Rpc methods throw it for errors that are no refusal of `core`, such
 * as an EPOS's own answer.
 */
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

/** A failure with a pay-at-table error under its status. */
export function createTablesFailure(code: EposErrorCode, reason: string): GrpcFailure {
  return new GrpcFailure(status[EPOS_ERRORS[code].grpcStatus], reason, { code, reason });
}

const NOT_FOUND = { status: status.NOT_FOUND, tables: null };
const CONFLICT = { status: status.FAILED_PRECONDITION, tables: null };
const INVALID = { status: status.INVALID_ARGUMENT, tables: 'ERROR_PARSE_ERROR' } as const;
const EXHAUSTED = { status: status.RESOURCE_EXHAUSTED, tables: null };
const UNAVAILABLE = { status: status.UNAVAILABLE, tables: null };

/** The only mapping of refusals to gRPC. A new code does not compile until it has a row. */
const GRPC_REFUSALS: Readonly<Record<RefusalCode, GrpcRefusalMapping>> = {
  path_unknown: { status: status.UNIMPLEMENTED, tables: null },
  method_not_allowed: { status: status.UNIMPLEMENTED, tables: null },
  unauthenticated: { status: status.UNAUTHENTICATED, tables: null },
  rate_limited: EXHAUSTED,
  version_invalid: INVALID,
  permission_missing: { status: status.PERMISSION_DENIED, tables: null },
  partner_header_invalid: INVALID,
  partner_not_registered: { status: status.PERMISSION_DENIED, tables: null },
  media_type_unsupported: INVALID,
  body_too_large: EXHAUSTED,
  body_malformed: INVALID,
  idempotency_key_invalid: INVALID,
  idempotency_key_reused: { status: status.ALREADY_EXISTS, tables: null },
  idempotency_in_progress: { status: status.ABORTED, tables: null },
  validation_failed: INVALID,
  service_unavailable: UNAVAILABLE,
  commit_unknown: UNAVAILABLE,
  acquirer_not_configured: CONFLICT,
  acquirer_lacks_capability: CONFLICT,
  acquirer_unanswered: UNAVAILABLE,
  client_secret_missing: { status: status.UNAUTHENTICATED, tables: null },
  client_secret_invalid: { status: status.UNAUTHENTICATED, tables: null },
  page_origin_not_registered: { status: status.PERMISSION_DENIED, tables: null },
  submissions_exhausted: EXHAUSTED,
  payment_outcome_unknown: UNAVAILABLE,
  attempt_not_found: NOT_FOUND,
  saved_card_not_found: NOT_FOUND,
  saved_card_not_usable: CONFLICT,
  saved_card_busy: { status: status.ABORTED, tables: null },
  saved_card_of_setup_intent: CONFLICT,
  payment_intent_not_found: NOT_FOUND,
  payment_intent_unknown: NOT_FOUND,
  payment_intent_canceled: CONFLICT,
  payment_intent_busy: { status: status.ABORTED, tables: null },
  payment_intent_not_cancelable: CONFLICT,
  payment_intent_not_payable: CONFLICT,
  currency_not_enabled: CONFLICT,
  not_capturable: CONFLICT,
  capture_exceeds_authorized: CONFLICT,
  capture_refused: CONFLICT,
  not_refundable: CONFLICT,
  refund_exceeds_captured: CONFLICT,
  refund_refused: CONFLICT,
  refund_not_found: NOT_FOUND,
  not_reversible: CONFLICT,
  reversal_window_passed: CONFLICT,
  reversal_refused: CONFLICT,
  not_chargeable: CONFLICT,
  charge_without_setup_intent: CONFLICT,
  charge_exceeds_intended: CONFLICT,
  setup_intent_not_chargeable: CONFLICT,
  amount_change_not_enabled: CONFLICT,
  amount_not_changeable: CONFLICT,
  amount_not_raised: CONFLICT,
  amount_raise_refused: CONFLICT,
  tips_change_not_enabled: CONFLICT,
  tips_not_changeable: CONFLICT,
  secret_not_refreshable: CONFLICT,
  receipt_not_available: CONFLICT,
  receipts_exhausted: EXHAUSTED,
  setup_intent_not_found: NOT_FOUND,
  setup_intent_busy: { status: status.ABORTED, tables: null },
  setup_intent_not_authorisable: CONFLICT,
  setup_intent_not_cancelable: CONFLICT,
  customer_not_found: NOT_FOUND,
  terminal_not_found: NOT_FOUND,
  terminal_unavailable: { status: status.ABORTED, tables: null },
  terminal_session_not_found: NOT_FOUND,
  terminal_session_not_cancelable: CONFLICT,
  signature_not_awaited: CONFLICT,
  subscription_not_found: NOT_FOUND,
  event_kind_taken: { status: status.ALREADY_EXISTS, tables: null },
  secret_not_found: NOT_FOUND,
  secret_is_active: CONFLICT,
  secrets_exhausted: EXHAUSTED,
  delivery_not_found: NOT_FOUND,
  delivery_not_dead_lettered: CONFLICT,
  event_kind_not_subscribed: CONFLICT,
  api_key_not_found: NOT_FOUND,
  api_keys_exhausted: EXHAUSTED,
  sign_in_refused: { status: status.UNAUTHENTICATED, tables: null },
  portal_session_missing: { status: status.UNAUTHENTICATED, tables: null },
  password_change_needed: { status: status.PERMISSION_DENIED, tables: null },
  password_locked: { status: status.PERMISSION_DENIED, tables: null },
  reauthentication_needed: { status: status.PERMISSION_DENIED, tables: null },
  second_person_needed: { status: status.PERMISSION_DENIED, tables: null },
  second_person_refused: { status: status.PERMISSION_DENIED, tables: null },
  four_eyes_request_unknown: { status: status.NOT_FOUND, tables: null },
  four_eyes_request_decided: { status: status.FAILED_PRECONDITION, tables: null },
  cross_site_request: { status: status.PERMISSION_DENIED, tables: null },
  account_not_chosen: { status: status.FAILED_PRECONDITION, tables: null },
  sign_in_expired: { status: status.UNAUTHENTICATED, tables: null },
  second_factor_refused: { status: status.PERMISSION_DENIED, tables: null },
  second_factor_missing: { status: status.PERMISSION_DENIED, tables: null },
  second_factor_required: { status: status.FAILED_PRECONDITION, tables: null },
  passkey_not_found: NOT_FOUND,
  password_sign_in_off: { status: status.PERMISSION_DENIED, tables: null },
  attestation_missing: { status: status.PERMISSION_DENIED, tables: null },
  account_disabled: { status: status.PERMISSION_DENIED, tables: null },
  flow_not_found: NOT_FOUND,
  flow_runs_exhausted: EXHAUSTED,
  pending_payment_not_found: NOT_FOUND,
  pending_payment_not_decidable: CONFLICT,
  difference_not_found: NOT_FOUND,
  difference_not_answerable: CONFLICT,
  alarm_not_found: NOT_FOUND,
  alarm_answered: CONFLICT,
  lease_not_found: NOT_FOUND,
  lease_over: { status: status.FAILED_PRECONDITION, tables: 'SESSION_NOT_LOCKED' },
  lease_money_open: CONFLICT,
  journey_not_found: NOT_FOUND,
  journey_over: CONFLICT,
  journey_busy: CONFLICT,
  journey_money_open: CONFLICT,
  journey_not_movable: CONFLICT,
  bill_unusable: { status: status.INTERNAL, tables: 'ERROR_INTERNAL_POS_ERROR' },
  bill_paid: CONFLICT,
  part_invalid: INVALID,
  part_exceeds_outstanding: { status: status.INVALID_ARGUMENT, tables: null },
  item_not_on_bill: { status: status.INVALID_ARGUMENT, tables: null },
  item_share_taken: CONFLICT,
  table_payment_id_reused: { status: status.FAILED_PRECONDITION, tables: 'PAYMENT_NOT_RECORDED' },
  card_transaction_unusable: { status: status.FAILED_PRECONDITION, tables: 'PAYMENT_NOT_RECORDED' },
  order_placement_not_found: NOT_FOUND,
  order_not_placeable: CONFLICT,
  epos_cannot_order: CONFLICT,
  payment_intent_held_for_order: CONFLICT,
  payment_intent_is_deposit: CONFLICT,
  reservation_not_found: NOT_FOUND,
  party_not_found: NOT_FOUND,
  booking_refused: CONFLICT,
  epos_cannot_book: { status: status.UNIMPLEMENTED, tables: null },
  epos_unreachable: UNAVAILABLE,
  epos_unanswered: { status: status.DEADLINE_EXCEEDED, tables: null },
};

/** The form in which grpc-js ends a call that failed. */
export interface GrpcEndStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/**
 * Converts any thrown error into the end of the call. An outage is UNAVAILABLE; an unexpected error is INTERNAL and
 * contains only the trace id.
 */
export function toEndStatus(caught: unknown, traceId: string): GrpcEndStatus {
  const metadata = new Metadata();
  metadata.set(TRACE_TRAILER, traceId);
  if (caught instanceof Refusal) {
    const { status: code, tables } = GRPC_REFUSALS[caught.code];
    metadata.set(REFUSAL_TRAILER, caught.code);
    if (tables !== null) setTablesError(metadata, tables, formatRefusal(caught));
    return { code, details: formatRefusal(caught), metadata };
  }
  if (caught instanceof GrpcFailure) {
    if (caught.tablesError !== null) setTablesError(metadata, caught.tablesError.code, caught.tablesError.reason);
    return { code: caught.status, details: toOneLine(caught.details), metadata };
  }
  if (isOutageError(caught)) {
    metadata.set(REFUSAL_TRAILER, 'service_unavailable');
    const details = `the service cannot answer just now; try again later (trace ${traceId})`;
    return { code: status.UNAVAILABLE, details, metadata };
  }
  return { code: status.INTERNAL, details: `internal error, trace ${traceId}`, metadata };
}

/** Whether the failure is our own and belongs in the log as an error. */
export function isUnexpectedError(caught: unknown): boolean {
  return !(caught instanceof Refusal) && !(caught instanceof GrpcFailure);
}

function setTablesError(metadata: Metadata, code: EposErrorCode, errorReason: string): void {
  const error = TablesError.encode({ errorCode: TablesErrorCode[code], errorReason });
  metadata.set(TABLES_ERROR_TRAILER, Buffer.from(error.finish()));
}

const DETAILS_LENGTH_MAX = 1_000;

function formatRefusal({ detail, members }: Refusal): string {
  const memberTexts = Object.entries(members).map(([name, messages]) => `${name}: ${messages.join(' ')}`);
  return toOneLine(memberTexts.length === 0 ? detail : `${detail} (${memberTexts.join('; ')})`);
}

// The details are a header: a line break in them would end the call with a protocol error.
function toOneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, ' ').slice(0, DETAILS_LENGTH_MAX);
}
