import {
  AvsResult,
  type Booking,
  BookingKind,
  BookingStatus,
  type Capabilities,
  type CardSummary,
  Outcome,
  type Result,
} from '@pos/grpc-contracts/acquirer';
import type { Call, CallDetails, Outcome as StoredOutcome } from '../calls/call.js';
import { CURRENCY_DECIMALS, parseDecimal } from '../processor/decimal-amount.js';
import type { ProcessorEntry } from '../processor/processor-client.js';

/** What the processor can do, and what the adapter adds. */
export const CAPABILITIES: Capabilities = {
  ...{ adapterName: 'reference adapter', adapterVersion: '', cardSchemes: [], wallets: [] },
  currencies: [...CURRENCY_DECIMALS.keys()],
  ...{ separateCapture: true, partialCapture: true, multipleCaptures: true, incrementalAuthorisation: true },
  ...{ partialRefund: true, multipleRefunds: true, unreferencedRefund: false, refundWindow: undefined },
  ...{ reversalAfterCapture: true, partialReversal: true, reversalOfUnknownReference: true },
  ...{ notFoundFinalAfter: undefined, inquiryHorizon: undefined, challenge: true, cardVerification: true },
  ...{ merchantInitiated: true, cardholderNotPresent: true, bookedList: true },
};

const OUTCOMES = {
  APPROVED: Outcome.OUTCOME_APPROVED,
  DECLINED: Outcome.OUTCOME_DECLINED,
  FAILED: Outcome.OUTCOME_FAILED,
  CHALLENGED: Outcome.OUTCOME_CHALLENGED,
  REVERSED: Outcome.OUTCOME_REVERSED,
} as const satisfies Record<StoredOutcome, Outcome>;

const SCHEMES = new Map([
  ['visa', 'VISA'],
  ['mc', 'MASTERCARD'],
]);

const KINDS = {
  authorization: BookingKind.BOOKING_KIND_AUTHORISE,
  capture: BookingKind.BOOKING_KIND_CAPTURE,
  refund: BookingKind.BOOKING_KIND_REFUND,
  increment: BookingKind.BOOKING_KIND_INCREASE,
  void: BookingKind.BOOKING_KIND_REVERSE,
  release: BookingKind.BOOKING_KIND_REVERSE,
} as const satisfies Record<ProcessorEntry['type'], BookingKind>;

/** A call as Inquire shows it. */
export function toResult(call: Call): Result {
  const { details } = call;
  const outcome = findOutcome(call);
  const isChallenged = outcome === Outcome.OUTCOME_CHALLENGED && details.challenge !== undefined;
  return {
    reference: call.reference,
    outcome,
    transactionId: outcome === Outcome.OUTCOME_IN_PROGRESS ? '' : call.transactionId,
    authCode: details.authCode ?? '',
    processedAt: isChallenged ? undefined : (call.decidedAt ?? undefined),
    amount: details.total === undefined ? call.amount : BigInt(details.total),
    currency: call.currency,
    message: details.message ?? '',
    avsResult: AvsResult.AVS_RESULT_UNSPECIFIED,
    challenge: isChallenged ? toChallenge(details.challenge) : undefined,
    card: details.card === undefined ? undefined : toCard(details.card),
    originalReference: call.originalReference ?? '',
    challengePassed: details.challengePassed ?? false,
  };
}

/** An authorisation as Authorise and CompleteChallenge show it: a reversed one is declined. */
export function toAuthorisationResult(call: Call): Result {
  const result = toResult(call);
  return result.outcome === Outcome.OUTCOME_REVERSED ? { ...result, outcome: Outcome.OUTCOME_DECLINED } : result;
}

/** The result for a reference that no call has. */
export function toUnknownResult(reference: string): Result {
  return {
    ...{ reference, outcome: Outcome.OUTCOME_NOT_FOUND, transactionId: '', authCode: '', processedAt: undefined },
    ...{ amount: 0n, currency: '', message: '', avsResult: AvsResult.AVS_RESULT_UNSPECIFIED, challenge: undefined },
    ...{ card: undefined, originalReference: '', challengePassed: false },
  };
}

/** A line of the processor's books. A line that no call has keeps the processor's reference, so that it is noticed. */
export function toBooking(entry: ProcessorEntry, calls: ReadonlyMap<string, Call>): Booking {
  const authorisation = calls.get(entry.order_ref);
  const own = entry.op_ref === null ? authorisation : calls.get(entry.op_ref);
  return {
    reference: own?.reference ?? entry.op_ref ?? entry.order_ref,
    originalReference: entry.op_ref === null ? '' : (authorisation?.reference ?? entry.order_ref),
    kind: KINDS[entry.type],
    amount: parseDecimal(entry.amount, entry.currency),
    currency: entry.currency,
    bookedAt: new Date(entry.at),
    status: entry.voided ? BookingStatus.BOOKING_STATUS_REVERSED : BookingStatus.BOOKING_STATUS_BOOKED,
    transactionId: own?.transactionId ?? '',
    terminalId: '',
  };
}

function findOutcome({ outcome }: Call): Outcome {
  return outcome === null ? Outcome.OUTCOME_IN_PROGRESS : OUTCOMES[outcome];
}

function toChallenge({ url, request, data }: NonNullable<CallDetails['challenge']>) {
  return { stepUpUrl: url, paReq: request, md: data };
}

function toCard({ bin, last4, brand, expiry, holder }: NonNullable<CallDetails['card']>): CardSummary {
  const [month = '0', year = '0'] = expiry.split('/');
  return {
    ...{ maskedNumber: `${bin}******${last4}`, last4Pan: last4, scheme: SCHEMES.get(brand) ?? '' },
    ...{ fundingType: 'Unknown', expiryMonth: Number(month), expiryYear: Number(year), cardholderName: holder },
  };
}
