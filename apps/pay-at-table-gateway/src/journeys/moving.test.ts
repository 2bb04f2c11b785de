import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { moveJourney } from '@pos/core/journey';
import type { TablePayment } from '@pos/core/table-payment';
import { isFinal } from '@pos/core/terminal-session';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import type { JourneyView } from '@pos/payments/journeys';
import { Leases } from '@pos/payments/leases';
import { listOperatorCallPage } from '@pos/payments/operator-desk';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import { lockJourney, updateJourney } from '@pos/store/journeys';
import { findLease, lockLease } from '@pos/store/leases';
import { findIntent } from '@pos/store/payment-intents';
import { findTerminal } from '@pos/store/terminals';
import { listSessionsOfIntent } from '@pos/store/terminal-sessions';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { CANCELED, CardSide, CONFIRMED } from './testing-cards.js';
import { refusalOf, TableStage, until } from './testing.js';

jest.setTimeout(30_000);

const CALLER = { keyId: 'key_1' } as const;

let stage: TableStage;
let cards: CardSide;
let gateway: Tables;
beforeAll(async () => {
  stage = await TableStage.open();
  cards = new CardSide(stage);
  gateway = await stage.gateway();
});
afterAll(() => stage.close());

interface Moving {
  readonly begun: JourneyView;
  readonly payment: TablePayment;
  readonly to: string;
}

function move(at: Tables, { journey }: JourneyView, tid: string): Promise<JourneyView> {
  return at.desk.move({ scope: stage.scope, ...CALLER }, journey.id, tid);
}

/** A payment whose machine asks for a card, on a journey with another machine at hand. */
async function asking(at = gateway): Promise<Moving> {
  const begun = await stage.begin(at, stage.party());
  const paymentId = randomUUID();
  await stage.take(at, begun, { mode: 'FULL', paymentId });
  return { begun, payment: await stage.paymentOf(paymentId), to: stage.freshTid() };
}

/** On which machines the card was asked for, in this order, and how that ended. */
async function goes({ intentId }: TablePayment): Promise<string[]> {
  return stage.database.read(stage.scope, async (reader) => {
    const sessions = [...(await listSessionsOfIntent(reader, required(intentId, 'the intent')))].sort(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
    );
    return Promise.all(
      sessions.map(
        async ({ terminalId, status }) => `${(await findTerminal(reader, terminalId))?.tid ?? ''} ${status}`,
      ),
    );
  });
}

async function arrivesAt(payment: TablePayment, count: number): Promise<TablePayment> {
  await until(async () => (await goes(payment)).length === count);
  return stage.paymentOf(payment.id);
}

test('a payment goes on at the other machine once the first has ended, and is recorded from there', async () => {
  const { begun, payment, to } = await asking();
  const from = begun.journey.owner;
  await cards.says(payment, CONFIRMED);
  const view = await move(gateway, begun, to);
  expect(view.journey).toMatchObject({ state: 'PAYING', owner: to, requestor: { terminalId: to } });
  expect(view.payments[0]).toMatchObject({ tid: from, movingToTid: to });
  expect(await goes(payment)).toEqual([`${from} CancelRequested`]);
  // Nobody else asks while the first machine may still take the money, however often its payment is looked at.
  await cards.looksAt(payment);
  expect(await goes(payment)).toHaveLength(1);

  await cards.says(payment, CANCELED);
  const asked = await arrivesAt(payment, 2);
  expect([asked.movingTo, asked.state]).toEqual([null, 'Started']);
  await stage.approve(asked);
  await stage.arrives(payment.id, 'Recorded');
  expect(await goes(payment)).toEqual([`${from} Canceled`, `${to} Captured`]);
  expect(stage.recorded(payment.id)).toEqual([payment.base.value]);
  const after = await gateway.desk.get(stage.scope, begun.journey.id);
  expect(after.version).toBeGreaterThan(view.version);
  const { calls } = await stage.database.read(stage.scope, (reader) => listOperatorCallPage(reader, { limit: 1 }));
  expect(calls).toMatchObject([
    { action: 'MoveJourney', subject: begun.journey.id, keyId: 'key_1', note: `from ${from} to ${to}` },
  ]);
});

