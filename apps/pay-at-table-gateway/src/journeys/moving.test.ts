import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { moveJourney } from '@pos/core/journeys';
import type { TablePayment } from '@pos/core/tables';
import { isSessionFinal } from '@pos/core/terminals';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { type JourneyView, Leases } from '@pos/payments/tables';
import { listOperatorCallPage } from '@pos/payments/operators';
import { findLease, lockJourney, lockLease, updateJourney } from '@pos/store/tables';
import { findIntent } from '@pos/store/payments';
import { findTerminal, listSessionsOfIntent } from '@pos/store/terminals';
import { randomUUID } from 'node:crypto';
import type { TableServices } from '../testing/table-services.js';
import { CANCELED, CardMachineTestDriver, CONFIRMED } from '../testing/cards.js';
import { getRefusalCode, TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(30_000);

const CALLER = { keyId: 'key_1' } as const;

let environment: TableTestEnvironment;
let cards: CardMachineTestDriver;
let gateway: TableServices;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  cards = new CardMachineTestDriver(environment);
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

interface MovingPayment {
  readonly begun: JourneyView;
  readonly payment: TablePayment;
  readonly to: string;
}

function moveToMachine(services: TableServices, { journey }: JourneyView, tid: string): Promise<JourneyView> {
  return services.journeyService.moveJourney({ scope: environment.scope, ...CALLER }, journey.id, tid);
}

/** A payment whose machine asks for a card, on a journey with another machine at hand. */
async function createMovingPayment(services = gateway): Promise<MovingPayment> {
  const begun = await environment.startJourney(services, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(services, begun, { mode: 'FULL', paymentId });
  return { begun, payment: await environment.getPayment(paymentId), to: environment.takeUnusedTid() };
}

/** On which machines the card was asked for, in this order, and how that ended. */
async function listSessionOutcomes({ intentId }: TablePayment): Promise<string[]> {
  return environment.database.read(environment.scope, async (reader) => {
    const sessions = [...(await listSessionsOfIntent(reader, requireValue(intentId, 'the intent')))].sort(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
    );
    return Promise.all(
      sessions.map(
        async ({ terminalId, status }) => `${(await findTerminal(reader, terminalId))?.tid ?? ''} ${status}`,
      ),
    );
  });
}

async function waitForSessionCount(payment: TablePayment, count: number): Promise<TablePayment> {
  await waitUntil(async () => (await listSessionOutcomes(payment)).length === count);
  return environment.getPayment(payment.id);
}

test('a payment continues at the other machine after the first session has ended, and is recorded from there', async () => {
  const { begun, payment, to } = await createMovingPayment();
  const from = begun.journey.owner;
  await cards.applyReports(payment, CONFIRMED);
  const view = await moveToMachine(gateway, begun, to);
  expect(view.journey).toMatchObject({ state: 'PAYING', owner: to, requestor: { terminalId: to } });
  expect(view.payments[0]).toMatchObject({ tid: from, movingToTid: to });
  expect(await listSessionOutcomes(payment)).toEqual([`${from} CancelRequested`]);
  // Nobody else asks while the first machine may still take the money, however often its payment is looked at.
  await cards.waitForNextCheck(payment);
  expect(await listSessionOutcomes(payment)).toHaveLength(1);

  await cards.applyReports(payment, CANCELED);
  const askedMachines = await waitForSessionCount(payment, 2);
  expect([askedMachines.movingTo, askedMachines.state]).toEqual([null, 'Started']);
  await environment.approvePayment(askedMachines);
  await environment.waitForState(payment.id, 'Recorded');
  expect(await listSessionOutcomes(payment)).toEqual([`${from} Canceled`, `${to} Captured`]);
  expect(environment.listRecordedAmounts(payment.id)).toEqual([payment.base.value]);
  const after = await gateway.journeyService.getJourney(environment.scope, begun.journey.id);
  expect(after.version).toBeGreaterThan(view.version);
  const { calls } = await environment.database.read(environment.scope, (reader) =>
    listOperatorCallPage(reader, { limit: 1 }),
  );
  expect(calls).toMatchObject([
    { action: 'MoveJourney', subject: begun.journey.id, keyId: 'key_1', note: `from ${from} to ${to}` },
  ]);
});

test('an open journey moves at once, and the table is unlocked under the name that locked it', async () => {
  const diningSession = environment.findUnpaidSession();
  const begun = await environment.startJourney(gateway, diningSession);
  const to = environment.takeUnusedTid();
  const { journey } = await moveToMachine(gateway, begun, to);
  expect([journey.state, journey.owner]).toEqual(['OPEN', to]);
  const lease = await environment.database.read(environment.scope, (reader) => findLease(reader, journey.leaseId));
  expect(lease).toMatchObject({ owner: to, requestor: begun.journey.requestor });
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession, begun.journey.owner))).toBe(
    'SESSION_ALREADY_LOCKED',
  );
  expect((await environment.startJourney(gateway, diningSession, to)).journey.id).toBe(journey.id);
  const again = await moveToMachine(gateway, begun, to);
  expect(again.journey.version).toBe(journey.version);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, begun, { mode: 'FULL', paymentId });
  const payment = await environment.getPayment(paymentId);
  expect(await listSessionOutcomes(payment)).toEqual([`${to} InitiateRequested`]);
  await environment.approvePayment(payment);
  await environment.waitForState(paymentId, 'Recorded');
  await gateway.journeyService.finishJourney(environment.scope, journey.id);
  expect(environment.isLocked(diningSession)).toBe(false);
});

