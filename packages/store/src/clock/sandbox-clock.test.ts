import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { findAccount, createAccount } from '../repositories/accounts.js';
import {
  getAccountTime,
  type ClockAdvance,
  beginAdvance,
  countDueWork,
  endAdvance,
  createSandboxClock,
  findNextDueInMs,
  applyClockStep,
  SEEDED_START,
} from './sandbox-clock.js';
import { findOrderLock, insertOrderSessions, putOrderLock } from '../tables/order-sessions.js';
import { timers } from '../relations/queue-relations.js';
import { findRow } from '../relations/relation.js';
import { listUncomparedDays, saveUncomparedDay } from '../reconciliation/uncompared-days.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { schedule, TimerQueue } from '../queues/timers.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const WINDOW = { kind: 'session-window', subject: 'ts_1' } as const;

test('an advance moves from deadline to deadline, and each is worked at its own time', async () => {
  const scope = await createSandbox(SEEDED_START);
  const queue = new TimerQueue(testDatabase.database);
  const at = (ms: number): Date => new Date(SEEDED_START.getTime() + ms);
  await testDatabase.database.transact(scope, async (tx) => {
    schedule(tx, { ...WINDOW, dueAt: at(80_000) });
    schedule(tx, { kind: 'intent-expiry', subject: 'pi_1', dueAt: at(HOUR_MS) });
    schedule(tx, { kind: 'intent-expiry', subject: 'pi_far', dueAt: at(5 * HOUR_MS) });
  });
  const advance = await beginTestAdvance(scope);
  const worked: string[] = [];
  let left = 2 * HOUR_MS;
  for (let steps = 0; left > 0 && steps < 10; steps += 1) {
    const next = await testDatabase.database.read(scope, findNextDueInMs);
    const step = next === null ? left : Math.min(next, left);
    expect(await applyClockStep(testDatabase.database, advance, step)).toBe(true);
    left -= step;
    for (const claimed of await queue.claim(scope, ['session-window', 'intent-expiry'], {
      limit: 9,
      leaseMs: LEASE_MS,
    })) {
      expect(await testDatabase.database.read(scope, countDueWork)).toBe(1);
      await testDatabase.database.transact(scope, async (tx) => {
        worked.push(`${claimed.subject} at ${Math.round((tx.now.getTime() - SEEDED_START.getTime()) / 1000)}`);
        await queue.complete(tx, claimed, null);
      });
    }
    expect(await testDatabase.database.read(scope, countDueWork)).toBe(0);
  }
  await endAdvance(testDatabase.database, advance);
  expect(worked).toEqual(['ts_1 at 80', 'pi_1 at 3600']);
  expect(left).toBe(0);
});

test('a running clock continues from the time it was advanced to', async () => {
  const scope = await createSandbox(null);
  const advance = await beginTestAdvance(scope);
  await applyClockStep(testDatabase.database, advance, HOUR_MS);
  await testDatabase.database.transact(scope, async (tx) => {
    expect(tx.now.getTime() - tx.databaseNow.getTime()).toBe(HOUR_MS);
  });
  const now = await testDatabase.database.read(scope, getAccountTime);
  expect(now.getTime() - (await testDatabase.database.now()).getTime()).toBeGreaterThan(HOUR_MS - 5_000);
});

test('production and other sandboxes are not moved', async () => {
  const [one, other] = [await createSandbox(null), await createSandbox(null)];
  const production: Scope = { accountId: one.accountId, environment: 'production' };
  for (const scope of [other, production]) {
    await testDatabase.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: HOUR_MS }));
  }
  await applyClockStep(testDatabase.database, await beginTestAdvance(one), HOUR_MS);
  for (const scope of [other, production]) {
    await testDatabase.database.transact(scope, async (tx) => {
      expect(tx.now).toEqual(tx.databaseNow);
      expect((await findRow(tx, timers, { where: WINDOW }))!.due_at.getTime()).toBeGreaterThan(
        tx.databaseNow.getTime(),
      );
    });
  }
});

test('leases follow real time and are not shifted', async () => {
  const scope = await createSandbox(null);
  await testDatabase.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: 0 }));
  const queue = new TimerQueue(testDatabase.database);
  const [claimed] = await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS });
  await applyClockStep(testDatabase.database, await beginTestAdvance(scope), HOUR_MS);
  expect(await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS })).toEqual([]);
  expect(await testDatabase.database.read(scope, countDueWork)).toBe(1);
  await queue.renew(claimed!, LEASE_MS);
});

test('our lock on an order expires with the time of the sandbox', async () => {
  const scope = await createSandbox(null);
  const requestor = { type: 'cardMachine', terminalId: '1', waiterId: 7 } as const;
  const expiresAt = new Date((await testDatabase.database.now()).getTime() + 2 * HOUR_MS);
  await testDatabase.database.transact(scope, async (tx) => {
    await insertOrderSessions(tx, [{ sessionId: 'session-1', orderId: 'order-1' }]);
    await putOrderLock(tx, { sessionId: 'session-1', orderId: 'order-1', lockId: 'lock-1', expiresAt, requestor });
  });
  await applyClockStep(testDatabase.database, await beginTestAdvance(scope), HOUR_MS);
  const lock = await testDatabase.database.read(scope, (reader) => findOrderLock(reader, 'session-1'));
  expect(lock?.expiresAt.getTime()).toBe(expiresAt.getTime() - HOUR_MS);
});

