import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CLAUSE_FLOWS } from '../clause-coverage/clause-flows.js';
import { CLAUSES } from './clauses.js';
import { clausesDocument } from '../clause-coverage/clauses-document.js';
import { DATA_FLOWS, FLOWS } from '../flows/flows.js';

const golden = new URL('../../../../docs/reference/epos-clauses.md', import.meta.url);

test('the document for EPOS developers is generated from the clauses; UPDATE_GOLDEN=1 rewrites it', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, clausesDocument());
  expect(readFileSync(golden, 'utf8')).toBe(clausesDocument());
});

test('every clause states what the EPOS does, in one unique sentence', () => {
  const sentences = Object.values<string>(CLAUSES);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{15,180}\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('every clause is checked by a step', () => {
  const folders = ['..', '../flows', '../flow-context', '../steps', '../runs', '../clause-coverage'].map(
    (folder) => new URL(`${folder}/`, import.meta.url),
  );
  const code = folders
    .flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)))
    .filter(
      ({ pathname }) => pathname.endsWith('.ts') && !/\.test\.ts$|clauses\.ts$|\/clause-flows\.ts$/.test(pathname),
    )
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(CLAUSES).filter((id) => !code.includes(`'${id}'`))).toEqual([]);
});

describe('every clause', () => {
  const flows = FLOWS.map(({ name }) => name);

  test.each(Object.entries(CLAUSE_FLOWS))('%s is shown by flows that there are', (_, shown) => {
    expect(shown.flows.filter((name) => !flows.includes(name))).toEqual([]);
    expect(shown.flows).not.toEqual([]);
    if (shown.by !== null) expect(shown.by).toMatch(/^(every flow|the flow of every)/);
  });
});

test('every flow of the EPOS Data API tests at least one clause of its own', () => {
  const showing = new Set(Object.values(CLAUSE_FLOWS).flatMap(({ flows, by }) => (by === null ? flows : [])));
  expect(DATA_FLOWS.map(({ name }) => name).filter((name) => !showing.has(name))).toEqual([]);
});

/** The default parameters of a run. */
const params = {
  ...({ transport: 'auto', timeoutSeconds: 30, sessionId: null, tableName: null, waiterId: null } as const),
  ...{ orderId: null, areaId: null, tableId: null, partyId: null, reservationId: null, fromTime: null, toTime: null },
  ...{ amount: null, gratuity: 0, people: 2, payableOnly: true, lockSeconds: 60, waitSeconds: 70 },
};

test('the flows and their steps', () => {
  const listed = FLOWS.map(
    ({ name, steps }) => `${name}: ${[...steps(params).map((step) => step.name), 'cleanup'].join(', ')}`,
  );
  expect(`\n${listed.join('\n')}\n`).toMatchInlineSnapshot(`
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
   tables-consumer-device: ListSessions, LockSession, pay, RecordPayment, UnlockSession, balance, cleanup
   tables-split: ListSessions, LockSession 1, pay 1, RecordPayment 1, UnlockSession 1, balance 1, LockSession 2, pay 2, RecordPayment 2, UnlockSession 2, balance 2, cleanup
   tables-lock-rules: ListSessions, UnlockSession unlocked, LockSession, LockSession twice, UnlockSession, RecordPayment unlocked, cleanup
   tables-record-duplicate: ListSessions, LockSession, pay, RecordPayment, RecordPayment again, RecordPayment changed, balance, UnlockSession, cleanup
   tables-declined-payment: ListSessions, LockSession, RecordPayment declined, balance, UnlockSession, cleanup
   tables-unknown: unknown session, unknown table, unknown bill, cleanup
   ListAreas: registered, call, check-schema, cleanup
   SearchTables: registered, call, check-schema, cleanup
   CreateOrder: registered, call, check-schema, cleanup
   GetOrderById: registered, call, check-schema, cleanup
   CancelOrderById: registered, call, check-schema, cleanup
   SearchOrders: registered, call, check-schema, cleanup
   CreateOrderLock: registered, call, check-schema, cleanup
   ExtendOrderLock: registered, call, check-schema, cleanup
   DeleteOrderLock: registered, call, check-schema, cleanup
   GetOrderBillById: registered, call, check-schema, cleanup
   RecordOrderPaymentById: registered, call, check-schema, cleanup
   CreateParty: registered, call, check-schema, cleanup
   GetPartyById: registered, call, check-schema, cleanup
   UpdateParty: registered, call, check-schema, cleanup
   DeletePartyById: registered, call, check-schema, cleanup
   SearchParties: registered, call, check-schema, cleanup
   CreateReservation: registered, call, check-schema, cleanup
   GetReservationById: registered, call, check-schema, cleanup
   UpdateReservation: registered, call, check-schema, cleanup
   DeleteReservationById: registered, call, check-schema, cleanup
   SearchReservations: registered, call, check-schema, cleanup
   HandleEvent:payment_intent.created: registered, call, check-schema, cleanup
   HandleEvent:payment_intent.status_updated: registered, call, check-schema, cleanup
   pay-in-full: search, read, lock, pay, record, check-paid, unlock, cleanup
   split-equal: search, read, lock, pay 1, record 1, check-paid 1, pay 2, record 2, check-paid 2, unlock, cleanup
   split-custom: search, read, lock, pay 1, record 1, check-paid 1, pay 2, record 2, check-paid 2, unlock, cleanup
   tip: search, read, lock, pay, record, check-paid, unlock, cleanup
   read-while-locked: registered, search, lock, read, search locked, unlock, cleanup
   lock-conflict: registered, search, lock, second lock, unlock, lock again, cleanup
   lock-expiry: registered, search, lock, wait, second lock, unlock, cleanup
   lock-extend: registered, search, lock, extend, second lock, unlock, cleanup
   record-without-lock: registered, search, pay, record, check-paid, cleanup
   record-duplicate: search, lock, pay, record, record again, check-paid, unlock, cleanup
   record-conflict-reversed: search, lock, pay, record, reversed, check-paid, unlock, cleanup
   record-unanswered: search, lock, pay, record, record again, check-paid, unlock, cleanup
   unknown-order: registered, unknown order, cleanup
   pagination: registered, SearchOrders, SearchTables, SearchParties, SearchReservations, cleanup
   bad-credentials: registered, wrong password, cleanup
   reconnect: connected, lock, close, connected again, call, second lock, unlock, cleanup
   order-and-pay: registered, authorise, create, create again, find, capture, event, cleanup
   party-lifecycle: registered, create, get, update, search, delete, get deleted, cleanup
   reservation-lifecycle: registered, create, get, update, search, delete, get deleted, cleanup
   "
  `);
});
