import { LACKING, type LackingCapability } from '@pos/core/acquirer';
import { REFUSAL_CODES, type RefusalCode, type RefusalMembers } from '@pos/core/refusals';
import { z } from 'zod';

/** How a refusal is answered over HTTP. */
export interface ProblemSpec {
  readonly status: number;
  readonly title: string;
  readonly type: string;
}

const RFC_7231 = 'https://tools.ietf.org/html/rfc7231';

/** The HTTP statuses of failures and their titles. */
export const PROBLEM_STATUSES = {
  400: { status: 400, title: 'Bad Request', type: `${RFC_7231}#section-6.5.1` },
  401: { status: 401, title: 'Unauthorized', type: 'https://tools.ietf.org/html/rfc7235#section-3.1' },
  403: { status: 403, title: 'Forbidden', type: `${RFC_7231}#section-6.5.3` },
  404: { status: 404, title: 'Not Found', type: `${RFC_7231}#section-6.5.4` },
  405: { status: 405, title: 'Method Not Allowed', type: `${RFC_7231}#section-6.5.5` },
  408: { status: 408, title: 'Request Timeout', type: `${RFC_7231}#section-6.5.7` },
  409: { status: 409, title: 'Conflict', type: `${RFC_7231}#section-6.5.8` },
  413: { status: 413, title: 'Payload Too Large', type: `${RFC_7231}#section-6.5.11` },
  415: { status: 415, title: 'Unsupported Media Type', type: `${RFC_7231}#section-6.5.13` },
  422: { status: 422, title: 'Unprocessable Entity', type: 'https://tools.ietf.org/html/rfc4918#section-11.2' },
  429: { status: 429, title: 'Too Many Requests', type: 'https://tools.ietf.org/html/rfc6585#section-4' },
  431: {
    ...{ status: 431, title: 'Request Header Fields Too Large' },
    type: 'https://tools.ietf.org/html/rfc6585#section-5',
  },
  500: { status: 500, title: 'An error occurred while processing your request.', type: `${RFC_7231}#section-6.6.1` },
  502: { status: 502, title: 'Bad Gateway', type: `${RFC_7231}#section-6.6.3` },
  503: { status: 503, title: 'Service Unavailable', type: `${RFC_7231}#section-6.6.4` },
  504: { status: 504, title: 'Gateway Timeout', type: `${RFC_7231}#section-6.6.5` },
} as const satisfies Record<number, ProblemSpec>;

/** The title of a 400 that names members. */
const VALIDATION_TITLE = 'One or more validation errors occurred.';

