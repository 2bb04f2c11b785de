import { expect, test } from '@jest/globals';
import { EposRefusal } from './reference-epos.js';
import {
  NO_FILTER,
  createTestEpos,
  type TestEpos,
  createGbp,
  lockOpenSession,
  MACHINE_REQUESTOR,
  NOON,
  createPayment,
  recordTestPayment,
  unlockOpenSession,
} from '../testing/builders.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

function runForOutcome(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof EposRefusal) return error.code;
    throw error;
  }
}

test.each<[string, (testEpos: TestEpos) => unknown, string]>([
  ['get a session', ({ epos, open }) => epos.getSession(open.id), 'ok'],
  ['get a session in capitals', ({ epos, open }) => epos.getSession(open.id.toUpperCase()), 'ok'],
  ['get an unknown session', ({ epos }) => epos.getSession(UNKNOWN_ID), 'SESSION_NO_SUCH_SESSION'],
  ['get a finished session', ({ epos, finished }) => epos.getSession(finished.id), 'ok'],
  ['get an unknown table', ({ epos }) => epos.getTable('77'), 'SESSION_NO_SUCH_SESSION'],
  ['bill of an unknown session', ({ epos }) => epos.getBill(UNKNOWN_ID), 'SESSION_NO_SUCH_SESSION'],
  ['bill before anything was ordered', ({ epos, withoutBill }) => epos.getBill(withoutBill.id), 'BILL_NO_SUCH_BILL'],
  ['bill of a finished session', ({ epos, finished }) => epos.getBill(finished.id), 'ok'],
  ['lock an unknown session', ({ epos }) => epos.lockSession(UNKNOWN_ID, MACHINE_REQUESTOR), 'SESSION_NO_SUCH_SESSION'],
  ['lock', ({ epos, open }) => epos.lockSession(open.id, MACHINE_REQUESTOR), 'ok'],
  [
    'lock before anything was ordered',
    ({ epos, withoutBill }) => epos.lockSession(withoutBill.id, MACHINE_REQUESTOR),
    'ok',
  ],
  [
    'lock twice',
    (testEpos) => {
      lockOpenSession(testEpos);
      lockOpenSession(testEpos);
    },
    'SESSION_ALREADY_LOCKED',
  ],
  ['read while locked', (testEpos) => (lockOpenSession(testEpos), testEpos.epos.getBill(testEpos.open.id)), 'ok'],
  [
    'unlock an unknown session',
    ({ epos }) => {
      epos.unlockSession(UNKNOWN_ID);
    },
    'SESSION_NO_SUCH_SESSION',
  ],
  [
    'unlock what is not locked',
    ({ epos, open }) => {
      epos.unlockSession(open.id);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'unlock twice',
    (testEpos) => {
      lockOpenSession(testEpos);
      unlockOpenSession(testEpos);
      unlockOpenSession(testEpos);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record on an unknown session',
    ({ epos }) => {
      epos.recordPayment(createPayment(UNKNOWN_ID));
    },
    'SESSION_NO_SUCH_SESSION',
  ],
  [
    'record without a lock',
    (testEpos) => {
      recordTestPayment(testEpos);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record after the unlock',
    (testEpos) => {
      lockOpenSession(testEpos);
      unlockOpenSession(testEpos);
      recordTestPayment(testEpos);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
    },
    'ok',
  ],
  [
    'record the same again',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
      recordTestPayment(testEpos);
    },
    'PAYMENT_ALREADY_RECORDED',
  ],
  [
    'record the same again after the unlock: the lock is checked first',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
      unlockOpenSession(testEpos);
      recordTestPayment(testEpos);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record the same again under a new lock',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
      unlockOpenSession(testEpos);
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
    },
    'PAYMENT_ALREADY_RECORDED',
  ],
  ...[
    { base: createGbp(499) },
    { gratuity: createGbp(99) },
    { cashback: createGbp(1) },
    { attemptedAt: new Date(NOON.getTime() + 1) },
  ].map((other): [string, (testEpos: TestEpos) => unknown, string] => [
    `record the same id with other values ${JSON.stringify(other)}`,
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos);
      recordTestPayment(testEpos, other);
    },
    'PAYMENT_NOT_RECORDED',
  ]),
  [
    'record all that is owed',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos, { base: testEpos.owed });
    },
    'ok',
  ],
  [
    'record a penny too much',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos, { base: createGbp(testEpos.owed.value + 1) });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record nothing',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos, { base: createGbp(0) });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record in another currency',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos, { base: { value: 500, currencyCode: 'EUR' } });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record on a finished session',
    ({ epos, finished }) => {
      epos.lockSession(finished.id, MACHINE_REQUESTOR);
      epos.recordPayment(createPayment(finished.id));
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'an unsuccessful attempt without a lock',
    (testEpos) => {
      recordTestPayment(testEpos, { isSuccessful: false });
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'an unsuccessful attempt',
    (testEpos) => {
      lockOpenSession(testEpos);
      recordTestPayment(testEpos, { isSuccessful: false });
    },
    'ok',
  ],
  [
    'a known waiter',
    ({ epos }) => {
      epos.requireKnownWaiter({ ...MACHINE_REQUESTOR, waiterId: 1 });
    },
    'ok',
  ],
  [
    'no waiter',
    ({ epos }) => {
      epos.requireKnownWaiter({ ...MACHINE_REQUESTOR, waiterId: 0 });
    },
    'ok',
  ],
  [
    'an unknown waiter',
    ({ epos }) => {
      epos.requireKnownWaiter({ ...MACHINE_REQUESTOR, waiterId: 99 });
    },
    'WAITER_INCORRECT_WAITER_ID',
  ],
  [
    'waiter rules do not apply to devices of payers',
    ({ epos }) => {
      epos.requireKnownWaiter({ kind: 'consumerDevice', terminalId: null, waiterId: 99 });
    },
    'ok',
  ],
])('%s', (_, work, then) => {
  const testEpos = createTestEpos();
  expect(runForOutcome(() => work(testEpos))).toBe(then);
});

