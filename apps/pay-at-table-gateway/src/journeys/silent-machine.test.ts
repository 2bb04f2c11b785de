import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import type { TablePayment } from '@pos/core/table-payment';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import type { JourneyView } from '@pos/payments/journeys';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import { listPendingPayments } from '@pos/payments/open-table-payments';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { CardSide, CONFIRMED } from './testing-cards.js';
import { refusalOf, TableStage } from './testing.js';

// A card machine that nobody hears of any more may still be at the acquirer: epos.md 11.4, "meanwhile no second payment".

jest.setTimeout(30_000);

let stage: TableStage;
let cards: CardSide;
let gateway: Tables;
let acquirer: AcquirerClient;
let worker: AcquirerCalls;
beforeAll(async () => {
  stage = await TableStage.open();
  cards = new CardSide(stage);
  gateway = await stage.gateway();
  acquirer = new AcquirerClient(stage.parts.address);
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  worker = new AcquirerCalls({ database: stage.database, acquirer, accounts: new AccountCache(), settings });
});
afterAll(async () => {
  acquirer.close();
  await stage.close();
});

interface Silent {
  readonly begun: JourneyView;
  readonly payment: TablePayment;
}

/** A payment that is called off on a machine which has fallen silent; its reversal is ordered and waits for its worker. */
async function calledOff(): Promise<Silent> {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  const payment = await stage.paymentOf(paymentId);
  await cards.says(payment, CONFIRMED);
  await gateway.desk.cancelPayment(stage.scope, paymentId);
  await cards.windowPasses(payment);
  const open = await cards.callOfMachine(payment);
  await cards.reversalComesDue(open);
  expect(await worker.pursueCall(stage.scope, open.reference)).toBe('over');
  return { begun, payment };
}

function takeAgain({ begun }: Silent, at = gateway): Promise<string> {
  return refusalOf(stage.take(at, begun, { mode: 'FULL', tid: stage.freshTid() }));
}

async function reverse(payment: TablePayment): Promise<void> {
  const { reverseReference } = await cards.callOfMachine(payment);
  expect(await worker.pursueCall(stage.scope, required(reverseReference, 'the reversal'))).toBe('over');
}

test('no second card is asked for before the money of a silent machine is certainly back', async () => {
  const silent = await calledOff();
  const { payment, begun } = silent;
  // Cut off from us, the machine still reaches the acquirer: the guest's money is held once.
  await stage.takeCard(payment);
  await cards.looksAt(payment);
  expect((await stage.paymentOf(payment.id)).state).toBe('Started');
  expect(await takeAgain(silent)).toBe('journey_busy');
  expect(await refusalOf(gateway.desk.finish(stage.scope, begun.journey.id))).toBe('journey_money_open');

  await reverse(payment);
  const ended = await stage.arrives(payment.id, 'Ended');
  expect(ended.lastError).toBe('expired');
  expect(await cards.callOfMachine(payment)).toMatchObject({ state: 'Settled', outcome: 'Reversed' });
  expect(await takeAgain(silent)).toBe('done');
});

test('a table whose acquirer does not take the money back is on the pending list after a minute, until it does', async () => {
  const { payment } = await calledOff();
  const pending = async () => {
    const lines = await stage.database.read(stage.scope, async (reader) => listPendingPayments(reader, new Date()));
    return lines.find((line) => line.payment.id === payment.id) ?? null;
  };
  await cards.looksAt(payment);
  expect(await pending()).toBeNull();
  await cards.reversalWaits(payment);
  await cards.looksAt(payment);
  expect(await pending()).toMatchObject({ isAlarming: true, payment: { state: 'Started' } });
  await reverse(payment);
  await stage.arrives(payment.id, 'Ended');
  expect(await pending()).toBeNull();
});

test('a gateway that is started anew waits for the same reversal', async () => {
  const silent = await calledOff();
  const other = await stage.gateway();
  await cards.looksAt(silent.payment);
  expect(await takeAgain(silent, other)).toBe('journey_busy');
  await reverse(silent.payment);
  await stage.arrives(silent.payment.id, 'Ended');
  expect(await takeAgain(silent, other)).toBe('done');
});

test('a signature that was refused frees the table once the money is back, not when that is ordered', async () => {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  const payment = await stage.paymentOf(paymentId);
  await stage.approve(payment, { isSignatureRequired: true });
  await gateway.desk.decideSignature(stage.scope, paymentId, false);
  await cards.looksAt(payment);
  expect(await takeAgain({ begun, payment })).toBe('journey_busy');
  await reverse(payment);
  await stage.arrives(paymentId, 'Ended');
  expect(await takeAgain({ begun, payment })).toBe('done');
});
