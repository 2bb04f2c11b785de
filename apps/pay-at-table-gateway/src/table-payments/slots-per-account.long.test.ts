import { Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { EposPort } from '@pos/core/tables';
import { AcquirerServiceService } from '@pos/grpc-contracts/acquirer';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS as settings } from '@pos/payments/accounts';
import { Leases } from '@pos/payments/tables';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import { createLog } from '@pos/service-kit/telemetry';
import { createSandboxClock, createTestScope } from '@pos/store/testing';
import { createTestTableServices, type TableServices } from '../testing/table-services.js';
import { TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

/** The concurrent payments and locks of one account. */
const PER_ACCOUNT_MAX = 16;
/** What it claims of one account at once. */
const CLAIM_BATCH = 8;

let environment: TableTestEnvironment;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
});
afterAll(() => environment.close());

const rejectCall = (): Promise<never> => Promise.reject(new Error('only unlocked here'));

/** EPOSes that are asked to unlock and nothing else. */
function createUnlockOnlyEpos(unlockSession: EposPort['unlockSession']): EposPort {
  return {
    ...{
      getBill: rejectCall,
      lockSession: rejectCall,
      recordPayment: rejectCall,
      recordOnOrder: rejectCall,
      isOnOrder: rejectCall,
    },
    unlockSession,
  };
}

/** A gateway whose EPOSes a test plays. */
async function startGatewayWith(getEpos: (scope: Scope) => EposPort): Promise<TableServices> {
  const database = await environment.resources.testDatabase.open();
  const accounts = new AccountCache();
  const tables = createTestTableServices({
    ...{ database, accounts, settings, getEpos, callData: rejectCall },
    intents: new PaymentIntents(accounts, settings),
    sessions: new TerminalSessions(accounts, settings),
    acquirerAddress: environment.resources.address,
    ...{ runnerLeaseMs: 60_000, lockLeaseMs: 600_000, callLimitMs: 60_000 },
    log: createLog({ app: 'test', level: 'fatal' }),
  });
  await tables.start();
  return tables;
}

/** A lock at the EPOS whose lease is over at once, so that it has to be unlocked; the lease's id. */
async function createOverdueLock(scope: Scope, sessionId: string): Promise<string> {
  const requestor = { type: 'cardMachine', terminalId: '90000001', waiterId: 0 } as const;
  const leased = await environment.database.transact(scope, (tx) =>
    new Leases(1).acquire(tx, { sessionId, owner: '90000001', requestor }),
  );
  if (leased.outcome === 'refused') throw new Error('the session is locked');
  return leased.lease.leaseId;
}

/** An acquirer that is asked to reverse and never answers. */
async function startHangingAcquirer(): Promise<{ address: string; asked: () => number; stop: () => void }> {
  const server = new Server();
  let callCount = 0;
  server.addService(AcquirerServiceService, {
    reverse: () => {
      callCount += 1;
    },
  });
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  return { address: `127.0.0.1:${port}`, asked: () => callCount, stop: () => server.forceShutdown() };
}

test('an EPOS that hangs uses only the slots of its account, and all others are unlocked in time', async () => {
  const [silent, prompt] = [createTestScope(), createTestScope()];
  const open = new Set<() => void>();
  let isHanging = true;
  const unlocked: string[] = [];
  for (let number = 0; number < PER_ACCOUNT_MAX + CLAIM_BATCH; number += 1)
    await createOverdueLock(silent, `S-${number}`);
  const done = { outcome: 'answered', value: null } as const;
  const hangUnlock = () =>
    new Promise<typeof done>((resolve) => {
      if (isHanging) open.add(() => resolve(done));
      else resolve(done);
    });
  const answer = (sessionId: string) => {
    unlocked.push(sessionId);
    return Promise.resolve(done);
  };
  const tables = await startGatewayWith((scope) =>
    createUnlockOnlyEpos(scope.accountId === silent.accountId ? hangUnlock : answer),
  );
  await waitUntil(() => open.size >= PER_ACCOUNT_MAX);
  // Each of these is found by another look at the queue, at which a gateway without the limit would have claimed the rest.
  for (let round = 0; round < 3; round += 1) {
    await createOverdueLock(prompt, `T-${round}`);
    await waitUntil(() => unlocked.includes(`T-${round}`));
  }
  expect(open.size).toBe(PER_ACCOUNT_MAX);
  isHanging = false;
  for (const end of open) end();
  // It looks at the locks and payments of all accounts, and its EPOSes can do nothing but unlock.
  await tables.stop();
});

test('a sandbox whose clock is locked keeps no other account from being unlocked', async () => {
  const [locked, other] = [createTestScope(), createTestScope()];
  await environment.database.transact(locked, (tx) => createSandboxClock(tx, null));
  for (const scope of [locked, other]) await createOverdueLock(scope, `S-of-${scope.accountId}`);
  let unlockHanging = (): void => undefined;
  let activeCalls: Promise<void> = Promise.resolve();
  await new Promise<void>((isHeld) => {
    activeCalls = environment.database.transactExclusively(locked, () => {
      isHeld();
      return new Promise<void>((resolve) => (unlockHanging = resolve));
    });
  });
  const unlocked: string[] = [];
  const tables = await startGatewayWith((scope) =>
    createUnlockOnlyEpos(() => {
      // Locks that another test left are unlocked here, too.
      if ([locked, other].some(({ accountId }) => accountId === scope.accountId)) unlocked.push(scope.accountId);
      return Promise.resolve({ outcome: 'answered', value: null });
    }),
  );
  // The second lock is found by another look at the queue, while the claim of the first account still waits.
  await waitUntil(() => unlocked.length > 0);
  await createOverdueLock(other, 'S-later');
  await waitUntil(() => unlocked.length > 1);
  expect(unlocked).toEqual([other.accountId, other.accountId]);
  unlockHanging();
  await activeCalls;
  await waitUntil(() => unlocked.includes(locked.accountId));
  await tables.stop();
});

test('an acquirer that hangs takes no slot of a lock, even of the same account', async () => {
  const acquirer = await startHangingAcquirer();
  const gateway = await environment.startGateway(() => undefined, { address: acquirer.address, deadlineMs: 600_000 });
  environment.eposSimulator.faults.replaceFaults([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
  ]);
  const payments: string[] = [];
  for (let count = 0; count < PER_ACCOUNT_MAX; count += 1) {
    const begun = await environment.startJourney(gateway, environment.findUnpaidSession());
    const paymentId = randomUUID();
    await environment.takePayment(gateway, begun, { mode: 'FULL', paymentId });
    await environment.approvePayment(await environment.getPayment(paymentId));
    payments.push(paymentId);
  }
  await waitUntil(() => acquirer.asked() === PER_ACCOUNT_MAX);
  const leaseId = await createOverdueLock(environment.scope, 'S-of-nobody');
  const timers = () => environment.database.dataSource.query('select from timers where subject = $1', [leaseId]);
  await waitUntil(async () => ((await timers()) as unknown[]).length === 0);
  expect(acquirer.asked()).toBe(PER_ACCOUNT_MAX);
  for (const id of payments) expect((await environment.getPayment(id)).state).not.toBe('GivenBack');
  acquirer.stop();
});
