import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { EposPort } from '@pos/core/ports';
import { AcquirerServiceService } from '@pos/grpc-contracts/acquirer';
import { AccountCache } from '@pos/payments/accounts';
import { Leases } from '@pos/payments/leases';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS as settings } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { openLog } from '@pos/service-kit/log';
import { createSandboxClock } from '@pos/store/clock';
import { createTestScope } from '@pos/store/testing';
import { assembleTables, type Tables } from './journey-assembly.js';
import { TableStage, until } from './testing.js';

jest.setTimeout(60_000);

/** What one account may have under way at once: payments at tables, and locks beside them. */
const OF_ONE_MAX = 16;
/** What it claims of one account at once. */
const CLAIMED_AT_ONCE = 8;

let stage: TableStage;
beforeAll(async () => {
  stage = await TableStage.open();
});
afterAll(() => stage.close());

const never = (): Promise<never> => Promise.reject(new Error('only unlocked here'));

/** EPOSes that are asked to unlock and nothing else. */
function unlocking(unlockSession: EposPort['unlockSession']): EposPort {
  return {
    ...{ getBill: never, lockSession: never, recordPayment: never, recordOnOrder: never, isOnOrder: never },
    unlockSession,
  };
}

/** A gateway whose EPOSes a test plays. */
async function gatewayTo(eposOf: (scope: Scope) => EposPort): Promise<Tables> {
  const database = await stage.parts.test.open();
  const accounts = new AccountCache();
  const tables = assembleTables({
    ...{ database, accounts, settings, eposOf, askOrders: never },
    intents: new PaymentIntents(accounts),
    sessions: new TerminalSessions(accounts, settings),
    acquirerAddress: stage.parts.address,
    ...{ runnerLeaseMs: 60_000, lockLeaseMs: 600_000, callLimitMs: 60_000 },
    log: openLog({ app: 'test', level: 'fatal' }),
  });
  await tables.start();
  return tables;
}

/** A lock at the EPOS whose lease is over at once, so that it has to be unlocked; the lease's id. */
async function overdueLock(scope: Scope, sessionId: string): Promise<string> {
  const requestor = { type: 'cardMachine', terminalId: '90000001', waiterId: 0 } as const;
  const held = await stage.database.transact(scope, (tx) =>
    new Leases(1).acquire(tx, { sessionId, owner: '90000001', requestor }),
  );
  if (held.outcome === 'refused') throw new Error('the session is locked');
  return held.lease.leaseId;
}

/** An acquirer that is asked to reverse and never answers. */
async function hangingAcquirer(): Promise<{ address: string; asked: () => number; stop: () => void }> {
  const server = new Server();
  let asked = 0;
  server.addService(AcquirerServiceService, {
    reverse: () => {
      asked += 1;
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) =>
      error === null ? resolve(taken) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, asked: () => asked, stop: () => server.forceShutdown() };
}

test('an EPOS that hangs keeps the seats of its account, and all others are unlocked in time', async () => {
  const [silent, prompt] = [createTestScope(), createTestScope()];
  const open = new Set<() => void>();
  let isHanging = true;
  const unlocked: string[] = [];
  for (let number = 0; number < OF_ONE_MAX + CLAIMED_AT_ONCE; number += 1) await overdueLock(silent, `S-${number}`);
  const done = { outcome: 'answered', value: null } as const;
  const hang = () =>
    new Promise<typeof done>((resolve) => {
      if (isHanging) open.add(() => resolve(done));
      else resolve(done);
    });
  const answer = (sessionId: string) => {
    unlocked.push(sessionId);
    return Promise.resolve(done);
  };
  const tables = await gatewayTo((scope) => unlocking(scope.accountId === silent.accountId ? hang : answer));
  await until(() => open.size >= OF_ONE_MAX);
  // Each of these is found by another look at the queue, at which a gateway without the limit would have claimed the rest.
  for (let round = 0; round < 3; round += 1) {
    await overdueLock(prompt, `T-${round}`);
    await until(() => unlocked.includes(`T-${round}`));
  }
  expect(open.size).toBe(OF_ONE_MAX);
  isHanging = false;
  for (const end of open) end();
  // It looks at the locks and payments of all accounts, and its EPOSes can do nothing but unlock.
  await tables.stop();
});

test('a sandbox whose clock is locked keeps no other account from being unlocked', async () => {
  const [locked, other] = [createTestScope(), createTestScope()];
  await stage.database.transact(locked, (tx) => createSandboxClock(tx, null));
  for (const scope of [locked, other]) await overdueLock(scope, `S-of-${scope.accountId}`);
  let letGo = (): void => undefined;
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((isHeld) => {
    holding = stage.database.transactExclusively(locked, () => {
      isHeld();
      return new Promise<void>((resolve) => (letGo = resolve));
    });
  });
  const unlocked: string[] = [];
  const tables = await gatewayTo((scope) =>
    unlocking(() => {
      // Locks that another test left are unlocked here, too.
      if ([locked, other].some(({ accountId }) => accountId === scope.accountId)) unlocked.push(scope.accountId);
      return Promise.resolve({ outcome: 'answered', value: null });
    }),
  );
  // The second lock is found by another look at the queue, while the claim of the first account still waits.
  await until(() => unlocked.length > 0);
  await overdueLock(other, 'S-later');
  await until(() => unlocked.length > 1);
  expect(unlocked).toEqual([other.accountId, other.accountId]);
  letGo();
  await holding;
  await until(() => unlocked.includes(locked.accountId));
  await tables.stop();
});

test('an acquirer that hangs takes no seat of a lock, even of the same account', async () => {
  const acquirer = await hangingAcquirer();
  const gateway = await stage.gateway(() => undefined, { address: acquirer.address, deadlineMs: 600_000 });
  stage.door.faults.replace([{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }]);
  const payments: string[] = [];
  for (let count = 0; count < OF_ONE_MAX; count += 1) {
    const begun = await stage.begin(gateway, stage.party());
    const paymentId = randomUUID();
    await stage.take(gateway, begun, { mode: 'FULL', paymentId });
    await stage.approve(await stage.paymentOf(paymentId));
    payments.push(paymentId);
  }
  await until(() => acquirer.asked() === OF_ONE_MAX);
  const leaseId = await overdueLock(stage.scope, 'S-of-nobody');
  const timers = () => stage.database.dataSource.query('select from timers where subject = $1', [leaseId]);
  await until(async () => ((await timers()) as unknown[]).length === 0);
  expect(acquirer.asked()).toBe(OF_ONE_MAX);
  for (const id of payments) expect((await stage.paymentOf(id)).state).not.toBe('GivenBack');
  acquirer.stop();
});