test('a day whose books could not be read is older after an advance', async () => {
  const scope = await createSandbox(null);
  const uncompared = { acquirer: 'north', day: '2026-03-02', reason: 'BooksUnread', problem: 'down' } as const;
  await testDatabase.database.transact(scope, async (tx) => {
    saveUncomparedDay(tx, uncompared);
  });
  const [before] = await testDatabase.database.read(scope, listUncomparedDays);
  await applyClockStep(testDatabase.database, await beginTestAdvance(scope), HOUR_MS);
  const [after] = await testDatabase.database.read(scope, listUncomparedDays);
  expect(before!.since.getTime() - after!.since.getTime()).toBe(HOUR_MS);
});

test('a retry is not a clock step and does not delay an advance', async () => {
  const scope = await createSandbox(null);
  await testDatabase.database.transact(scope, async (tx) => {
    schedule(tx, { kind: 'acquirer-call', subject: 'due', dueInMs: 0, isRepeat: true });
    schedule(tx, { kind: 'acquirer-call', subject: 'later', dueInMs: 5_000, isRepeat: true });
  });
  expect(await testDatabase.database.read(scope, findNextDueInMs)).toBeNull();
  expect(await testDatabase.database.read(scope, countDueWork)).toBe(0);
});

test('a deadline that is worked at a step and has to be retried is no step from there on', async () => {
  const scope = await createSandbox(null);
  const queue = new TimerQueue(testDatabase.database);
  await testDatabase.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: 0 }));
  expect(await testDatabase.database.read(scope, countDueWork)).toBe(1);
  const [claimed] = await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS });
  await testDatabase.database.transact(scope, (tx) => queue.complete(tx, claimed!, { inMs: HOUR_MS, isRepeat: true }));
  expect(await testDatabase.database.read(scope, findNextDueInMs)).toBeNull();
  await applyClockStep(testDatabase.database, await beginTestAdvance(scope), HOUR_MS);
  expect(await testDatabase.database.read(scope, countDueWork)).toBe(0);
  expect(await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS })).toHaveLength(1);
});

test('there is one advance at a time; a lost one is taken over after its lease, and the lost one moves nothing', async () => {
  const scope = await createSandbox(null);
  const only = await beginTestAdvance(scope);
  expect(await beginAdvance(testDatabase.database, scope, LEASE_MS)).toBeNull();
  await endAdvance(testDatabase.database, only);
  const first = await beginAdvance(testDatabase.database, scope, 20);
  await new Promise((resolve) => setTimeout(resolve, 40));
  const second = await beginTestAdvance(scope);
  expect(await applyClockStep(testDatabase.database, first!, HOUR_MS)).toBe(false);
  await endAdvance(testDatabase.database, first!);
  expect(await beginAdvance(testDatabase.database, scope, LEASE_MS)).toBeNull();
  await endAdvance(testDatabase.database, second);
  expect(await beginAdvance(testDatabase.database, scope, LEASE_MS)).not.toBeNull();
});

test('production has no clock to advance', async () => {
  expect(await beginAdvance(testDatabase.database, createTestScope('production'), LEASE_MS)).toBeNull();
});

test('a clock moves neither back nor by fractions', async () => {
  const advance = await beginTestAdvance(await createSandbox(null));
  await expect(applyClockStep(testDatabase.database, advance, -1)).rejects.toMatchObject({ name: 'Defect' });
  await expect(applyClockStep(testDatabase.database, advance, 0.5)).rejects.toMatchObject({ name: 'Defect' });
});

test('an advance and transactions that have read the time wait for each other', async () => {
  const scope = await createSandbox(null);
  const advance = await beginTestAdvance(scope);
  const order: string[] = [];
  const other = await testDatabase.open();
  let raised: Promise<unknown> = Promise.resolve();
  await testDatabase.database.transact(scope, async () => {
    raised = new Promise((resolve) => setImmediate(resolve))
      .then(() => raiseOutside(advance))
      .then(() => order.push('raised'));
    await new Promise((resolve) => setTimeout(resolve, 80));
    order.push('business done');
  });
  await raised;
  expect(order).toEqual(['business done', 'raised']);
  await other.transact(scope, async (tx) => expect(tx.now.getTime()).toBe(tx.databaseNow.getTime() + HOUR_MS));
});

test('a new account’s sandbox runs with real time, or is frozen at the seeded start', async () => {
  const seeded = await testDatabase.open({ seed: 'a seed' });
  for (const [database, expected] of [
    [testDatabase.database, null],
    [seeded, SEEDED_START],
  ] as const) {
    const { accountId } = createTestScope();
    const account = {
      id: accountId,
      name: accountId,
      tradingName: 'The Anchor',
      locationId: createId('location', 'sandbox', randomBytes(16)),
      merchantId: '5400001',
      currencies: ['GBP'],
      settings: { site: 'Quay 4' },
      createdAt: new Date('2026-03-01T12:00:00.000Z'),
    };
    expect(await createAccount(database, account)).toBe(true);
    expect(await createAccount(database, account)).toBe(false);
    const scope: Scope = { accountId, environment: 'sandbox' };
    await database.transact(scope, async (tx) => {
      expect(tx.isClockFrozen).toBe(expected !== null);
      if (expected !== null) expect(tx.now).toEqual(expected);
      expect(await findAccount(tx)).toMatchObject({
        ...account,
        settings: { site: 'Quay 4', capturedReversalDays: 1 },
      });
    });
  }
});

async function createSandbox(standingAt: Date | null): Promise<Scope> {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, standingAt));
  return scope;
}

async function beginTestAdvance(scope: Scope): Promise<ClockAdvance> {
  const advance = await beginAdvance(testDatabase.database, scope, LEASE_MS);
  expect(advance).not.toBeNull();
  return advance!;
}

async function raiseOutside(advance: ClockAdvance): Promise<void> {
  const other = await testDatabase.open();
  await applyClockStep(other, advance, HOUR_MS);
}