test("an open journey is the other machine's at once, and the table is unlocked as who has locked it", async () => {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const to = stage.freshTid();
  const { journey } = await move(gateway, begun, to);
  expect([journey.state, journey.owner]).toEqual(['OPEN', to]);
  const lease = await stage.database.read(stage.scope, (reader) => findLease(reader, journey.leaseId));
  expect(lease).toMatchObject({ owner: to, requestor: begun.journey.requestor });
  expect(await refusalOf(stage.begin(gateway, party, begun.journey.owner))).toBe('SESSION_ALREADY_LOCKED');
  expect((await stage.begin(gateway, party, to)).journey.id).toBe(journey.id);
  const again = await move(gateway, begun, to);
  expect(again.journey.version).toBe(journey.version);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  const payment = await stage.paymentOf(paymentId);
  expect(await goes(payment)).toEqual([`${to} InitiateRequested`]);
  await stage.approve(payment);
  await stage.arrives(paymentId, 'Recorded');
  await gateway.desk.finish(stage.scope, journey.id);
  expect(stage.isLocked(party)).toBe(false);
});

test('a card that was approved before the machine heard of the move counts, once', async () => {
  const { begun, payment, to } = await asking();
  await move(gateway, begun, to);
  await stage.approve(payment);
  const recorded = await stage.arrives(payment.id, 'Recorded');
  expect([recorded.movingTo, await goes(payment)]).toEqual([null, [`${begun.journey.owner} Captured`]]);
});

test('a card that was declined meanwhile ends the payment: its guest has chosen the machine', async () => {
  const { begun, payment, to } = await asking();
  await move(gateway, begun, to);
  await stage.decline(payment);
  const ended = await stage.arrives(payment.id, 'Ended');
  expect([ended.lastError, ended.movingTo, (await goes(payment)).length]).toEqual(['declined', null, 1]);
  expect((await gateway.desk.get(stage.scope, begun.journey.id)).journey).toMatchObject({ state: 'OPEN', owner: to });
});

test('a payment that is called off while it moves is asked for nowhere', async () => {
  const { begun, payment, to } = await asking();
  await cards.says(payment, CONFIRMED);
  await move(gateway, begun, to);
  await gateway.desk.cancelPayment(stage.scope, payment.id);
  expect(await refusalOf(move(gateway, begun, stage.freshTid()))).toBe('terminal_session_not_cancelable');
  await cards.says(payment, CANCELED);
  await stage.arrives(payment.id, 'Ended');
  expect(await goes(payment)).toEqual([`${begun.journey.owner} Canceled`]);
});

test('a machine that was taken meanwhile ends the payment, and it may be asked for anew', async () => {
  const { begun, payment, to } = await asking();
  await cards.says(payment, CONFIRMED);
  await move(gateway, begun, to);
  const other = await stage.begin(gateway, stage.party(), to);
  await stage.take(gateway, other, { mode: 'FULL' });
  await cards.says(payment, CANCELED);
  const ended = await stage.arrives(payment.id, 'Ended');
  expect(ended.lastError).toBe(`the payment could not be moved: terminal ${to} is InUse`);
  const intent = await stage.database.read(stage.scope, (reader) => findIntent(reader, payment.intentId ?? ''));
  expect(intent?.status).toBe('Canceled');
  await stage.take(gateway, begun, { mode: 'FULL', tid: stage.freshTid() });
});

test('whoever is killed while a payment moves, another gateway goes on with it', async () => {
  const first = await stage.gateway();
  const { begun, payment, to } = await asking(first);
  await cards.says(payment, CONFIRMED);
  await move(first, begun, to);
  await first.stop();
  await cards.says(payment, CANCELED);
  await stage.age(payment.id, 6_000);
  const asked = await arrivesAt(payment, 2);
  await stage.approve(asked);
  await stage.arrives(payment.id, 'Recorded');
  expect(stage.recorded(payment.id)).toEqual([payment.base.value]);
});