test('a card that was approved before the machine received the move counts, once', async () => {
  const { begun, payment, to } = await createMovingPayment();
  await moveToMachine(gateway, begun, to);
  await environment.approvePayment(payment);
  const recorded = await environment.waitForState(payment.id, 'Recorded');
  expect([recorded.movingTo, await listSessionOutcomes(payment)]).toEqual([null, [`${begun.journey.owner} Captured`]]);
});

test('a card that was declined meanwhile ends the payment: its payer has chosen the machine', async () => {
  const { begun, payment, to } = await createMovingPayment();
  await moveToMachine(gateway, begun, to);
  await environment.declinePayment(payment);
  const ended = await environment.waitForState(payment.id, 'Ended');
  expect([ended.lastError, ended.movingTo, (await listSessionOutcomes(payment)).length]).toEqual(['declined', null, 1]);
  expect((await gateway.journeyService.getJourney(environment.scope, begun.journey.id)).journey).toMatchObject({
    state: 'OPEN',
    owner: to,
  });
});

test('no machine asks for a payment that is cancelled while it moves', async () => {
  const { begun, payment, to } = await createMovingPayment();
  await cards.applyReports(payment, CONFIRMED);
  await moveToMachine(gateway, begun, to);
  await gateway.journeyService.cancelPayment(environment.scope, payment.id);
  expect(await getRefusalCode(moveToMachine(gateway, begun, environment.takeUnusedTid()))).toBe(
    'terminal_session_not_cancelable',
  );
  await cards.applyReports(payment, CANCELED);
  await environment.waitForState(payment.id, 'Ended');
  expect(await listSessionOutcomes(payment)).toEqual([`${begun.journey.owner} Canceled`]);
});

test('a payment ends if the next machine is busy meanwhile, and it may be requested again', async () => {
  const { begun, payment, to } = await createMovingPayment();
  await cards.applyReports(payment, CONFIRMED);
  await moveToMachine(gateway, begun, to);
  const other = await environment.startJourney(gateway, environment.findUnpaidSession(), to);
  await environment.takePayment(gateway, other, { mode: 'FULL' });
  await cards.applyReports(payment, CANCELED);
  const ended = await environment.waitForState(payment.id, 'Ended');
  expect(ended.lastError).toBe(`the payment could not be moved: terminal ${to} is InUse`);
  const intent = await environment.database.read(environment.scope, (reader) =>
    findIntent(reader, payment.intentId ?? ''),
  );
  expect(intent?.status).toBe('Canceled');
  await environment.takePayment(gateway, begun, { mode: 'FULL', tid: environment.takeUnusedTid() });
});

test('another gateway continues when one is killed while a payment moves', async () => {
  const first = await environment.startGateway();
  const { begun, payment, to } = await createMovingPayment(first);
  await cards.applyReports(payment, CONFIRMED);
  await moveToMachine(first, begun, to);
  await first.stop();
  await cards.applyReports(payment, CANCELED);
  await environment.shiftPaymentTimes(payment.id, 6_000);
  const askedMachines = await waitForSessionCount(payment, 2);
  await environment.approvePayment(askedMachines);
  await environment.waitForState(payment.id, 'Recorded');
  expect(environment.listRecordedAmounts(payment.id)).toEqual([payment.base.value]);
});

test('a journey leaves a silent machine only after its reversal is made, not when it is ordered', async () => {
  const acquirer = new AcquirerClient(environment.resources.address);
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  const calls = new AcquirerCalls({
    database: environment.database,
    acquirers: { find: () => acquirer },
    accounts: new AccountCache(),
    settings,
  });
  const { begun, payment, to } = await createMovingPayment();
  const from = begun.journey.owner;
  await cards.applyReports(payment, CONFIRMED);
  await moveToMachine(gateway, begun, to);
  await cards.expireSessionWindow(payment);
  expect(await listSessionOutcomes(payment)).toEqual([`${from} Expired`]);
  const open = await cards.getMachineCall(payment);
  await cards.makeReversalDue(open);
  expect(await calls.pursueCall(environment.scope, open.reference)).toBe('over');
  const { reverseReference } = await cards.getMachineCall(payment);
  // Cut off from us, the machine still reaches the acquirer, while the reversal waits for its worker.
  await environment.authoriseCard(payment);
  await cards.waitForNextCheck(payment);
  expect(await listSessionOutcomes(payment)).toHaveLength(1);

  expect(await calls.pursueCall(environment.scope, requireValue(reverseReference, 'the reversal'))).toBe('over');
  acquirer.close();
  await environment.shiftPaymentTimes(payment.id, 6_000);
  const askedMachines = await waitForSessionCount(payment, 2);
  await environment.approvePayment(askedMachines);
  await environment.waitForState(payment.id, 'Recorded');
  expect(await listSessionOutcomes(payment)).toEqual([`${from} Expired`, `${to} Captured`]);
  expect(await cards.getMachineCall(payment)).toMatchObject({ state: 'Settled', outcome: 'Reversed' });
});

