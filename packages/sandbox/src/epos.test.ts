import { checkBill, linePrice, outstanding } from '@pos/core/bill';
import { sum } from '@pos/core/money';
import { expect, test } from '@jest/globals';
import { ManualClock } from './clock.js';
import { EposRefusal, ReferenceEpos, type PaymentToRecord, type Requestor } from './epos.js';
import { EposDoor } from './epos-door.js';
import type { EposFault } from './epos-faults.js';
import { isPayable, Restaurant } from './restaurant.js';
import { Seed } from './seed.js';
import { gbp, NOON } from './testing.js';

const MACHINE: Requestor = { kind: 'cardMachine', terminalId: '90000001', waiterId: null };
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const EVERYTHING = { isFinished: null, hasTable: null, isPayable: null, tableNames: [] };

function eposForTest(seed = 'test') {
  const clock = new ManualClock(NOON);
  const restaurant = new Restaurant({ seed: new Seed(seed), accountId: 'acc_1', currencyCode: 'GBP', clock });
  const epos = new ReferenceEpos({ restaurant, clock });
  const find = (what: (session: ReturnType<typeof restaurant.sessions>[number]) => boolean) => {
    const session = restaurant.sessions().find(what);
    if (session === undefined) throw new Error('the restaurant has no such session');
    return session;
  };
  const open = find(isPayable);
  const withoutBill = find(({ bill }) => bill === null);
  const finished = find(({ finishedAt }) => finishedAt !== null);
  const owed = open.bill === null ? gbp(0) : outstanding(open.bill);
  return { clock, restaurant, epos, door: new EposDoor({ epos, clock }), open, withoutBill, finished, owed };
}

function payment(sessionId: string, more: Partial<PaymentToRecord> = {}): PaymentToRecord {
  return {
    id: 'a0a0a0a0-0000-4000-8000-000000000001',
    sessionId,
    base: gbp(500),
    gratuity: gbp(100),
    cashback: gbp(0),
    isSuccessful: true,
    attemptedAt: NOON,
    method: 'cardPresent',
    acquirerTransactionId: 'b0b0b0b0-0000-4000-8000-000000000001',
    ...more,
  };
}

function saidTo(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof EposRefusal) return error.code;
    throw error;
  }
}

type Stand = ReturnType<typeof eposForTest>;

