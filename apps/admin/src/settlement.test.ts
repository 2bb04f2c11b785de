import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type CommandEnvironment,
  createCommandEnvironment,
  declareAcquirer,
  REASON,
} from './testing/command-environment.js';

let environment: CommandEnvironment;
let account: string;
let folder: string;

beforeAll(async () => {
  environment = await createCommandEnvironment();
  account = await environment.createAccount();
  await declareAcquirer(environment);
  folder = mkdtempSync(path.join(tmpdir(), 'pos-settlement-'));
});
afterAll(async () => {
  await environment.close();
  rmSync(folder, { recursive: true });
});

const HEADER = 'reference,kind,amount,currency,booked_on,batch,fee';

function importFile(name: string, content: string | null, more: readonly string[] = []) {
  const file = path.join(folder, name);
  if (content !== null) writeFileSync(file, content);
  return environment.run(['settlement', 'import', '--account', account, '--file', file, ...more, ...REASON]);
}

test('a settlement file is imported, its differences are findings, and the audit log has the import', async () => {
  const content = `${HEADER}\ncp_unknown,capture,2000,GBP,2025-03-02,B-0417,14\n`;
  const first = await importFile('today.csv', content);
  expect([first.exitCode, first.error]).toEqual([1, '']);
  expect(first.output).toContain('1 lines of 2025-03-02 to 2025-03-02: imported, 1 differences');
  expect(first.output).toContain('NotAskedFor');
  const again = await importFile('today.csv', content);
  expect([again.exitCode, again.output]).toEqual([0, expect.stringContaining('already imported')]);
  const entries = await environment.query<{ after: { readonly lineCount: number; readonly isRepeat: boolean } }>(
    `select state_after as after from audit_entries where account_id = $1 and action = 'ImportSettlementFile' order by created_at`,
    [account],
  );
  expect(entries.map(({ after }) => [after.lineCount, after.isRepeat])).toEqual([
    [1, false],
    [1, true],
  ]);
});

test.each<[string, string, string | null, readonly string[], string]>([
  ['a file that is not there', 'none.csv', null, [], 'cannot be read'],
  ['a bad amount', 'bad.csv', `${HEADER}\nr,capture,20.00,GBP,2025-03-02,B,`, [], 'line 2, amount'],
  ['another form', 'today.csv', `${HEADER}\n`, ['--format', 'jsonl'], 'line 1'],
  ['a line of the future', 'future.csv', `${HEADER}\nr,capture,2000,GBP,2999-03-02,B,`, [], 'line 2, booked_on'],
  ['an unknown acquirer', 'other.csv', `${HEADER}\n`, ['--acquirer', 'nroth'], 'acquirer'],
])('%s is refused', async (_, name, content, more, named) => {
  const { exitCode, output, error } = await importFile(name, content, more);
  expect([exitCode > 0, output]).toEqual([true, '']);
  expect(error).toContain(named);
});

test('days without a file are stated, and the worker compares what waited for them', async () => {
  const words = ['settlement', 'declare-empty', '--account', account, '--from', '2025-03-07', '--to', '2025-03-09'];
  const { exitCode, output } = await environment.run([...words, ...REASON]);
  expect([exitCode, output]).toEqual([0, 'default settled nothing on 2025-03-07, 2025-03-08, 2025-03-09\n']);
  expect(
    await environment.query(`select day::text from settlement_days where account_id = $1 and file_hash is null`, [
      account,
    ]),
  ).toHaveLength(3);
  const [timer] = await environment.query<{ isDue: boolean }>(
    `select due_at <= now() as "isDue" from timers
     where account_id = $1 and environment = 'production' and kind = 'reconciliation' and subject = 'acquirer'`,
    [account],
  );
  expect(timer).toEqual({ isDue: true });
});

test.each<[string, string, string, readonly string[], string]>([
  ['a day that has not ended', '2025-03-07', '2999-03-07', [], '--to must be a day that has ended'],
  ['a span that ends before it begins', '2025-03-07', '2025-03-01', [], '--from must not be after'],
  ['no day', 'yesterday', '2025-03-01', [], '--from must be a day'],
  ['more than 31 days', '2025-01-01', '2025-03-01', [], 'at most 31 days'],
  ['an unknown acquirer', '2025-03-01', '2025-03-01', ['--acquirer', 'nroth'], 'acquirer'],
])('the statement of empty days refuses %s', async (_, from, to, more, named) => {
  const words = ['settlement', 'declare-empty', '--account', account, '--from', from, '--to', to, ...more];
  const { exitCode, output, error } = await environment.run([...words, ...REASON]);
  expect([exitCode > 0, output]).toEqual([true, '']);
  expect(error).toContain(named);
});

test('a comparison names the days that wait for settlement and the acquirers that could not be read', async () => {
  await environment.query(
    `insert into uncompared_days (account_id, environment, acquirer, day, reason, problem, since)
     values ($1, 'production', 'default', '2025-03-02', 'WaitingForSettlement', null, now()),
       ($1, 'production', 'north', '2025-03-03', 'BooksUnread', 'the acquirer is down', now()),
       ($1, 'production', 'north', '2025-02-28', 'BooksUnread', 'before the span', now()),
       ($1, 'production', 'north', '2025-03-04', 'BooksUnread', 'on the last day', now()),
       ($1, 'production', 'north', '2025-03-05', 'BooksUnread', 'after the span', now())`,
    [account],
  );
  const words = ['reconcile', '--account', account, '--from', '2025-03-01', '--to', '2025-03-05', '--wait', '0'];
  const { exitCode, output } = await environment.run([...words, ...REASON]);
  expect(exitCode).toBe(1);
  expect(output).toContain('2025-03-02 default: waiting for settlement');
  expect(output).toContain('2025-03-03 north: not read: the acquirer is down');
  expect(output).toContain('on the last day');
  expect(output).not.toContain('before the span');
  // The end of the span is exclusive.
  expect(output).not.toContain('after the span');
});
