import { randomUUID } from 'node:crypto';
import { add, formatMoney, type Money, money, subtract } from '@pos/core/money';
import {
  type Journey,
  type JourneyPayment,
  JourneyPaymentState,
  JourneyState,
  type TakePaymentRequest,
} from '@pos/grpc-contracts/gateway';
import type { Session } from '@pos/grpc-contracts/tables';
import type { Client } from '@pos/rest-contracts/client';
import type { WebhookEvent } from '@pos/rest-contracts/webhooks';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { listEposLocks, listEposPayments } from '@pos/rest-contracts/sandbox';
import { readTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import type { TableDevice } from './table-device.js';
import type { WebhookListener } from './webhook-listener.js';

/** The services and the devices of the scenario. */
export interface DemoContext {
  readonly device: TableDevice;
  readonly tid: string;
  readonly api: Client;
  readonly sandbox: Client;
  readonly accountId: string;
  readonly service: WebhookListener;
  readonly printLine: (line: string) => void;
}

const PAYMENT_MS_MAX = 120_000;
const WEBHOOK_MS_MAX = 60_000;
/** States where a payment can end or stop without being on the bill. */
const NOT_RECORDED = [
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_ENDED,
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_GIVEN_BACK,
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_NEEDS_OPERATOR,
];

/** A table pays its bill in two parts, each with a tip. Throws one sentence at the first step that fails. */
export async function payTableInTwoParts(cast: DemoContext): Promise<void> {
  const { device, printLine, tid } = cast;
  const { journey, session } = await openTable(cast);
  const { journeyId, currency } = journey;
  const total = money(Number(journey.outstanding), currency);

  const half: TakePaymentRequest['mode'] = { $case: 'equal', value: { people: 2 } };
  printLine(`\nThe first guest pays half.`);
  const first = await payPart(cast, journey, half);
  printLine(`The second guest pays the rest.`);
  const rest: TakePaymentRequest['mode'] = { $case: 'full', value: {} };
  const second = await payPart(cast, await openJourney(cast, journeyId), rest);

  const paid = add(first.base, second.base);
  assertStep(
    paid.value === total.value,
    `the two parts come to ${formatAmount(paid)}, the bill is ${formatAmount(total)}`,
  );
  const finished = await device.finishJourney(journeyId);
  assertStep(
    finished.state === JourneyState.JOURNEY_STATE_FINISHED,
    `the journey ends as ${JourneyState[finished.state]}`,
  );
  printLine(
    `${nameOf(session)} has paid ${formatAmount(total)} and ${formatAmount(add(first.tip, second.tip))} in tips; the table is unlocked.`,
  );
  await checkRestaurant(cast, session, [first, second]);
  printLine(`The restaurant has both payments in its books, and machine ${tid} is free again.`);
}

async function openTable({ device, printLine, tid }: DemoContext): Promise<{ journey: Journey; session: Session }> {
  const sessions = await device.payableSessions();
  assertStep(sessions.length > 0, 'no table has a bill to pay');
  printLine(`${sessions.length} tables have a bill to pay: ${sessions.map(nameOf).join(', ')}.`);
  for (const session of sessions) {
    const journey = await device.startJourney(session.id).catch((error: unknown) => {
      // Another device, or a demo that was killed, holds this one.
      if (error instanceof Error && 'code' in error && error.code === ABORTED) return null;
      throw error;
    });
    if (journey === null || journey.outstanding < 2n) continue;
    const outstanding = money(Number(journey.outstanding), journey.currency);
    printLine(
      `${nameOf(session)} asks for the bill: ${formatAmount(outstanding)} for ${journey.bill?.items.length ?? 0} lines.`,
    );
    printLine(`It is locked for machine ${tid}, so that nobody changes it meanwhile.`);
    printLine(`  session  ${session.id}\n  journey  ${journey.journeyId}`);
    return { journey, session };
  }
  throw new Error('every table is being paid by another device');
}

interface PaidPart {
  readonly paymentId: string;
  readonly intentId: string;
  readonly base: Money;
  readonly tip: Money;
}

async function payPart(cast: DemoContext, journey: Journey, mode: TakePaymentRequest['mode']): Promise<PaidPart> {
  const { device, tid, printLine } = cast;
  const { journeyId, currency } = journey;
  const outstanding = money(Number(journey.outstanding), currency);
  const base = mode?.$case === 'equal' ? computeHalf(outstanding) : outstanding;
  const tip = computeTip(base);
  const paymentId = randomUUID();
  printLine(
    `  payment  ${paymentId}: ${formatAmount(base)} and a tip of ${formatAmount(tip)}, ${formatAmount(add(base, tip))} in all`,
  );
  await device.takePayment({
    ...{ journeyId, paymentId, mode },
    gratuityAmount: BigInt(tip.value),
    cashbackAmount: 0n,
    terminalId: tid,
  });
  const payment = await waitForRecord(cast, journeyId, paymentId);
  assertStep(
    payment.baseAmount === BigInt(base.value),
    `${payment.baseAmount} went on the bill instead of ${base.value}`,
  );
  await checkMoney(cast, payment, add(base, tip));
  printLine('');
  return { paymentId, intentId: payment.paymentIntentId ?? '', base, tip };
}

/** Prints the notifications of the machine and the states of the payment, until the payment is on the bill. */
async function waitForRecord(
  { device, printLine }: DemoContext,
  journeyId: string,
  paymentId: string,
): Promise<JourneyPayment> {
  let lastState = '';
  for await (const journey of device.watch(journeyId, PAYMENT_MS_MAX)) {
    const payment = journey.payments.find((each) => each.paymentId === paymentId);
    if (payment === undefined) continue;
    const news = listEventsOf(payment);
    if (news !== lastState) printLine(`  ${news}`);
    lastState = news;
    assertStep(
      !NOT_RECORDED.includes(payment.state),
      `the payment is not on the bill: ${getState(payment.state)} ${payment.detail}`,
    );
    const isOver = payment.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
    if (isOver && journey.state === JourneyState.JOURNEY_STATE_OPEN) return payment;
  }
  throw new Error('the journey ended before the payment was on the bill');
}

/** The API and the webhooks report the same payment. */
async function checkMoney(
  { api, service, printLine }: DemoContext,
  payment: JourneyPayment,
  total: Money,
): Promise<void> {
  const paymentIntentId = payment.paymentIntentId ?? '';
  const terminalSessionId = payment.terminalSessionId ?? '';
  assertStep(paymentIntentId !== '' && terminalSessionId !== '', 'the payment names no intent or no terminal session');
  const intent = await api(readPaymentIntent, { params: { paymentIntentId } });
  const session = await api(readTerminalSession, { params: { terminalSessionId } });
  assertStep(intent.status === 'Captured', `the intent is ${intent.status}`);
  assertStep(intent.totalAmount.value === total.value, `the intent is over ${formatAmount(intent.totalAmount)}`);
  printLine(`  intent   ${paymentIntentId} is ${intent.status}: ${formatAmount(total)}`);
  printLine(`  machine  ${terminalSessionId} is ${session.status}: ${session.paymentDetails?.maskedPan ?? 'no card'}`);

  const ids = [paymentIntentId, terminalSessionId];
  const hasEvent = (kind: string, state: string): boolean =>
    service.about(ids).some((event) => event.event === kind && findStateInEvents(event) === state);
  await service.until(
    () =>
      hasEvent('payment_intent.created', 'Created') &&
      hasEvent('payment_intent.status_updated', intent.status) &&
      hasEvent('terminal_session.status_updated', session.status),
    {
      withinMs: WEBHOOK_MS_MAX,
      missing: `the webhooks of ${paymentIntentId} and ${terminalSessionId} did not all arrive`,
    },
  );
  for (const event of service.about(ids)) printLine(`  webhook  ${event.event.padEnd(32)} ${findStateInEvents(event)}`);
}

async function checkRestaurant(cast: DemoContext, session: Session, parts: readonly PaidPart[]): Promise<void> {
  const { sandbox, accountId, device } = cast;
  const bill = await device.bill(session.id);
  assertStep(
    bill.paidAmount === bill.totalAmount,
    `${bill.paidAmount} of ${bill.totalAmount} is paid at the restaurant`,
  );
  const params = { accountId };
  const { payments, orderPayments } = await sandbox(listEposPayments, { params });
  for (const { paymentId, intentId, base, tip } of parts) {
    // Each EPOS books it under one of these two ids, as its contract defines.
    const booked = [
      ...payments
        .filter((payment) => payment.paymentId === paymentId)
        .map(({ baseAmount, gratuityAmount }) => [baseAmount, gratuityAmount]),
      ...orderPayments
        .filter((payment) => payment.paymentIntentId === intentId)
        .map(({ paidAmount, tipsAmount }) => [paidAmount.value, tipsAmount?.value ?? 0]),
    ];
    assertStep(booked.length === 1, `the restaurant has booked ${paymentId} ${booked.length} times`);
    const isSame = booked[0]?.[0] === base.value && booked[0][1] === tip.value;
    assertStep(isSame, `the restaurant has booked other amounts for ${paymentId}`);
  }
  const { locks } = await sandbox(listEposLocks, { params });
  assertStep(!locks.some(({ sessionId }) => sessionId === session.id), 'the table is still locked at the restaurant');
}

async function openJourney({ device }: DemoContext, journeyId: string): Promise<Journey> {
  for await (const journey of device.watch(journeyId, PAYMENT_MS_MAX)) {
    if (journey.state === JourneyState.JOURNEY_STATE_OPEN) return journey;
  }
  throw new Error('the journey ended before the bill was paid');
}

const ABORTED = 10;

function computeHalf(bill: Money): Money {
  return money(Math.ceil(bill.value / 2), bill.currencyCode);
}

/**
 * At least a tenth, rounded up so that the total is whole pounds: payers do that, and some other endings are refused
 * here.
 */
function computeTip(base: Money): Money {
  const wholePounds = Math.ceil((base.value * 1.1) / 100);
  return subtract(money(wholePounds * 100, base.currencyCode), base);
}

function findStateInEvents({ data }: WebhookEvent): string {
  if ('state' in data) return data.state;
  return 'paymentStatus' in data ? data.paymentStatus : '';
}

function getState(state: JourneyPaymentState): string {
  return JourneyPaymentState[state].replace('JOURNEY_PAYMENT_STATE_', '').toLowerCase().replaceAll('_', ' ');
}

/** The states of a payment in the words of a waiter. */
function listEventsOf({ state, terminalSessionStatus = '', detail }: JourneyPayment): string {
  if (state !== JourneyPaymentState.JOURNEY_PAYMENT_STATE_STARTED)
    return PAYMENT_NEWS[state] ?? `It is ${getState(state)}. ${detail}`;
  return MACHINE_NEWS[terminalSessionStatus] ?? `The card machine says ${terminalSessionStatus}.`;
}

const MACHINE_NEWS: Readonly<Record<string, string>> = {
  InitiateRequested: 'The card machine receives the session.',
  Initiated: 'The card machine asks for the card.',
  Authorized: 'The card is approved.',
  Captured: 'The card is approved.',
};

const PAYMENT_NEWS: Readonly<Partial<Record<JourneyPaymentState, string>>> = {
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_APPROVED]: 'The money is taken.',
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDING]: 'The restaurant is asked to put it on the bill.',
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORD_UNKNOWN]: 'The restaurant has not answered; it is asked again.',
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED]: 'It is on the bill.',
};

function nameOf({ name, tableName }: Session): string {
  return tableName === undefined ? name : `${tableName} - ${name}`;
}

function formatAmount(amount: Money): string {
  return formatMoney(amount, 'en-GB');
}

function assertStep(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}