test.each<[string, (stand: Stand) => unknown, string]>([
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
  ].map((other): [string, (stand: Stand) => unknown, string] => [
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

function lock({ epos, open }: Stand): void {
  epos.lock(open.id, MACHINE);
}

function unlock({ epos, open }: Stand): void {
  epos.unlock(open.id);
}

function record({ epos, open }: Stand, more: Partial<PaymentToRecord> = {}): void {
  epos.record(payment(open.id, more));
}

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

test('every bill adds up, is sound to the service, and never runs out', () => {
  const { epos, restaurant } = eposForTest();
  for (let round = 0; round < 60; round += 1) {
    const payable = epos.listSessions({ ...EVERYTHING, isPayable: true });
    expect(payable.length).toBeGreaterThanOrEqual(8);
    for (const bill of epos.listBills([])) {
      const lines = sum(bill.items.map(linePrice), 'GBP').value + (bill.serviceCharge?.value ?? 0);
      expect(bill.total.value).toBe(lines);
      const wire = presentForCheck(bill);
      expect(checkBill(wire, { sessionId: bill.sessionId, currencies: ['GBP'] }).outcome).toBe('sound');
    }
    const next = payable[round % payable.length];
    if (next === undefined || next.bill === null) throw new Error('nothing to pay');
    epos.lock(next.id, MACHINE);
    epos.record(
      payment(next.id, {
        id: `a0a0a0a0-0000-4000-8000-${String(round).padStart(12, '0')}`,
        base: outstanding(next.bill),
      }),
    );
    epos.unlock(next.id);
    expect(restaurant.find(next.id)?.finishedAt).toEqual(NOON);
  }
});

function presentForCheck(bill: ReturnType<ReferenceEpos['getBill']>) {
  return {
    sessionId: bill.sessionId,
    currency: bill.total.currencyCode,
    totalAmount: bill.total.value,
    paidAmount: bill.paid.value,
    taxAmount: bill.tax.value,
    serviceCharge: bill.serviceCharge?.value,
    items: bill.items.map((item) => ({
      ...item,
      amountPerItem: item.amountPerItem.value,
      modifiers: item.modifiers.map((each) => ({ ...each, amountPerModifier: each.amountPerModifier.value })),
    })),
  };
}

test('the same seed opens the same restaurant byte for byte, and a reset opens it again', () => {
  const first = eposForTest('one');
  const opened = JSON.stringify(first.restaurant.sessions());
  expect(JSON.stringify(eposForTest('one').restaurant.sessions())).toBe(opened);
  expect(JSON.stringify(eposForTest('two').restaurant.sessions())).not.toBe(opened);
  lock(first);
  record(first);
  first.door.reset();
  expect(JSON.stringify(first.restaurant.sessions())).toBe(opened);
  expect([first.epos.locks(), first.epos.payments()]).toEqual([[], []]);
});

test('the menu of a busy evening has discounts, modifiers and service charges', () => {
  const bills = Array.from({ length: 10 }, (_, index) => eposForTest(`seed ${index}`).epos.listBills([])).flat();
  expect(bills.some(({ items }) => items.some(({ amountPerItem }) => amountPerItem.value < 0))).toBe(true);
  expect(bills.some(({ items }) => items.some(({ modifiers }) => modifiers.length > 0))).toBe(true);
  expect(bills.some(({ serviceCharge }) => serviceCharge !== null)).toBe(true);
  expect(bills.every(({ tax }) => tax.value > 0)).toBe(true);
});

test.each<[EposFault, string, { paid: number }]>([
  [{ effect: 'no-answer' }, 'silence', { paid: 0 }],
  [{ effect: 'answer-lost' }, 'silence', { paid: 500 }],
  [{ effect: 'internal-error' }, 'ERROR_INTERNAL_POS_ERROR', { paid: 0 }],
  [{ effect: 'internal-error', afterDoing: true }, 'ERROR_INTERNAL_POS_ERROR', { paid: 500 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 'PAYMENT_NOT_RECORDED', { paid: 0 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', afterDoing: true }, 'PAYMENT_NOT_RECORDED', { paid: 500 }],
  [{ effect: 'drop-stream' }, 'broken', { paid: 0 }],
  [{ effect: 'drop-stream', afterDoing: true }, 'broken', { paid: 500 }],
  [{ effect: 'forget-locks' }, 'SESSION_NOT_LOCKED', { paid: 0 }],
  [{ effect: 'duplicate-answer' }, 'ok', { paid: 500 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'LockSession' }, 'ok', { paid: 500 }],
])('fault %j on a record: %s', async (fault, then, { paid }) => {
  const stand = eposForTest();
  const { door, epos, open } = stand;
  lock(stand);
  door.faults.replace([{ ...fault, times: 1 }]);
  const arrival = {
    method: 'RecordPayment',
    transport: 'grpc',
    requestor: MACHINE,
    sessionId: open.id,
    paymentId: 'p',
  } as const;
  const served = await door.serve(arrival, () => {
    epos.record(payment(open.id));
  });
  expect(served.kind === 'refusal' ? served.code : served.kind === 'answer' ? 'ok' : served.kind).toBe(then);
  expect(epos.getBill(open.id).paid.value).toBe(paid);
  expect(door.calls()).toMatchObject([{ number: 1, method: 'RecordPayment', answered: then }]);
  if (fault.method === undefined) expect(door.faults.list()).toMatchObject([{ used: 1 }]);
});

test('wrong totals and a wrong currency are what the service has to refuse', async () => {
  const { door, epos, open } = eposForTest();
  const arrival = {
    method: 'GetBillItems',
    transport: 'grpc',
    requestor: MACHINE,
    sessionId: open.id,
    paymentId: null,
  } as const;
  const faultOf = async (effect: 'wrong-totals' | 'wrong-currency') => {
    door.faults.replace([{ effect }]);
    const served = await door.serve(arrival, (distort) => distort(epos.getBill(open.id)));
    if (served.kind !== 'answer') throw new Error('no answer');
    const checked = checkBill(presentForCheck(served.answer), { sessionId: open.id, currencies: ['GBP'] });
    return checked.outcome === 'unsound' ? checked.fault : 'sound';
  };
  expect([await faultOf('wrong-totals'), await faultOf('wrong-currency')]).toEqual([
    'paid_exceeds_total',
    'currency_not_enabled',
  ]);
});
