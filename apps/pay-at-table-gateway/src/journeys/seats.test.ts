import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { EposPort } from '@pos/core/ports';
import { Accounts } from '@pos/payments/accounts';
import { Leases } from '@pos/payments/leases';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS as settings } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { openLog } from '@pos/service-kit/log';
import { freshScope } from '@pos/store/testing';
import { assembleTables, type Tables } from './journey-assembly.js';
import { TableStage, until } from './testing.js';

jest.setTimeout(60_000);

/** What one account may have under way at once: payments at tables, and locks beside them. */
const OF_ONE_MAX = 16;
/** All that a gateway works of one kind at once. */
const ALL_MAX = 64;

let stage: TableStage;
const opened: Tables[] = [];
beforeAll(async () => {
  stage = await TableStage.open();
});
afterEach(() => stage.acquirer.rules.replace([]));
afterAll(async () => {
  await Promise.all(opened.map((tables) => tables.stop()));
  await stage.close();
});

const never = (): Promise<never> => Promise.reject(new Error('only unlocked here'));

/** EPOSes that are asked to unlock and nothing else. */
function unlocking(unlockSession: EposPort['unlockSession']): EposPort {
  return {
    ...{ getBill: never, lockSession: never, recordPayment: never, recordOnOrder: never, isOnOrder: never },
    unlockSession,
  };
}

/** A gateway whose EPOSes a test plays. */
async function gatewayTo(eposOf: (scope: Scope) => EposPort): Promise<void> {
  const database = await stage.parts.test.open();
  const accounts = new Accounts();
  const tables = assembleTables({
    ...{ database, accounts, settings, eposOf, askOrders: never },
    intents: new PaymentIntents(accounts),
    sessions: new TerminalSessions(accounts, settings),
    acquirerAddress: stage.parts.address,
    ...{ runnerLeaseMs: 60_000, lockLeaseMs: 600_000, callLimitMs: 60_000 },
    log: openLog({ app: 'test', level: 'fatal' }),
  });
  opened.push(tables);
  await tables.start();
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

test('an EPOS that hangs keeps the seats of its account, and all others are unlocked in time', async () => {
  const [silent, prompt] = [freshScope(), freshScope()];
  const open = new Set<() => void>();
  const unlocked: string[] = [];
  for (let number = 0; number < ALL_MAX + OF_ONE_MAX; number += 1) await overdueLock(silent, `S-${number}`);
  const hang = () =>
    new Promise<{ outcome: 'answered'; value: null }>((resolve) => {
      open.add(() => resolve({ outcome: 'answered', value: null }));
    });
  const answer = (sessionId: string) => {
    unlocked.push(sessionId);
    return Promise.resolve({ outcome: 'answered', value: null } as const);
  };
  await gatewayTo((scope) => unlocking(scope.accountId === silent.accountId ? hang : answer));
  await until(() => open.size >= OF_ONE_MAX);
  // In so many rounds a gateway without the limit would have claimed every lock of the silent EPOS.
  for (let round = 0; round < (2 * ALL_MAX) / OF_ONE_MAX + 2; round += 1) {
    await overdueLock(prompt, `T-${round}`);
    await until(() => unlocked.includes(`T-${round}`));
  }
  expect(open.size).toBe(OF_ONE_MAX);
  for (const end of open) end();
});

test('an acquirer that hangs takes no seat of a lock, even of the same account', async () => {
  const gateway = await stage.gateway(() => undefined, 600_000);
  stage.door.faults.replace([{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }]);
  stage.acquirer.rules.replace([{ match: { kind: 'Reverse' }, effect: 'delay', delayMs: 600_000 }]);
  const payments: string[] = [];
  for (let count = 0; count < OF_ONE_MAX; count += 1) {
    const begun = await stage.begin(gateway, stage.party());
    const paymentId = randomUUID();
    await stage.take(gateway, begun, { mode: 'FULL', paymentId });
    await stage.approve(await stage.paymentOf(paymentId));
    payments.push(paymentId);
  }
  const asked = () => stage.acquirer.rules.list()[0]?.used;
  await until(() => asked() === OF_ONE_MAX);
  const leaseId = await overdueLock(stage.scope, 'S-of-nobody');
  const timers = () => stage.database.dataSource.query('select from timers where subject = $1', [leaseId]);
  await until(async () => ((await timers()) as unknown[]).length === 0);
  expect(asked()).toBe(OF_ONE_MAX);
  for (const id of payments) expect((await stage.paymentOf(id)).state).not.toBe('GivenBack');
});
