import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SYSTEM_ACCOUNT_ID, SYSTEM_SCOPE } from '@pos/core/administration';
import type { Scope } from '@pos/core/identity';
import type { Finding } from '@pos/core/ledger';
import { DAY_MS } from '@pos/core/time';
import type { Database } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import {
  type AuditCursor,
  findReconciliationProgress,
  scheduleServiceReconciliation,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { verifyAuditStep } from '@pos/store/repositories';
import { listAuditLog } from './audit-log.js';
import { createPendingAdministration } from '../pending-work/pending-composition.js';
import { createPortalUser } from '../portal/portal-user-administration.js';
import { createTestAccount, createTestEnvironment, type TestEnvironment } from '@pos/payments/testing';
import { createTimerEffects } from '@pos/payments/timers';

const CHANGE = { actor: 'ann', reason: 'a test of the check' };

let environment: TestEnvironment;
let owner: Database;
let alarms: (Finding & { readonly scope: Scope })[];
let ended: Readonly<Record<string, unknown>>[];
beforeAll(async () => {
  environment = await createTestEnvironment();
  owner = await environment.testDatabase.open({ url: environment.testDatabase.ownerUrl });
  await createPortalUser(environment.database, CHANGE, {
    ...{ email: 'ann@service.example', name: 'Ann Lee', password: 'three quiet horses 9', isOperator: false },
  });
});
beforeEach(() => {
  alarms = [];
  ended = [];
});
afterAll(() => environment.close());

const sql = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
  owner.dataSource.query(text, [...values]);
const pending = () => createPendingAdministration(environment.database, { callPendingMs: 60_000 });
const lines = async () =>
  (await pending().listAll(environment.database)).filter(({ scope }) => scope.accountId === SYSTEM_ACCOUNT_ID);

/** Works the chains of a scope as the worker does, once. */
async function check(scope: Scope): Promise<void> {
  const effects = createTimerEffects({
    ...environment,
    reconciliationReport: {
      onFound: (of, finding) => alarms.push({ ...finding, scope: of }),
      onEnded: (_, result) => ended.push(result),
    },
  });
  await environment.database.transact(scope, async (tx) => {
    schedule(tx, { kind: 'reconciliation', subject: 'chains', dueInMs: 0, isRepeat: true });
    await Promise.resolve();
  });
  const claimed = await environment.queue.claim(scope, ['reconciliation'], { limit: 2, leaseMs: 60_000 });
  for (const timer of claimed) await effects.reconciliation(timer);
}

function insertEntries({ accountId, environment: environmentName }: Scope, count: number): Promise<unknown> {
  return sql(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
     select $1, $2, 'many ' || n, 'ann', 'Migrate', 'subject ' || n, 'r', now() from generate_series(1, $3::int) n`,
    [accountId, environmentName, count],
  );
}

test('the check of the log of the service begins once, and runs daily', async () => {
  const dueIn = () =>
    sql(
      `select subject, is_repeat, extract(epoch from due_at - clock_timestamp()) * 1000 as in_ms from timers
       where account_id = $1 and environment = 'production' and kind = 'reconciliation'`,
      [SYSTEM_ACCOUNT_ID],
    );
  expect(await dueIn()).toEqual([]);
  const begin = () => environment.database.transact(SYSTEM_SCOPE, async (tx) => scheduleServiceReconciliation(tx));
  await begin();
  const [first] = (await dueIn()) as [{ in_ms: string }];
  expect(first).toMatchObject({ subject: 'chains', is_repeat: true });
  expect(Number(first.in_ms)).toBeCloseTo(DAY_MS / 24, -6);
  await check(SYSTEM_SCOPE);
  const [{ in_ms: inMs }] = (await dueIn()) as [{ in_ms: string }];
  expect(Number(inMs)).toBeCloseTo(DAY_MS, -6);
  // Each start of a worker begins it.
  await begin();
  const [{ in_ms: keptMs }] = (await dueIn()) as [{ in_ms: string }];
  expect(Number(keptMs)).toBeCloseTo(DAY_MS, -6);
  expect([alarms, ended]).toMatchObject([[], [{ check: 'chains', auditEntries: expect.any(Number), found: 0 }]]);
});

test('a changed entry of the service is one alarm and a line of the pending list, until it is as it was', async () => {
  const edit = (name: string) =>
    sql(`update audit_entries set actor = $1 where account_id = $2 and action = 'CreatePortalUser'`, [
      name,
      SYSTEM_ACCOUNT_ID,
    ]);
  await edit('bob');
  await check(SYSTEM_SCOPE);
  await check(SYSTEM_SCOPE);
  expect(alarms).toMatchObject([{ kind: 'BrokenChain', reference: 'audit log', scope: SYSTEM_SCOPE }]);
  expect(alarms[0]?.says).toContain('was changed after it was written');
  const [line, ...others] = await lines();
  expect([line, others]).toMatchObject([{ kind: 'Difference', state: 'BrokenChain', isAlarming: true }, []]);
  await environment.database.transact(SYSTEM_SCOPE, (tx) => pending().answerDifference(tx, CHANGE, line?.id ?? ''));
  expect(await lines()).toEqual([]);
  const [entry] = await listAuditLog(environment.database, SYSTEM_ACCOUNT_ID, { before: null, limit: 1 });
  expect(entry).toMatchObject({ action: 'AnswerDifference', subject: line?.id });
  await edit('ann');
  await check(SYSTEM_SCOPE);
  expect(await sql('select state from reconciliation_differences where account_id = $1', [SYSTEM_ACCOUNT_ID])).toEqual([
    { state: 'Closed' },
  ]);
});

test('a log of the service that was removed with its end is found', async () => {
  await sql('create table kept_entries as select * from audit_entries where account_id = $1', [SYSTEM_ACCOUNT_ID]);
  await sql('create table kept_chains as select * from audit_chains where account_id = $1', [SYSTEM_ACCOUNT_ID]);
  await sql('delete from audit_entries where account_id = $1', [SYSTEM_ACCOUNT_ID]);
  await sql('delete from audit_chains where account_id = $1', [SYSTEM_ACCOUNT_ID]);
  await check(SYSTEM_SCOPE);
  expect(alarms).toMatchObject([{ says: expect.stringContaining('the log has no entries'), scope: SYSTEM_SCOPE }]);
  await sql('alter table audit_entries disable trigger audit_entry_chain');
  await sql('insert into audit_entries select * from kept_entries');
  await sql('insert into audit_chains select * from kept_chains');
  await sql('alter table audit_entries enable trigger audit_entry_chain');
  await check(SYSTEM_SCOPE);
  expect(await lines()).toEqual([]);
});

test('a long log is checked in steps, and a check that was interrupted continues where it ended', async () => {
  const { scope } = await createTestAccount(environment);
  await insertEntries(scope, 2_600);
  const { next } = await environment.database.readSnapshot(scope, (snapshot) => verifyAuditStep(snapshot, null, 2_000));
  const keep = (auditCursor: AuditCursor | null) =>
    environment.database.transact(scope, (tx) => updateReconciliationProgress(tx, () => ({ auditCursor })));
  await keep(next);
  await sql(`update audit_entries set actor = 'bob' where account_id = $1 and id = 'many 2500'`, [scope.accountId]);
  await check(scope);
  expect(alarms.map(({ says }) => says)).toEqual([expect.stringContaining('was changed after it was written')]);
  const [{ auditEntries }] = ended as [{ auditEntries: number }];
  expect(auditEntries).toBeGreaterThanOrEqual(600);
  expect(auditEntries).toBeLessThan(700);
  const progress = await environment.database.read(scope, findReconciliationProgress);
  expect([progress.auditCursor, progress.chainsCheckedAt]).toEqual([null, expect.any(Date)]);
});

test('what an earlier step has found stays open at the end of the check', async () => {
  const { scope } = await createTestAccount(environment);
  await insertEntries(scope, 2_600);
  await sql(`update audit_entries set actor = 'bob' where account_id = $1 and id = 'many 5'`, [scope.accountId]);
  await check(scope);
  await check(scope);
  expect(alarms).toHaveLength(1);
  expect(await sql('select state from reconciliation_differences where account_id = $1', [scope.accountId])).toEqual([
    { state: 'Open' },
  ]);
});
