import { assert, cutStorableText, requireValue, toStorable } from '@pos/core/refusals';
import {
  ACQUIRER_TRANSACTION_ID_LENGTH_MAX,
  type Approval,
  type AvsResult,
  CARD_FUNDING_TYPES,
  type CardDetails,
  type Decline,
  type DigitsViolation,
  findLastDay,
  readShownDigits,
  toCardType,
  toTransactionIds,
  type TransactionIds,
  type VisibleDigits,
} from '@pos/core/cards';
import { money, type Money } from '@pos/core/money';
import type { AcquirerAnswer, AcquirerBooking } from '@pos/core/acquirer';
import {
  AvsResult as WireAvs,
  type Booking,
  BookingKind,
  BookingStatus,
  type CardSummary,
  Outcome,
  type Result,
} from '@pos/grpc-contracts/acquirer';

/**
 * What the acquirer said, in our words; every text in it can be stored. An outcome that this release does not know is no
 * outcome.
 */
export function answerFromWire(sent: Result): AcquirerAnswer {
  const result = toStorable(sent);
  switch (result.outcome) {
    case Outcome.OUTCOME_APPROVED:
      return toApprovedAnswer(result);
    case Outcome.OUTCOME_DECLINED:
      return { outcome: 'declined', decline: toDecline(result, 'DECLINED') };
    case Outcome.OUTCOME_REFERRED:
      return { outcome: 'declined', decline: toDecline(result, 'REFERRED') };
    case Outcome.OUTCOME_FAILED:
      return { outcome: 'declined', decline: toDecline(result, 'FAILED') };
    case Outcome.OUTCOME_CHALLENGED: {
      const { stepUpUrl, paReq, md } = requireValue(result.challenge, 'the challenge');
      const { transactionId } = toIds(result);
      return { outcome: 'challenged', transactionId, card: toKnownCard(result), stepUpUrl, paReq, md };
    }
    case Outcome.OUTCOME_IN_PROGRESS:
      return { outcome: 'inProgress' };
    case Outcome.OUTCOME_NOT_FOUND:
      return { outcome: 'notFound' };
    case Outcome.OUTCOME_REVERSED:
      return { outcome: 'reversed' };
    case Outcome.OUTCOME_UNSPECIFIED:
    case Outcome.UNRECOGNIZED:
      return { outcome: 'unknown', reason: `an outcome that is not known here: ${result.outcome}` };
  }
}

/** Why digits of the card in an answer are left out: null where they can be read, and where there is no card. */
export function findDigitsProblem(sent: Result): DigitsViolation | null {
  const { card } = toStorable(sent);
  return card === undefined ? null : readDigits(card).fault;
}

/** One line of the acquirer's books. */
export function bookingFromWire(sent: Booking): AcquirerBooking {
  const booking = toStorable(sent);
  const kind = BOOKING_KINDS[booking.kind];
  const status = BOOKING_STATUSES[booking.status];
  assert(kind !== null && status !== null, `a booking of a kind that is not known here: ${booking.kind}`);
  return {
    reference: booking.reference,
    originalReference: booking.originalReference === '' ? null : booking.originalReference,
    kind,
    status,
    amount: money(toMinorUnits(booking.amount), booking.currency),
    bookedAt: requireValue(booking.bookedAt, 'the time of a booking'),
    transactionId: booking.transactionId,
    tid: booking.terminalId,
  };
}

const BOOKING_KINDS = {
  [BookingKind.BOOKING_KIND_UNSPECIFIED]: null,
  [BookingKind.BOOKING_KIND_AUTHORISE]: 'Authorise',
  [BookingKind.BOOKING_KIND_CAPTURE]: 'Capture',
  [BookingKind.BOOKING_KIND_REFUND]: 'Refund',
  [BookingKind.BOOKING_KIND_REVERSE]: 'Reverse',
  [BookingKind.BOOKING_KIND_INCREASE]: 'Increase',
  [BookingKind.UNRECOGNIZED]: null,
} as const satisfies Record<BookingKind, AcquirerBooking['kind'] | null>;

