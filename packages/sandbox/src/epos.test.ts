import { expect, test } from '@jest/globals';
import { EposRefusal } from './epos.js';
import {
  EVERYTHING,
  eposForTest,
  type EposStand,
  gbp,
  lock,
  MACHINE,
  NOON,
  payment,
  record,
  unlock,
} from './testing.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

function saidTo(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof EposRefusal) return error.code;
    throw error;
  }
}

test.each<[string, (stand: EposStand) => unknown, string]>([
  ['get a session', ({ epos, open }) => epos.getSession(open.id), 'ok'],
  ['get a session in capitals', ({ epos, open }) => epos.getSession(open.id.toUpperCase()), 'ok'],
  ['get an unknown session', ({ epos }) => epos.getSession(UNKNOWN_ID), 'SESSION_NO_SUCH_SESSION'],
  ['get a finished session', ({ epos, finished }) => epos.getSession(finished.id), 'ok'],
  ['get an unknown table', ({ epos }) => epos.getTable('77'), 'SESSION_NO_SUCH_SESSION'],
  ['bill of an unknown session', ({ epos }) => epos.getBill(UNKNOWN_ID), 'SESSION_NO_SUCH_SESSION'],
  ['bill before anything was ordered', ({ epos, withoutBill }) => epos.getBill(withoutBill.id), 'BILL_NO_SUCH_BILL'],
  ['bill of a finished session', ({ epos, finished }) => epos.getBill(finished.id), 'ok'],
  ['lock an unknown session', ({ epos }) => epos.lock(UNKNOWN_ID, MACHINE), 'SESSION_NO_SUCH_SESSION'],
  ['lock', ({ epos, open }) => epos.lock(open.id, MACHINE), 'ok'],
  ['lock before anything was ordered', ({ epos, withoutBill }) => epos.lock(withoutBill.id, MACHINE), 'ok'],
  [
    'lock twice',
    (stand) => {
      lock(stand);
      lock(stand);
    },
    'SESSION_ALREADY_LOCKED',
  ],
  ['read while locked', (stand) => (lock(stand), stand.epos.getBill(stand.open.id)), 'ok'],
  [
    'unlock an unknown session',
    ({ epos }) => {
      epos.unlock(UNKNOWN_ID);
    },
    'SESSION_NO_SUCH_SESSION',
  ],
  [
    'unlock what is not locked',
    ({ epos, open }) => {
      epos.unlock(open.id);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'unlock twice',
    (stand) => {
      lock(stand);
      unlock(stand);
      unlock(stand);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record on an unknown session',
    ({ epos }) => {
      epos.record(payment(UNKNOWN_ID));
    },
    'SESSION_NO_SUCH_SESSION',
  ],
  [
    'record without a lock',
    (stand) => {
      record(stand);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record after the unlock',
    (stand) => {
      lock(stand);
      unlock(stand);
      record(stand);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record',
    (stand) => {
      lock(stand);
      record(stand);
    },
    'ok',
  ],
  [
    'record the same again',
    (stand) => {
      lock(stand);
      record(stand);
      record(stand);
    },
    'PAYMENT_ALREADY_RECORDED',
  ],
  [
    'record the same again after the unlock: the lock is looked at first',
    (stand) => {
      lock(stand);
      record(stand);
      unlock(stand);
      record(stand);
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'record the same again under a new lock',
    (stand) => {
      lock(stand);
      record(stand);
      unlock(stand);
      lock(stand);
      record(stand);
    },
    'PAYMENT_ALREADY_RECORDED',
  ],
  ...[
    { base: gbp(499) },
    { gratuity: gbp(99) },
    { cashback: gbp(1) },
    { attemptedAt: new Date(NOON.getTime() + 1) },
  ].map((other): [string, (stand: EposStand) => unknown, string] => [
    `record the same id with other values ${JSON.stringify(other)}`,
    (stand) => {
      lock(stand);
      record(stand);
      record(stand, other);
    },
    'PAYMENT_NOT_RECORDED',
  ]),
  [
    'record all that is owed',
    (stand) => {
      lock(stand);
      record(stand, { base: stand.owed });
    },
    'ok',
  ],
  [
    'record a penny too much',
    (stand) => {
      lock(stand);
      record(stand, { base: gbp(stand.owed.value + 1) });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record nothing',
    (stand) => {
      lock(stand);
      record(stand, { base: gbp(0) });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record in another currency',
    (stand) => {
      lock(stand);
      record(stand, { base: { value: 500, currencyCode: 'EUR' } });
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'record on a finished session',
    ({ epos, finished }) => {
      epos.lock(finished.id, MACHINE);
      epos.record(payment(finished.id));
    },
    'PAYMENT_NOT_RECORDED',
  ],
  [
    'an unsuccessful attempt without a lock',
    (stand) => {
      record(stand, { isSuccessful: false });
    },
    'SESSION_NOT_LOCKED',
  ],
  [
    'an unsuccessful attempt',
    (stand) => {
      lock(stand);
      record(stand, { isSuccessful: false });
    },
    'ok',
  ],
  [
    'a known waiter',
    ({ epos }) => {
      epos.admit({ ...MACHINE, waiterId: 1 });
    },
    'ok',
  ],
  [
    'no waiter',
    ({ epos }) => {
      epos.admit({ ...MACHINE, waiterId: 0 });
    },
    'ok',
  ],
  [
    'an unknown waiter',
    ({ epos }) => {
      epos.admit({ ...MACHINE, waiterId: 99 });
    },
    'WAITER_INCORRECT_WAITER_ID',
  ],
  [
    'waiter rules are not for guests',
    ({ epos }) => {
      epos.admit({ kind: 'consumerDevice', terminalId: null, waiterId: 99 });
    },
    'ok',
  ],
])('%s', (_, work, then) => {
  const stand = eposForTest();
  expect(saidTo(() => work(stand))).toBe(then);
});

test('a payment moves the balance once by its base amount, whatever is repeated; an unsuccessful one never', () => {
  const stand = eposForTest();
  lock(stand);
  record(stand, { isSuccessful: false });
  expect(stand.epos.getBill(stand.open.id).paid).toEqual(gbp(0));
  record(stand);
  expect(
    saidTo(() => {
      record(stand);
    }),
  ).toBe('PAYMENT_ALREADY_RECORDED');
  expect(stand.epos.getBill(stand.open.id).paid).toEqual(gbp(500));
  expect(stand.epos.payments()).toHaveLength(1);
  expect(stand.epos.unsuccessfulAttempts()).toHaveLength(1);
});

test('recording leaves the session locked', () => {
  const stand = eposForTest();
  lock(stand);
  record(stand);
  expect(stand.epos.locks()).toMatchObject([{ sessionId: stand.open.id, requestor: MACHINE }]);
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
  expect(eposForTest().epos.listSessions({ ...EVERYTHING, ...filter })).toHaveLength(count);
});

test('tables are listed by status, any of them', () => {
  const { epos } = eposForTest();
  const count = (...statuses: Parameters<typeof epos.listTables>[0]) => epos.listTables(statuses).length;
  expect(count('Occupied') + count('Available') + count('PendingAvailable') + count('NotInUse')).toBe(count());
  expect(count('NotInUse', 'PendingAvailable')).toBe(2);
});
