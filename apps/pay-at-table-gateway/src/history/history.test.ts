import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { isFinal } from '@pos/core/table-payment';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { Seed } from '@pos/sandbox/seed';
import { type HistoryEvent, historyFaults } from '@pos/sandbox/session-history';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import { setTimeout as pause } from 'node:timers/promises';
import { refusalOf, TableStage } from '../journeys/testing.js';
import { machine, paidBy, until } from '../testing.js';
import { deviceCall, type Troubles, WatchedGateway } from './testing-history.js';

jest.setTimeout(60_000);

const GATEWAYS = ['g1', 'g2', 'g3'] as const;
const DEVICES = ['90000001', '90000002', '90000003'] as const;
const ROUNDS = 2;
const PENNIES = 100n;
const KNOCKS_MAX = 1_000;
const KNOCK_EVERY_MS = 25;

let stage: TableStage;
const opened: WatchedGateway[] = [];
beforeAll(async () => {
  stage = await TableStage.open();
});
afterAll(() => stage.close());
// A gateway knows the payments of its own story only, and would take those of the next one too.
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ tables }) => tables.stop()));
});

/** Three gateways to which these things happen, and what was seen of them. */
async function watched(planned: Troubles) {
  const troubles = { ...planned };
  const events: HistoryEvent[] = [];
  const payments = new Map<string, { readonly device: string; readonly session: string }>();
  const draws = new Seed('histories').draws(JSON.stringify(planned));
  const gateways = GATEWAYS.map(
    (name) =>
      new WatchedGateway({
        ...{ name, stage, events, troubles },
        draw: () => draws.fraction(),
        ownerOf: (payment) => required(payments.get(payment), 'the device of a payment'),
      }),
  );
  opened.push(...gateways);
  for (const { tables } of gateways) await tables.start();
  return { events, payments, gateways };
}

type Watched = Awaited<ReturnType<typeof watched>>;

/** A waiter's round at a table: locks, asks again to be sure, records a card payment, lets go. */
async function round(
  at: Watched,
  device: string,
  of: { readonly party: DiningSession; readonly number: number },
): Promise<void> {
  const session = of.party.id;
  const { events, payments, gateways } = at;
  const { tables } = required(gateways[of.number % gateways.length], 'a gateway');
  const requestor = { type: 'cardMachine', terminalId: device, waiterId: 0 } as const;
  const lock = async (): Promise<string> => {
    const askedAt = performance.now();
    const call = await deviceCall(stage.scope);
    const said = await heardOf(tables.deviceLocks.lock({ requestor, call, sessionId: session }));
    if (said === 'done') events.push({ is: 'locked', device, session, askedAt, heardAt: performance.now() });
    return said;
  };
  await insist(lock, (said) => said === 'done');
  await lock();
  const payment = paidBy(session, { baseAmount: PENNIES });
  payments.set(payment.id, { device, session });
  const request = { payment, requestorInfo: machine(device) };
  await insist(
    async () => heardOf(tables.deviceRecords.record(request, { requestor, call: await deviceCall(stage.scope) })),
    (said) => said === 'done' || said === 'PAYMENT_ALREADY_RECORDED',
  );
  const askedAt = performance.now();
  const said = await insist(
    async () =>
      heardOf(tables.deviceLocks.unlock({ requestor, call: await deviceCall(stage.scope), sessionId: session })),
    // An unlock whose answer was lost has ended the lease all the same.
    (heard) => heard === 'done' || heard === 'lease_over' || heard === 'SESSION_NOT_LOCKED',
  );
  events.push({ is: 'letGo', device, session, askedAt, heardAt: said === 'done' ? performance.now() : null });
}

const AGAIN: ReadonlySet<status> = new Set([status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);

/** What the device hears; a gateway that has no answer in time is asked again. */
async function heardOf(act: Promise<unknown>): Promise<string> {
  return refusalOf(act).catch((error: unknown) => {
    if (error instanceof GrpcFailure && AGAIN.has(error.status)) return 'ask again';
    throw error;
  });
}

/** Knocks until it hears what it wants; how often that takes is nobody's promise. */
async function insist(ask: () => Promise<string>, isHeard: (said: string) => boolean): Promise<string> {
  let said = '';
  for (let knock = 0; knock < KNOCKS_MAX; knock += 1) {
    said = await ask();
    if (isHeard(said)) return said;
    await pause(KNOCK_EVERY_MS);
  }
  throw new Error(`never heard of it, at last ${said}`);
}

test.each<[string, Troubles]>([
  ['nothing happens', {}],
  ['gateways fall asleep past their leases', { asleepBeforeLook: 1, asleepBeforeSending: 2, asleepBeforeHearing: 1 }],
  ['runners are killed and answers are lost', { killed: 2, answerLost: 2 }],
])('while %s, no session has two holders and every record call has a lease found live', async (_, troubles) => {
  const at = await watched(troubles);
  const parties = [stage.party(), stage.party()];
  await Promise.all(
    DEVICES.map(async (device, number) => {
      for (let turn = 0; turn < ROUNDS; turn += 1) {
        const party = required(parties[(number + turn) % parties.length], 'a table');
        await round(at, device, { party, number: number + turn });
      }
    }),
  );
  expect(historyFaults(at.events)).toEqual([]);
  const records = at.events.filter(({ is }) => is === 'recordBegun');
  expect(records.length).toBeGreaterThanOrEqual(DEVICES.length * ROUNDS);
  // Each payment was booked once, whatever happened on the way.
  expect([...at.payments.keys()].map((id) => stage.recorded(id))).toEqual(
    [...at.payments].map(() => [Number(PENNIES)]),
  );
  await until(async () => (await Promise.all([...at.payments.keys()].map((id) => stage.paymentOf(id)))).every(isFinal));
});
