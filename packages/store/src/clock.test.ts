import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { newId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { findAccount, makeAccount } from './accounts.js';
import {
  accountNow,
  type Advance,
  beginAdvance,
  countUnworked,
  endAdvance,
  makeClock,
  nextDueInMs,
  raiseAndShift,
  SEEDED_START,
} from './clock.js';
import { findOrderLock, nameOrders, putOrderLock } from './orders.js';
import { timers } from './queue-rows.js';
import { findRow } from './table.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';
import { schedule, TimerQueue } from './timers.js';

let place: TestDatabase;

beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(async () => {
  await place.close();
});

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const WINDOW = { kind: 'session-window', subject: 'ts_1' } as const;

test('an advance goes from deadline to deadline, and each is worked at its own moment', async () => {
  const scope = await sandbox(SEEDED_START);
  const queue = new TimerQueue(place.database);
  const at = (ms: number): Date => new Date(SEEDED_START.getTime() + ms);
  await place.database.transact(scope, async (tx) => {
    schedule(tx, { ...WINDOW, dueAt: at(80_000) });
    schedule(tx, { kind: 'intent-expiry', subject: 'pi_1', dueAt: at(HOUR_MS) });
    schedule(tx, { kind: 'intent-expiry', subject: 'pi_far', dueAt: at(5 * HOUR_MS) });
  });
  const advance = await begun(scope);
  const worked: string[] = [];
  let left = 2 * HOUR_MS;
  for (let steps = 0; left > 0 && steps < 10; steps += 1) {
    const next = await place.database.read(scope, nextDueInMs);
    const step = next === null ? left : Math.min(next, left);
    expect(await raiseAndShift(place.database, advance, step)).toBe(true);
    left -= step;
    for (const claimed of await queue.claim(scope, ['session-window', 'intent-expiry'], {
      limit: 9,
      leaseMs: LEASE_MS,
    })) {
      expect(await place.database.read(scope, countUnworked)).toBe(1);
      await place.database.transact(scope, async (tx) => {
        worked.push(`${claimed.subject} at ${Math.round((tx.now.getTime() - SEEDED_START.getTime()) / 1000)}`);
        await queue.finish(tx, claimed, null);
      });
    }
    expect(await place.database.read(scope, countUnworked)).toBe(0);
  }
  await endAdvance(place.database, advance);
  expect(worked).toEqual(['ts_1 at 80', 'pi_1 at 3600']);
  expect(left).toBe(0);
});

test('a running clock goes on from where it was advanced to', async () => {
  const scope = await sandbox(null);
  const advance = await begun(scope);
  await raiseAndShift(place.database, advance, HOUR_MS);
  await place.database.transact(scope, async (tx) => {
    expect(tx.now.getTime() - tx.databaseNow.getTime()).toBe(HOUR_MS);
  });
  const now = await place.database.read(scope, accountNow);
  expect(now.getTime() - (await place.database.now()).getTime()).toBeGreaterThan(HOUR_MS - 5_000);
});

test('production and other sandboxes are not moved', async () => {
  const [one, other] = [await sandbox(null), await sandbox(null)];
  const production: Scope = { accountId: one.accountId, environment: 'production' };
  for (const scope of [other, production]) {
    await place.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: HOUR_MS }));
  }
  await raiseAndShift(place.database, await begun(one), HOUR_MS);
  for (const scope of [other, production]) {
    await place.database.transact(scope, async (tx) => {
      expect(tx.now).toEqual(tx.databaseNow);
      expect((await findRow(tx, timers, { where: WINDOW }))!.due_at.getTime()).toBeGreaterThan(
        tx.databaseNow.getTime(),
      );
    });
  }
});

test('leases are lived in real time and are not shifted', async () => {
  const scope = await sandbox(null);
  await place.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: 0 }));
  const queue = new TimerQueue(place.database);
  const [claimed] = await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS });
  await raiseAndShift(place.database, await begun(scope), HOUR_MS);
  expect(await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS })).toEqual([]);
  expect(await place.database.read(scope, countUnworked)).toBe(1);
  await queue.renew(claimed!, LEASE_MS);
});

test('our lock on an order runs out with the time of the sandbox', async () => {
  const scope = await sandbox(null);
  const requestor = { type: 'cardMachine', terminalId: '1', waiterId: 7 } as const;
  const expiresAt = new Date((await place.database.now()).getTime() + 2 * HOUR_MS);
  await place.database.transact(scope, async (tx) => {
    await nameOrders(tx, [{ sessionId: 'session-1', orderId: 'order-1' }]);
    await putOrderLock(tx, { sessionId: 'session-1', orderId: 'order-1', lockId: 'lock-1', expiresAt, requestor });
  });
  await raiseAndShift(place.database, await begun(scope), HOUR_MS);
  const lock = await place.database.read(scope, (reader) => findOrderLock(reader, 'session-1'));
  expect(lock?.expiresAt.getTime()).toBe(expiresAt.getTime() - HOUR_MS);
});

