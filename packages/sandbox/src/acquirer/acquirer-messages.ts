import {
  AvsResult,
  BookingKind,
  BookingStatus,
  Outcome,
  type Booking,
  type CardSummary,
  type Result,
} from '@pos/grpc-contracts/acquirer';
import type { AvsResult as Avs } from '@pos/core/cards';
import type { BookedKind, CardDetails } from './acquirer-books.js';
import type { SimulatedCallState } from './acquirer-call.js';
import type { BookingLine } from './booking-list.js';

const OUTCOMES = {
  Approved: Outcome.OUTCOME_APPROVED,
  Declined: Outcome.OUTCOME_DECLINED,
  Referred: Outcome.OUTCOME_REFERRED,
  Failed: Outcome.OUTCOME_FAILED,
  Challenged: Outcome.OUTCOME_CHALLENGED,
  InProgress: Outcome.OUTCOME_IN_PROGRESS,
  NotFound: Outcome.OUTCOME_NOT_FOUND,
  Reversed: Outcome.OUTCOME_REVERSED,
} as const satisfies Record<SimulatedCallState['outcome'], Outcome>;

const AVS_RESULTS = {
  ADDRESS_MATCH_POSTCODE_MATCH: AvsResult.AVS_RESULT_ADDRESS_MATCH_POSTCODE_MATCH,
  ADDRESS_MATCH_POSTCODE_MISMATCH: AvsResult.AVS_RESULT_ADDRESS_MATCH_POSTCODE_MISMATCH,
  ADDRESS_MISMATCH_POSTCODE_MATCH: AvsResult.AVS_RESULT_ADDRESS_MISMATCH_POSTCODE_MATCH,
  ADDRESS_MISMATCH_POSTCODE_MISMATCH: AvsResult.AVS_RESULT_ADDRESS_MISMATCH_POSTCODE_MISMATCH,
  NOT_CHECKED: AvsResult.AVS_RESULT_UNSPECIFIED,
} as const satisfies Record<Avs, AvsResult>;

const BOOKING_KINDS = {
  Authorise: BookingKind.BOOKING_KIND_AUTHORISE,
  Increase: BookingKind.BOOKING_KIND_INCREASE,
  Capture: BookingKind.BOOKING_KIND_CAPTURE,
  Refund: BookingKind.BOOKING_KIND_REFUND,
  Reverse: BookingKind.BOOKING_KIND_REVERSE,
} as const satisfies Record<BookedKind, BookingKind>;

const BOOKING_STATUSES = {
  Booked: BookingStatus.BOOKING_STATUS_BOOKED,
  Reversed: BookingStatus.BOOKING_STATUS_REVERSED,
  Declined: BookingStatus.BOOKING_STATUS_DECLINED,
} as const satisfies Record<BookingLine['status'], BookingStatus>;

/**
 * Maps the state of a call to the message that the service reads. An undecided call has no members except its state.
 */
export function presentCallState(callState: SimulatedCallState, stepUpUrl: string): Result {
  const { reference, outcome, amount, call } = callState;
  const avsResult = call?.avsResult ?? 'NOT_CHECKED';
  const challenge = call?.challenge ?? null;
  const card = call?.card ?? null;
  const isDecided = call !== null && outcome !== 'InProgress' && outcome !== 'NotFound';
  return {
    reference,
    outcome: OUTCOMES[outcome],
    transactionId: call?.transactionId ?? '',
    authCode: isDecided ? call.authCode : '',
    processedAt: isDecided && outcome !== 'Challenged' ? new Date(call.bookedAt) : undefined,
    amount: BigInt(amount?.value ?? 0),
    currency: amount?.currencyCode ?? '',
    message: isDecided ? call.message : '',
    avsResult: AVS_RESULTS[avsResult],
    challenge:
      outcome === 'Challenged' && challenge !== null
        ? { stepUpUrl, paReq: Buffer.from(reference).toString('base64url'), md: challenge.md }
        : undefined,
    card: card === null ? undefined : presentCard(card),
    originalReference: call?.originalReference ?? '',
    challengePassed: call?.isChallengePassed ?? false,
  };
}

/** Maps a line of the list. */
export function presentBooking(line: BookingLine): Booking {
  return {
    reference: line.reference,
    originalReference: line.originalReference ?? '',
    kind: BOOKING_KINDS[line.kind],
    amount: BigInt(line.amount.value),
    currency: line.amount.currencyCode,
    bookedAt: line.bookedAt,
    status: BOOKING_STATUSES[line.status],
    transactionId: line.transactionId,
    terminalId: line.terminalId ?? '',
  };
}

function presentCard(card: CardDetails): CardSummary {
  return {
    maskedNumber: card.maskedNumber,
    last4Pan: card.last4,
    scheme: card.scheme ?? '',
    fundingType: card.fundingType,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cardholderName: card.cardholderName,
  };
}
