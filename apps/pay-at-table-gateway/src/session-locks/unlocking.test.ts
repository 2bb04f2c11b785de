import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Leases, UnlockInProgress } from '@pos/payments/tables';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { setTimeout as pause } from 'node:timers/promises';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const CLAIM_MS = 60_000;
/** The call to the EPOS that was made under a claim has ended after so long. */
const CALL_MS = 300;

function buildLeaseRequest(terminalId: string) {
  return { sessionId: 'S-1', owner: terminalId, requestor: { type: 'cardMachine', terminalId, waiterId: 0 } } as const;
}

test('a gateway that crashed while it unlocked blocks the session only for as long as its call may still arrive', async () => {
  const scope = createTestScope();
  const leases = new Leases(600_000, CLAIM_MS - CALL_MS);
  await testDatabase.database.transact(scope, async (tx) => {
    const leased = await leases.acquire(tx, buildLeaseRequest('90000001'));
    if (leased.outcome === 'refused') throw new Error('nobody has it');
    await leases.releaseAndClaim(tx, { before: leased.lease, lease: leased.lease }, CLAIM_MS);
  });
  const take = () => testDatabase.database.transact(scope, (tx) => leases.acquire(tx, buildLeaseRequest('90000002')));
  await expect(take()).rejects.toThrow(UnlockInProgress);
  await pause(CALL_MS + 50);
  expect(await take()).toMatchObject({ outcome: 'held', isNew: true, isLockDoubtful: true });
});