test('a repeat is no step and nothing to wait for', async () => {
  const scope = await sandbox(null);
  await place.database.transact(scope, async (tx) => {
    schedule(tx, { kind: 'acquirer-call', subject: 'due', dueInMs: 0, isRepeat: true });
    schedule(tx, { kind: 'acquirer-call', subject: 'later', dueInMs: 5_000, isRepeat: true });
  });
  expect(await place.database.read(scope, nextDueInMs)).toBeNull();
  expect(await place.database.read(scope, countUnworked)).toBe(0);
});

test('what is worked at a step and is to be repeated is no step from there on', async () => {
  const scope = await sandbox(null);
  const queue = new TimerQueue(place.database);
  await place.database.transact(scope, (tx) => schedule(tx, { ...WINDOW, dueInMs: 0 }));
  expect(await place.database.read(scope, countUnworked)).toBe(1);
  const [claimed] = await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS });
  await place.database.transact(scope, (tx) => queue.finish(tx, claimed!, { inMs: HOUR_MS, isRepeat: true }));
  expect(await place.database.read(scope, nextDueInMs)).toBeNull();
  await raiseAndShift(place.database, await begun(scope), HOUR_MS);
  expect(await place.database.read(scope, countUnworked)).toBe(0);
  expect(await queue.claim(scope, ['session-window'], { limit: 1, leaseMs: LEASE_MS })).toHaveLength(1);
});

test('one advance at a time; one that died is taken over after its lease, and the dead one moves nothing', async () => {
  const scope = await sandbox(null);
  const only = await begun(scope);
  expect(await beginAdvance(place.database, scope, LEASE_MS)).toBeNull();
  await endAdvance(place.database, only);
  const first = await beginAdvance(place.database, scope, 20);
  await new Promise((resolve) => setTimeout(resolve, 40));
  const second = await begun(scope);
  expect(await raiseAndShift(place.database, first!, HOUR_MS)).toBe(false);
  await endAdvance(place.database, first!);
  expect(await beginAdvance(place.database, scope, LEASE_MS)).toBeNull();
  await endAdvance(place.database, second);
  expect(await beginAdvance(place.database, scope, LEASE_MS)).not.toBeNull();
});

test('production has no clock to advance', async () => {
  expect(await beginAdvance(place.database, freshScope('production'), LEASE_MS)).toBeNull();
});

test('a clock does not go back, nor by fractions', async () => {
  const advance = await begun(await sandbox(null));
  await expect(raiseAndShift(place.database, advance, -1)).rejects.toMatchObject({ name: 'Defect' });
  await expect(raiseAndShift(place.database, advance, 0.5)).rejects.toMatchObject({ name: 'Defect' });
});

test('an advance waits for transactions that have read the time, and they for it', async () => {
  const scope = await sandbox(null);
  const advance = await begun(scope);
  const order: string[] = [];
  const other = await place.open();
  let raised: Promise<unknown> = Promise.resolve();
  await place.database.transact(scope, async () => {
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

test('a new account’s sandbox runs with real time, or stands at the seeded start', async () => {
  const seeded = await place.open({ seed: 'a seed' });
  for (const [database, expected] of [
    [place.database, null],
    [seeded, SEEDED_START],
  ] as const) {
    const { accountId } = freshScope();
    const account = {
      id: accountId,
      name: accountId,
      tradingName: 'The Anchor',
      locationId: newId('location', 'sandbox', randomBytes(16)),
      merchantId: '5400001',
      currencies: ['GBP'],
      settings: { site: 'Quay 4' },
      createdAt: new Date('2026-03-01T12:00:00.000Z'),
    };
    expect(await makeAccount(database, account)).toBe(true);
    expect(await makeAccount(database, account)).toBe(false);
    const scope: Scope = { accountId, environment: 'sandbox' };
    await database.transact(scope, async (tx) => {
      expect(tx.isClockStanding).toBe(expected !== null);
      if (expected !== null) expect(tx.now).toEqual(expected);
      expect(await findAccount(tx)).toMatchObject({
        ...account,
        settings: { site: 'Quay 4', capturedReversalDays: 1 },
      });
    });
  }
});

async function sandbox(standingAt: Date | null): Promise<Scope> {
  const scope = freshScope();
  await place.database.transact(scope, (tx) => makeClock(tx, standingAt));
  return scope;
}

async function begun(scope: Scope): Promise<Advance> {
  const advance = await beginAdvance(place.database, scope, LEASE_MS);
  expect(advance).not.toBeNull();
  return advance!;
}

async function raiseOutside(advance: Advance): Promise<void> {
  const other = await place.open();
  await raiseAndShift(other, advance, HOUR_MS);
}
