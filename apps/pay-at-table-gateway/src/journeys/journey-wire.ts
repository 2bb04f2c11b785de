import { type Bill, computeOutstanding, type TablePaymentState } from '@pos/core/tables';
import { money } from '@pos/core/money';
import { type JourneyState, listPaidShares, type PartRequest } from '@pos/core/journeys';
import {
  type Journey as JourneyMessage,
  type JourneyPayment,
  JourneyPaymentState as WirePaymentState,
  JourneyState as WireState,
  type TakePaymentRequest,
} from '@pos/grpc-contracts/gateway';
import type { Bill as BillMessage } from '@pos/grpc-contracts/tables';
import type { JourneyPaymentView, JourneyView } from '@pos/payments/tables';
import { createParseRefusal } from '../devices/device-request.js';

/** The journey in the form of the contract. */
export function presentJourney(
  { journey, lease, payments, version }: JourneyView,
  links: PaymentLinkBuilder,
): JourneyMessage {
  return {
    journeyId: journey.id,
    sessionId: journey.sessionId,
    sessionName: journey.sessionName,
    state: WIRE_STATES[journey.state],
    bill: presentBill(journey.bill),
    outstanding: BigInt(computeOutstanding(journey.bill).value),
    currency: journey.currencyCode,
    payments: payments.map((payment) => presentPayment(payment, links)),
    leaseExpiresAt: lease?.expiresAt,
    version: BigInt(version),
    terminalId: journey.requestor.type === 'cardMachine' ? journey.requestor.terminalId : undefined,
    paidItems: listPaidShares(journey.bill, journey.plan.split).map(({ itemId, numerator, denominator }) => ({
      ...{ itemId, numerator: BigInt(numerator), denominator: BigInt(denominator) },
    })),
  };
}

/** Builds the addresses of payment pages for payers' own devices. */
export class PaymentLinkBuilder {
  constructor(private readonly checkoutBaseUrl: string) {}

  buildLink(intentId: string): string {
    return `${this.checkoutBaseUrl}/checkout/${intentId}`;
  }
}

/** A checked bill in the form of the contract. */
export function presentBill(bill: Bill): BillMessage {
  return {
    sessionId: bill.sessionId,
    totalAmount: BigInt(bill.total.value),
    paidAmount: BigInt(bill.paid.value),
    taxAmount: BigInt(bill.tax.value),
    serviceCharge: bill.serviceCharge === null ? undefined : BigInt(bill.serviceCharge.value),
    currency: bill.total.currencyCode,
    note: bill.note ?? undefined,
    items: bill.items.map(({ amountPerItem, lastOrderedAt, category, modifiers, ...item }) => ({
      ...item,
      category: [...category],
      amountPerItem: BigInt(amountPerItem.value),
      lastOrderedAt: lastOrderedAt ?? undefined,
      modifiers: modifiers.map(({ amountPerModifier, ...modifier }) => ({
        ...modifier,
        amountPerModifier: BigInt(amountPerModifier.value),
      })),
    })),
  };
}

/** The requested part. The currency of an amount is the journey's, so the caller that has the journey adds it. */
export function readPart(mode: TakePaymentRequest['mode'], currencyCode: string): PartRequest {
  if (mode === undefined) throw createParseRefusal('mode', 'is missing');
  switch (mode.$case) {
    case 'full':
      return { mode: 'FULL' };
    case 'equal':
      return { mode: 'EQUAL', people: mode.value.people };
    case 'custom':
      return { mode: 'CUSTOM', amount: money(readAmount('custom.amount', mode.value.amount), currencyCode) };
    case 'items':
      return { mode: 'ITEMS', shares: mode.value.items.map((share) => ({ ...share })) };
  }
}

/** Whole minor units, 0 or more. */
export function readAmount(member: string, amount: bigint): number {
  if (amount < 0n || amount > AMOUNT_MAX) throw createParseRefusal(member, `must be between 0 and ${AMOUNT_MAX}`);
  return Number(amount);
}

const AMOUNT_MAX = 999_999_999_999n;

function presentPayment(
  { payment, session, tid, movingToTid }: JourneyPaymentView,
  links: PaymentLinkBuilder,
): JourneyPayment {
  const { intentId } = payment;
  return {
    paymentId: payment.id,
    state: WIRE_PAYMENT_STATES[payment.state],
    baseAmount: BigInt(payment.base.value),
    gratuityAmount: BigInt(payment.gratuity.value),
    cashbackAmount: BigInt(payment.cashback.value),
    paymentIntentId: intentId ?? undefined,
    terminalSessionId: payment.terminalSessionId ?? undefined,
    terminalSessionStatus: session?.status,
    detail: payment.lastError ?? '',
    updatedAt: payment.updatedAt,
    terminalId: tid ?? undefined,
    movingToTerminalId: movingToTid ?? undefined,
    paymentLink: intentId === null || payment.terminalSessionId !== null ? undefined : links.buildLink(intentId),
  };
}

/** The map is total: a state that is added on one side breaks the build here. */
const WIRE_STATES = {
  OPEN: WireState.JOURNEY_STATE_OPEN,
  PAYING: WireState.JOURNEY_STATE_PAYING,
  RECORDING: WireState.JOURNEY_STATE_RECORDING,
  BLOCKED: WireState.JOURNEY_STATE_BLOCKED,
  FINISHED: WireState.JOURNEY_STATE_FINISHED,
  ABANDONED: WireState.JOURNEY_STATE_ABANDONED,
} as const satisfies Record<JourneyState, WireState>;

const WIRE_PAYMENT_STATES = {
  // A payment of a journey is taken by the service, so it is never in this state.
  Unproved: WirePaymentState.JOURNEY_PAYMENT_STATE_NEEDS_OPERATOR,
  Started: WirePaymentState.JOURNEY_PAYMENT_STATE_STARTED,
  Approved: WirePaymentState.JOURNEY_PAYMENT_STATE_APPROVED,
  Recording: WirePaymentState.JOURNEY_PAYMENT_STATE_RECORDING,
  RecordUnknown: WirePaymentState.JOURNEY_PAYMENT_STATE_RECORD_UNKNOWN,
  Recorded: WirePaymentState.JOURNEY_PAYMENT_STATE_RECORDED,
  Refused: WirePaymentState.JOURNEY_PAYMENT_STATE_REFUSED,
  GivingBack: WirePaymentState.JOURNEY_PAYMENT_STATE_GIVING_BACK,
  GivenBack: WirePaymentState.JOURNEY_PAYMENT_STATE_GIVEN_BACK,
  Ended: WirePaymentState.JOURNEY_PAYMENT_STATE_ENDED,
  NeedsOperator: WirePaymentState.JOURNEY_PAYMENT_STATE_NEEDS_OPERATOR,
} as const satisfies Record<TablePaymentState, WirePaymentState>;
