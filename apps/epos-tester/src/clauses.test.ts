import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CLAUSES, clausesDocument } from './clauses.js';
import { FLOWS } from './flows.js';

const golden = new URL('../../../docs/epos-clauses.md', import.meta.url);

test('the document for EPOS developers is the one that the clauses make; UPDATE_GOLDEN=1 writes it anew', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, clausesDocument());
  expect(readFileSync(golden, 'utf8')).toBe(clausesDocument());
});

test('every clause says what the EPOS does, in one sentence of its own', () => {
  const sentences = Object.values<string>(CLAUSES);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{15,180}\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('every clause is checked by some step', () => {
  const folders = ['.', './flows'].map((folder) => new URL(`${folder}/`, import.meta.url));
  const code = folders
    .flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)))
    .filter(({ pathname }) => pathname.endsWith('.ts') && !/\.test\.ts$|\/clauses\.ts$/.test(pathname))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(CLAUSES).filter((id) => !code.includes(`'${id}'`))).toEqual([]);
});

test('the flows and their steps', () => {
  const params = {
    ...({ transport: 'auto', timeoutSeconds: 30, sessionId: null, tableName: null, waiterId: null } as const),
    ...{ amount: null, gratuity: 0, people: 2, payableOnly: true },
  };
  const told = FLOWS.map(
    ({ name, steps }) => `${name}: ${[...steps(params).map((step) => step.name), 'cleanup'].join(', ')}`,
  );
  expect(`\n${told.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   ListSessions: connected, call, check-schema, cleanup
   GetSession: connected, call, check-schema, cleanup
   ListTables: connected, call, check-schema, cleanup
   GetTable: connected, call, check-schema, cleanup
   GetBillItems: connected, call, check-schema, cleanup
   ListBillItems: connected, call, check-schema, cleanup
   GetFullBill: connected, call, check-schema, cleanup
   LockSession: connected, call, check-schema, cleanup
   UnlockSession: connected, call, check-schema, cleanup
   RecordPayment: connected, call, check-schema, cleanup
   tables-pay-in-full: ListSessions, LockSession, pay, RecordPayment, UnlockSession, balance, cleanup
   tables-split: ListSessions, LockSession 1, pay 1, RecordPayment 1, UnlockSession 1, balance 1, LockSession 2, pay 2, RecordPayment 2, UnlockSession 2, balance 2, cleanup
   tables-lock-rules: ListSessions, UnlockSession unlocked, LockSession, LockSession twice, UnlockSession, RecordPayment unlocked, cleanup
   tables-record-duplicate: ListSessions, LockSession, pay, RecordPayment, RecordPayment again, RecordPayment changed, balance, UnlockSession, cleanup
   tables-declined-payment: ListSessions, LockSession, RecordPayment declined, balance, UnlockSession, cleanup
   tables-unknown: unknown session, unknown table, unknown bill, cleanup
   "
  `);
});