/** The only mapping of refusals to HTTP. A new code does not compile until it has a row. */
export const PROBLEMS = {
  path_unknown: PROBLEM_STATUSES[404],
  method_not_allowed: PROBLEM_STATUSES[405],
  unauthenticated: PROBLEM_STATUSES[401],
  rate_limited: PROBLEM_STATUSES[429],
  version_invalid: PROBLEM_STATUSES[400],
  permission_missing: PROBLEM_STATUSES[403],
  partner_header_invalid: PROBLEM_STATUSES[400],
  partner_not_registered: PROBLEM_STATUSES[403],
  media_type_unsupported: PROBLEM_STATUSES[415],
  body_too_large: PROBLEM_STATUSES[413],
  body_malformed: PROBLEM_STATUSES[400],
  idempotency_key_invalid: PROBLEM_STATUSES[400],
  idempotency_key_reused: PROBLEM_STATUSES[409],
  idempotency_in_progress: PROBLEM_STATUSES[409],
  validation_failed: PROBLEM_STATUSES[400],
  service_unavailable: PROBLEM_STATUSES[503],
  commit_unknown: PROBLEM_STATUSES[503],
  acquirer_not_configured: PROBLEM_STATUSES[503],
  acquirer_lacks_capability: PROBLEM_STATUSES[409],
  acquirer_unanswered: PROBLEM_STATUSES[504],
  client_secret_missing: PROBLEM_STATUSES[404],
  client_secret_invalid: PROBLEM_STATUSES[401],
  page_origin_not_registered: PROBLEM_STATUSES[403],
  submissions_exhausted: PROBLEM_STATUSES[400],
  payment_outcome_unknown: PROBLEM_STATUSES[500],
  attempt_not_found: PROBLEM_STATUSES[404],
  saved_card_not_found: PROBLEM_STATUSES[404],
  saved_card_not_usable: PROBLEM_STATUSES[409],
  saved_card_busy: PROBLEM_STATUSES[409],
  saved_card_of_setup_intent: PROBLEM_STATUSES[409],
  payment_intent_not_found: PROBLEM_STATUSES[404],
  // Capture, refund and reversal answer an unknown intent as a bad member, not as a missing resource.
  payment_intent_unknown: PROBLEM_STATUSES[400],
  payment_intent_canceled: PROBLEM_STATUSES[409],
  payment_intent_busy: PROBLEM_STATUSES[409],
  payment_intent_not_cancelable: PROBLEM_STATUSES[409],
  payment_intent_not_payable: PROBLEM_STATUSES[409],
  currency_not_enabled: PROBLEM_STATUSES[400],
  not_capturable: PROBLEM_STATUSES[409],
  capture_exceeds_authorized: PROBLEM_STATUSES[400],
  capture_refused: PROBLEM_STATUSES[409],
  not_refundable: PROBLEM_STATUSES[400],
  refund_exceeds_captured: PROBLEM_STATUSES[400],
  refund_refused: PROBLEM_STATUSES[409],
  refund_not_found: PROBLEM_STATUSES[404],
  not_reversible: PROBLEM_STATUSES[409],
  reversal_window_passed: PROBLEM_STATUSES[409],
  reversal_refused: PROBLEM_STATUSES[409],
  not_chargeable: PROBLEM_STATUSES[409],
  charge_without_setup_intent: PROBLEM_STATUSES[400],
  charge_exceeds_intended: PROBLEM_STATUSES[400],
  setup_intent_not_chargeable: PROBLEM_STATUSES[409],
  amount_change_not_enabled: PROBLEM_STATUSES[405],
  amount_not_changeable: PROBLEM_STATUSES[409],
  amount_not_raised: PROBLEM_STATUSES[409],
  amount_raise_refused: PROBLEM_STATUSES[409],
  tips_change_not_enabled: PROBLEM_STATUSES[405],
  tips_not_changeable: PROBLEM_STATUSES[409],
  secret_not_refreshable: PROBLEM_STATUSES[409],
  receipt_not_available: PROBLEM_STATUSES[409],
  receipts_exhausted: PROBLEM_STATUSES[429],
  setup_intent_not_found: PROBLEM_STATUSES[404],
  setup_intent_busy: PROBLEM_STATUSES[409],
  setup_intent_not_authorisable: PROBLEM_STATUSES[409],
  setup_intent_not_cancelable: PROBLEM_STATUSES[409],
  customer_not_found: PROBLEM_STATUSES[404],
  terminal_not_found: PROBLEM_STATUSES[404],
  terminal_unavailable: PROBLEM_STATUSES[409],
  terminal_session_not_found: PROBLEM_STATUSES[404],
  terminal_session_not_cancelable: PROBLEM_STATUSES[422],
  signature_not_awaited: PROBLEM_STATUSES[422],
  subscription_not_found: PROBLEM_STATUSES[404],
  event_kind_taken: PROBLEM_STATUSES[409],
  secret_not_found: PROBLEM_STATUSES[404],
  secret_is_active: PROBLEM_STATUSES[409],
  secrets_exhausted: PROBLEM_STATUSES[409],
  delivery_not_found: PROBLEM_STATUSES[404],
  delivery_not_dead_lettered: PROBLEM_STATUSES[409],
  event_kind_not_subscribed: PROBLEM_STATUSES[409],
  api_key_not_found: PROBLEM_STATUSES[404],
  api_keys_exhausted: PROBLEM_STATUSES[409],
  attestation_missing: PROBLEM_STATUSES[403],
  account_disabled: PROBLEM_STATUSES[403],
  sign_in_refused: PROBLEM_STATUSES[401],
  portal_session_missing: PROBLEM_STATUSES[401],
  password_change_needed: PROBLEM_STATUSES[403],
  password_locked: PROBLEM_STATUSES[403],
  reauthentication_needed: PROBLEM_STATUSES[403],
  second_person_needed: PROBLEM_STATUSES[403],
  second_person_refused: PROBLEM_STATUSES[403],
  four_eyes_request_unknown: PROBLEM_STATUSES[404],
  four_eyes_request_decided: PROBLEM_STATUSES[409],
  cross_site_request: PROBLEM_STATUSES[403],
  account_not_chosen: PROBLEM_STATUSES[409],
  sign_in_expired: PROBLEM_STATUSES[401],
  second_factor_refused: PROBLEM_STATUSES[403],
  second_factor_missing: PROBLEM_STATUSES[403],
  second_factor_required: PROBLEM_STATUSES[409],
  passkey_not_found: PROBLEM_STATUSES[404],
  password_sign_in_off: PROBLEM_STATUSES[403],
  flow_not_found: PROBLEM_STATUSES[404],
  flow_runs_exhausted: PROBLEM_STATUSES[409],
  pending_payment_not_found: PROBLEM_STATUSES[404],
  pending_payment_not_decidable: PROBLEM_STATUSES[409],
  difference_not_found: PROBLEM_STATUSES[404],
  difference_not_answerable: PROBLEM_STATUSES[409],
  alarm_not_found: PROBLEM_STATUSES[404],
  alarm_answered: PROBLEM_STATUSES[409],
  lease_not_found: PROBLEM_STATUSES[404],
  lease_over: PROBLEM_STATUSES[409],
  lease_money_open: PROBLEM_STATUSES[409],
  journey_not_found: PROBLEM_STATUSES[404],
  journey_over: PROBLEM_STATUSES[409],
  journey_busy: PROBLEM_STATUSES[409],
  journey_money_open: PROBLEM_STATUSES[409],
  journey_not_movable: PROBLEM_STATUSES[409],
  bill_unusable: PROBLEM_STATUSES[502],
  bill_paid: PROBLEM_STATUSES[409],
  part_invalid: PROBLEM_STATUSES[400],
  part_exceeds_outstanding: PROBLEM_STATUSES[400],
  item_not_on_bill: PROBLEM_STATUSES[400],
  item_share_taken: PROBLEM_STATUSES[409],
  table_payment_id_reused: PROBLEM_STATUSES[409],
  card_transaction_unusable: PROBLEM_STATUSES[409],
  order_placement_not_found: PROBLEM_STATUSES[404],
  order_not_placeable: PROBLEM_STATUSES[409],
  epos_cannot_order: PROBLEM_STATUSES[409],
  payment_intent_held_for_order: PROBLEM_STATUSES[409],
  payment_intent_is_deposit: PROBLEM_STATUSES[409],
  reservation_not_found: PROBLEM_STATUSES[404],
  party_not_found: PROBLEM_STATUSES[404],
  booking_refused: PROBLEM_STATUSES[409],
  epos_cannot_book: PROBLEM_STATUSES[409],
  epos_unreachable: PROBLEM_STATUSES[503],
  epos_unanswered: PROBLEM_STATUSES[504],
} as const satisfies Record<RefusalCode, ProblemSpec>;