test('a payment changes the balance once by its base amount, however often it is repeated; an unsuccessful one never', () => {
  const testEpos = createTestEpos();
  lockOpenSession(testEpos);
  recordTestPayment(testEpos, { isSuccessful: false });
  expect(testEpos.epos.getBill(testEpos.open.id).paid).toEqual(createGbp(0));
  recordTestPayment(testEpos);
  expect(
    runForOutcome(() => {
      recordTestPayment(testEpos);
    }),
  ).toBe('PAYMENT_ALREADY_RECORDED');
  expect(testEpos.epos.getBill(testEpos.open.id).paid).toEqual(createGbp(500));
  expect(testEpos.epos.listPayments()).toHaveLength(1);
  expect(testEpos.epos.listUnsuccessfulAttempts()).toHaveLength(1);
});

test('recording leaves the session locked', () => {
  const testEpos = createTestEpos();
  lockOpenSession(testEpos);
  recordTestPayment(testEpos);
  expect(testEpos.epos.listLocks()).toMatchObject([{ sessionId: testEpos.open.id, requestor: MACHINE_REQUESTOR }]);
});

test.each([
  [{ isPayable: true }, 10],
  [{ isFinished: true }, 1],
  [{ hasTable: false }, 1],
  [{ hasTable: false, isFinished: true }, 0],
  [{ isPayable: true, tableNames: ['1', 'T1'] }, 2],
  [{ tableNames: ['nowhere'] }, 0],
  [{ isPayable: false, isFinished: false }, 1],
])('sessions filtered by %j: %d', (filter, count) => {
  expect(createTestEpos().epos.listSessions({ ...NO_FILTER, ...filter })).toHaveLength(count);
});

test('tables are listed by status, any of them', () => {
  const { epos } = createTestEpos();
  const count = (...statuses: Parameters<typeof epos.listTables>[0]) => epos.listTables(statuses).length;
  expect(count('Occupied') + count('Available') + count('PendingAvailable') + count('NotInUse')).toBe(count());
  expect(count('NotInUse', 'PendingAvailable')).toBe(2);
});
