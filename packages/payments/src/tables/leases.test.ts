import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Lease } from '@pos/core/tables';
import type { Tx } from '@pos/store/database';
import { findRows } from '@pos/store/relations';
import { timers } from '@pos/store/testing';
import {
  createTestAccount,
  createTestEnvironment,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { Leases } from './leases.js';

let testEnvironment: TestEnvironment;
let run: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  const testAccount = await createTestAccount(testEnvironment);
  run = (work) => transactAs(testEnvironment, testAccount, work);
});
afterAll(() => testEnvironment.close());

const leases = new Leases();

/** A new lease with one open payment. */
async function openPaymentOfNewLease(): Promise<Lease> {
  return run(async (tx) => {
    const requestor = { type: 'cardMachine', terminalId: '1', waiterId: 0 } as const;
    const held = await leases.acquire(tx, { sessionId: randomUUID(), owner: '1', requestor });
    if (held.outcome !== 'held') throw new Error(held.reason);
    return leases.openPayment(tx, { before: held.lease, lease: held.lease });
  });
}

function findTimers({ leaseId }: Lease) {
  return run((tx) => findRows(tx, timers, { where: { kind: 'session-lease', subject: leaseId } }));
}

test('the end of a payment leaves the timer of a new lease as it is', async () => {
  const lease = await openPaymentOfNewLease();
  const before = await findTimers(lease);
  const closed = await run((tx) => leases.closePayment(tx, lease));
  expect(before).toHaveLength(1);
  expect(await findTimers(lease)).toEqual(before);
  expect(await run((tx) => leases.checkExpiry(tx, lease.leaseId))).toEqual({ lookAgainAt: closed.expiresAt });
});

test('a lease that is checked during a payment is checked again, not after the end that the payment gives it', async () => {
  const lease = await openPaymentOfNewLease();
  const checked = await run((tx) => leases.checkExpiry(tx, lease.leaseId));
  const closed = await run((tx) => leases.closePayment(tx, lease));
  expect(checked).toEqual({ lookAgainAt: expect.any(Date) });
  const { lookAgainAt } = checked as { readonly lookAgainAt: Date };
  expect(lookAgainAt.getTime()).toBeGreaterThan(lease.acquiredAt.getTime());
  expect(closed.expiresAt.getTime()).toBeGreaterThanOrEqual(lookAgainAt.getTime());
});