test('a machine that has fallen silent is taken over from once its reversal is made, not when it is ordered', async () => {
  const acquirer = new AcquirerClient(stage.parts.address);
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  const calls = new AcquirerCalls({ database: stage.database, acquirer, accounts: new AccountCache(), settings });
  const { begun, payment, to } = await asking();
  const from = begun.journey.owner;
  await cards.says(payment, CONFIRMED);
  await move(gateway, begun, to);
  await cards.windowPasses(payment);
  expect(await goes(payment)).toEqual([`${from} Expired`]);
  const open = await cards.callOfMachine(payment);
  await cards.reversalComesDue(open);
  expect(await calls.pursueCall(stage.scope, open.reference)).toBe('over');
  const { reverseReference } = await cards.callOfMachine(payment);
  // Cut off from us, the machine still reaches the acquirer, while the reversal waits for its worker.
  await stage.takeCard(payment);
  await cards.looksAt(payment);
  expect(await goes(payment)).toHaveLength(1);

  expect(await calls.pursueCall(stage.scope, required(reverseReference, 'the reversal'))).toBe('over');
  acquirer.close();
  await stage.age(payment.id, 6_000);
  const asked = await arrivesAt(payment, 2);
  await stage.approve(asked);
  await stage.arrives(payment.id, 'Recorded');
  expect(await goes(payment)).toEqual([`${from} Expired`, `${to} Captured`]);
  expect(await cards.callOfMachine(payment)).toMatchObject({ state: 'Settled', outcome: 'Reversed' });
});

test('two who move at once leave one machine that asks', async () => {
  const second = await stage.gateway();
  const { begun, payment, to } = await asking();
  await cards.says(payment, CONFIRMED);
  const another = stage.freshTid();
  const moved = await Promise.allSettled([move(gateway, begun, to), move(second, begun, another)]);
  expect(moved.some(({ status }) => status === 'fulfilled')).toBe(true);
  await cards.says(payment, CANCELED);
  await arrivesAt(payment, 2);
  const running = await stage.database.read(stage.scope, (reader) =>
    listSessionsOfIntent(reader, required(payment.intentId, 'the intent')),
  );
  expect(running.filter(({ status }) => !isFinal(status))).toHaveLength(1);
});

/** A command that comes while another one moves the journey, and has to wait for it. */
async function duringMove(
  { begun, to }: Pick<Moving, 'begun' | 'to'>,
  command: () => Promise<unknown>,
): Promise<string> {
  const { database, scope } = stage;
  const came = await database.transact(scope, async (tx) => {
    const lease = required(await lockLease(tx, begun.journey.leaseId), 'the lease');
    const journey = moveJourney(required(await lockJourney(tx, begun.journey.id), 'the journey'), to, tx.now);
    await new Leases().moveToDevice(tx, lease, journey);
    await updateJourney(tx, journey);
    const outcome = refusalOf(command());
    await until(async () => {
      const [waiting] = await database.dataSource.query<{ count: string }[]>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return Number(waiting?.count) > 0;
    });
    // In an object: the command ends after this transaction only.
    return { outcome };
  });
  return came.outcome;
}

test('whoever commands a journey while it moves commands it where it is then', async () => {
  const [one, other] = [await asking(), await asking()];
  expect(await duringMove(one, () => gateway.desk.cancelPayment(stage.scope, one.payment.id))).toBe('done');
  expect(await duringMove(other, () => move(gateway, other.begun, stage.freshTid()))).toBe('done');
  const on = { begun: await stage.begin(gateway, stage.party()), to: stage.freshTid() };
  const paymentId = randomUUID();
  expect(await duringMove(on, () => stage.take(gateway, on.begun, { mode: 'FULL', paymentId }))).toBe('done');
  expect(await goes(await stage.paymentOf(paymentId))).toEqual([`${on.to} InitiateRequested`]);
});

test.each<[string, (on: Moving) => Promise<unknown>, string]>([
  [
    'a card that is in the machine',
    ({ payment }) =>
      cards.says(payment, CONFIRMED, { number: 2, kind: 'notification', notificationType: 'PleaseWait' }),
    'terminal_session_not_cancelable',
  ],
  [
    'a payment that is called off',
    ({ payment }) => gateway.desk.cancelPayment(stage.scope, payment.id),
    'terminal_session_not_cancelable',
  ],
  [
    'money that is being recorded',
    async ({ payment }) => {
      stage.door.faults.replace([{ method: 'RecordPayment', effect: 'internal-error' }]);
      await stage.approve(payment);
      await stage.arrives(payment.id, 'RecordUnknown');
    },
    'journey_busy',
  ],
])('%s stays where it is', async (_, happens, code) => {
  const on = await asking();
  await happens(on);
  expect(await refusalOf(move(gateway, on.begun, on.to))).toBe(code);
  const { journey } = await gateway.desk.get(stage.scope, on.begun.journey.id);
  expect([journey.owner, (await stage.paymentOf(on.payment.id)).movingTo]).toEqual([on.begun.journey.owner, null]);
  stage.door.faults.replace([]);
});