test('of two concurrent moves one machine asks for the card', async () => {
  const second = await environment.startGateway();
  const { begun, payment, to } = await createMovingPayment();
  await cards.applyReports(payment, CONFIRMED);
  const another = environment.takeUnusedTid();
  const moved = await Promise.allSettled([moveToMachine(gateway, begun, to), moveToMachine(second, begun, another)]);
  expect(moved.some(({ status }) => status === 'fulfilled')).toBe(true);
  await cards.applyReports(payment, CANCELED);
  await waitForSessionCount(payment, 2);
  const running = await environment.database.read(environment.scope, (reader) =>
    listSessionsOfIntent(reader, requireValue(payment.intentId, 'the intent')),
  );
  expect(running.filter(({ status }) => !isSessionFinal(status))).toHaveLength(1);
});

/** A command that comes while another one moves the journey, and has to wait for it. */
async function runDuringMove(
  { begun, to }: Pick<MovingPayment, 'begun' | 'to'>,
  command: () => Promise<unknown>,
): Promise<string> {
  const { database, scope } = environment;
  const commandStarted = await database.transact(scope, async (tx) => {
    const lease = requireValue(await lockLease(tx, begun.journey.leaseId), 'the lease');
    const found = requireValue(await lockJourney(tx, begun.journey.id), 'the journey');
    const journey = moveJourney(found, to, tx.now);
    await new Leases().moveToDevice(tx, lease, journey);
    await updateJourney(tx, found, journey);
    const outcome = getRefusalCode(command());
    await waitUntil(async () => {
      const [waiting] = await database.dataSource.query<{ count: string }[]>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return Number(waiting?.count) > 0;
    });
    // In an object: the command ends after this transaction only.
    return { outcome };
  });
  return commandStarted.outcome;
}

test('a command to a journey that moves applies where the journey is then', async () => {
  const [one, other] = [await createMovingPayment(), await createMovingPayment()];
  expect(await runDuringMove(one, () => gateway.journeyService.cancelPayment(environment.scope, one.payment.id))).toBe(
    'done',
  );
  expect(await runDuringMove(other, () => moveToMachine(gateway, other.begun, environment.takeUnusedTid()))).toBe(
    'done',
  );
  const on = {
    begun: await environment.startJourney(gateway, environment.findUnpaidSession()),
    to: environment.takeUnusedTid(),
  };
  const paymentId = randomUUID();
  expect(await runDuringMove(on, () => environment.takePayment(gateway, on.begun, { mode: 'FULL', paymentId }))).toBe(
    'done',
  );
  expect(await listSessionOutcomes(await environment.getPayment(paymentId))).toEqual([`${on.to} InitiateRequested`]);
});

test.each<[string, (on: MovingPayment) => Promise<unknown>, string]>([
  [
    'a card that is in the machine',
    ({ payment }) =>
      cards.applyReports(payment, CONFIRMED, { number: 2, kind: 'notification', notificationType: 'PleaseWait' }),
    'terminal_session_not_cancelable',
  ],
  [
    'a payment that is cancelled',
    ({ payment }) => gateway.journeyService.cancelPayment(environment.scope, payment.id),
    'terminal_session_not_cancelable',
  ],
  [
    'money that is being recorded',
    async ({ payment }) => {
      environment.eposSimulator.faults.replaceFaults([{ method: 'RecordPayment', effect: 'internal-error' }]);
      await environment.approvePayment(payment);
      await environment.waitForState(payment.id, 'RecordUnknown');
    },
    'journey_busy',
  ],
])('%s stays where it is', async (_, happens, code) => {
  const on = await createMovingPayment();
  await happens(on);
  expect(await getRefusalCode(moveToMachine(gateway, on.begun, on.to))).toBe(code);
  const { journey } = await gateway.journeyService.getJourney(environment.scope, on.begun.journey.id);
  expect([journey.owner, (await environment.getPayment(on.payment.id)).movingTo]).toEqual([
    on.begun.journey.owner,
    null,
  ]);
  environment.eposSimulator.faults.replaceFaults([]);
});