const BOOKING_STATUSES = {
  [BookingStatus.BOOKING_STATUS_UNSPECIFIED]: null,
  [BookingStatus.BOOKING_STATUS_BOOKED]: 'booked',
  [BookingStatus.BOOKING_STATUS_REVERSED]: 'reversed',
  [BookingStatus.BOOKING_STATUS_DECLINED]: 'declined',
  [BookingStatus.UNRECOGNIZED]: null,
} as const satisfies Record<BookingStatus, AcquirerBooking['status'] | null>;

const AVS = {
  [WireAvs.AVS_RESULT_UNSPECIFIED]: 'NOT_CHECKED',
  [WireAvs.AVS_RESULT_ADDRESS_MATCH_POSTCODE_MATCH]: 'ADDRESS_MATCH_POSTCODE_MATCH',
  [WireAvs.AVS_RESULT_ADDRESS_MATCH_POSTCODE_MISMATCH]: 'ADDRESS_MATCH_POSTCODE_MISMATCH',
  [WireAvs.AVS_RESULT_ADDRESS_MISMATCH_POSTCODE_MATCH]: 'ADDRESS_MISMATCH_POSTCODE_MATCH',
  [WireAvs.AVS_RESULT_ADDRESS_MISMATCH_POSTCODE_MISMATCH]: 'ADDRESS_MISMATCH_POSTCODE_MISMATCH',
  [WireAvs.UNRECOGNIZED]: 'NOT_CHECKED',
} as const satisfies Record<WireAvs, AvsResult>;

/** An approved authorisation shows its card; the yes to a capture, refund or reversal has none. */
function toApprovedAnswer(result: Result): AcquirerAnswer {
  const transactionDateTime = getProcessedAt(result);
  const { card } = result;
  if (card === undefined || result.originalReference !== '') {
    return {
      outcome: 'done',
      transactionId: result.transactionId,
      transactionDateTime,
      amount: findBookedAmount(result),
    };
  }
  const approval: Approval = {
    reference: result.reference,
    ...toIds(result),
    transactionDateTime,
    authCode: result.authCode,
    amount: money(toMinorUnits(result.amount), result.currency),
    card: toCard(card),
    paymentMethodId: null,
    avsResult: AVS[result.avsResult],
  };
  return { outcome: 'approved', approval };
}

function toIds({ reference, transactionId }: Result): TransactionIds {
  return toTransactionIds(reference, cutStorableText(transactionId, ACQUIRER_TRANSACTION_ID_LENGTH_MAX));
}

/** An acquirer may leave the amount out; it is then not compared with anything. */
function findBookedAmount({ amount, currency }: Result): Money | null {
  return currency === '' || amount === 0n ? null : money(toMinorUnits(amount), currency);
}

function toDecline(result: Result, message: Decline['message']): Decline {
  return {
    reference: result.reference,
    ...(result.transactionId === '' ? { transactionId: '' } : toIds(result)),
    transactionDateTime: getProcessedAt(result),
    message,
    ...(result.message !== '' && { said: result.message }),
    card: toKnownCard(result),
  };
}

/** The card of a call that took no money; one of a scheme that nobody here knows is not shown. */
function toKnownCard({ card }: Result): CardDetails | null {
  return card === undefined || toCardType(card.scheme) === 'UNKNOWN' ? null : toCard(card);
}

function toCard(card: CardSummary): CardDetails {
  const { cardNumber, last4PAN } = readDigits(card);
  return {
    ...{ cardNumber, last4PAN },
    cardName: card.cardholderName === '' ? null : card.cardholderName,
    expiryDate: findLastDay({ month: card.expiryMonth, year: card.expiryYear }),
    cardType: toCardType(card.scheme),
    cardFundingType: CARD_FUNDING_TYPES.find((type) => type === card.fundingType) ?? 'Unknown',
    // The acquirer does not report how the card was read, and the machine that would is silent.
    entryMode: 'Unknown',
    verificationMethod: 'None',
  };
}

function readDigits({ maskedNumber, last4Pan }: CardSummary): VisibleDigits {
  return readShownDigits({ maskedNumber, last4: last4Pan });
}

function getProcessedAt({ processedAt }: Result): string {
  return requireValue(processedAt, 'the time of a decision').toISOString();
}

/** Whole minor units, or a defect: an amount beyond 2^53 is never rounded. */
function toMinorUnits(amount: bigint): number {
  const value = Number(amount);
  assert(Number.isSafeInteger(value), `not a safe amount: ${amount}`);
  return value;
}