/** Failures that are no refusal: the request could not be read, or the service failed. */
const FAILURES = {
  request_malformed: PROBLEM_STATUSES[400],
  request_timeout: PROBLEM_STATUSES[408],
  header_fields_too_large: PROBLEM_STATUSES[431],
  internal_error: PROBLEM_STATUSES[500],
} as const satisfies Record<string, ProblemSpec>;

/** Why a request failed, as a value for programs. The list is closed; a later release may add to it. */
export type ProblemReason = RefusalCode | keyof typeof FAILURES;
export const PROBLEMS_BY_REASON: Readonly<Record<ProblemReason, ProblemSpec>> = { ...PROBLEMS, ...FAILURES };
/** The failures that any operation may answer. */
export const COMMON_FAILURES = Object.keys(FAILURES) as readonly (keyof typeof FAILURES)[];
export const PROBLEM_REASONS: readonly [ProblemReason, ...ProblemReason[]] = [...REFUSAL_CODES, ...COMMON_FAILURES];

/** The path of the error catalogue in every HTTP app. */
export const CATALOGUE_PATH = '/errors';

/** The values of `code` for terminals and terminal sessions, beside the status. */
const PROBLEM_CODES = ['INVALID_REQUEST', 'TERMINAL_UNAVAILABLE', 'INTERNAL_ERROR'] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** The body of every failure, `application/problem+json`. */
export const Problem = z
  .object({
    type: z.url().meta({ description: 'Names the kind of problem.' }),
    title: z.string().describe('Short summary of the status.'),
    status: z.int().min(400).max(599).describe('HTTP status of the answer.'),
    detail: z.string().meta({ description: 'A sentence for the person who reads the log.' }),
    traceId: z.string().meta({ description: 'W3C trace parent of the failed request; also in the header `trace-id`.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .meta({ description: 'Messages by member path or header name; empty when no member is at fault.' }),
    reason: z
      .enum(PROBLEM_REASONS)
      .meta({
        id: 'ProblemReason',
        description: 'Why the request failed, for programs. Later releases may add values.',
      })
      .describe('The cause, as a value of the error catalogue. Programs decide by it, not by `detail`.'),
    documentation: z.string().meta({
      format: 'uri-reference',
      description:
        'The page about `reason` in the error catalogue, relative to the address that was called: ' +
        'the service itself answers it.',
    }),
    code: z.enum(PROBLEM_CODES).optional().meta({ description: 'Terminals and terminal sessions only.' }),
    capability: z
      .enum(LACKING)
      .optional()
      .meta({ description: 'With the reason `acquirer_lacks_capability`: what the acquirer cannot do.' }),
    statusCode: z.int().optional().meta({ description: "Payers' operations only: `status`, in the form of a result." }),
    message: z.string().optional().describe('Payers’ operations only: `detail`, in the form of a result.'),
    authCode: z.literal('').optional().describe('Payers’ operations only: empty, because nothing was approved.'),
    transactionId: z
      .literal('')
      .optional()
      .describe('Payers’ operations only: empty, because there is no transaction.'),
  })
  .meta({
    id: 'Problem',
    examples: [
      {
        type: PROBLEM_STATUSES[400].type,
        title: VALIDATION_TITLE,
        status: 400,
        detail: 'The request cannot be accepted as it is.',
        traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        errors: { reference: ['Is required.'] },
        reason: 'validation_failed',
        documentation: '/errors#validation_failed',
      },
    ],
  });
export type Problem = z.output<typeof Problem>;

/** A failure in the form of the API; its member order is the order on the wire. */
export function presentProblem(
  reason: ProblemReason,
  {
    detail,
    traceId,
    errors,
    code,
    capability,
    isResult = false,
  }: {
    detail: string;
    traceId: string;
    errors: RefusalMembers;
    code?: ProblemCode;
    capability?: LackingCapability | undefined;
    isResult?: boolean;
  },
): Problem {
  const spec = PROBLEMS_BY_REASON[reason];
  const hasMembers = Object.keys(errors).length > 0;
  return {
    type: spec.type,
    title: spec.status === 400 && hasMembers ? VALIDATION_TITLE : spec.title,
    status: spec.status,
    detail,
    traceId,
    errors: Object.fromEntries(Object.entries(errors).map(([member, messages]) => [member, [...messages]])),
    reason,
    documentation: `${CATALOGUE_PATH}#${reason}`,
    ...(code !== undefined && { code }),
    ...(capability !== undefined && { capability }),
    ...(isResult && { statusCode: spec.status, message: detail, authCode: '', transactionId: '' }),
  };
}

/** The `code` of a failed terminal operation. */
export function problemCode(status: number, refusal: RefusalCode | null): ProblemCode {
  if (refusal === 'terminal_unavailable') return 'TERMINAL_UNAVAILABLE';
  return status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST';
}

/** All reasons with this status, in the order of the catalogue. */
export function reasonsWithStatus(reasons: readonly ProblemReason[], status: number): readonly ProblemReason[] {
  return PROBLEM_REASONS.filter((reason) => reasons.includes(reason) && PROBLEMS_BY_REASON[reason].status === status);
}
