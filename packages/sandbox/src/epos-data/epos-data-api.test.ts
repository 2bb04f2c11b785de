import { describe, expect, test } from '@jest/globals';
import { type EposDataCallName, type EposOrder, readEposAnswer } from '@pos/rest-contracts/epos-data';
import { EposDataRefusal } from './epos-data-refusal.js';
import {
  LOCK_ID,
  LOCK_ROWS,
  createLockParams,
  ORDER_ROWS,
  createOrderParams,
  createPartyParams,
  RECORD_ROWS,
  createRecordParams,
  createReservationParams,
} from '../testing/data-call-cases.js';
import { BOOKING_ROWS } from '../testing/booking-cases.js';
import { PROOF_ROWS } from '../testing/intent-proof-cases.js';
import {
  createTestDataApi,
  type TestDataApi,
  createGbp,
  lockOpenSession,
  MACHINE_REQUESTOR,
  recordTestPayment,
  unlockOpenSession,
} from '../testing/builders.js';

function runForOutcome(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof EposDataRefusal) return error.errorType;
    throw error;
  }
}

const PAGES_MAX = 100;

/** All elements of a search, page by page in one direction. */
function readAllPages(
  testEpos: TestDataApi,
  name: EposDataCallName,
  { limit, direction, start = null }: { limit: number; direction: 'after' | 'before'; start?: string | null },
): string[] {
  let cursor: Record<string, unknown> = { limit, ...(start !== null && { [direction]: start }) };
  const found: string[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = testEpos.ask(name, { cursor }) as {
      data: { id: string }[];
      before: string | null;
      after: string | null;
    };
    const ids = got.data.map(({ id }) => id);
    if (direction === 'after') found.push(...ids);
    else found.unshift(...ids);
    if (got[direction] === null) return found;
    cursor = { limit, [direction]: got[direction] };
  }
  throw new Error('the pages have no end');
}

describe.each([
  ['locks', LOCK_ROWS],
  ['payments', RECORD_ROWS],
  ['orders', ORDER_ROWS],
  ['bookings', BOOKING_ROWS],
])('%s', (_, rows) => {
  test.each([...rows])('%s', async (_title, before, name, params, then) => {
    const testEpos = createTestDataApi();
    await before?.(testEpos);
    expect(runForOutcome(() => testEpos.ask(name, params(testEpos)))).toBe(then);
  });

  test.each(rows.filter((row) => row[4] !== 'ok'))(
    'and nothing has changed: %s',
    async (_title, before, name, params) => {
      const testEpos = createTestDataApi();
      await before?.(testEpos);
      const all = () =>
        JSON.stringify([
          testEpos.eposSimulator.data.orders.listOrders(),
          testEpos.epos.listLocks(),
          testEpos.eposSimulator.data.bookings.listParties(),
        ]);
      const found = all();
      runForOutcome(() => testEpos.ask(name, params(testEpos)));
      expect(all()).toBe(found);
    },
  );

  test.each(rows.filter((row) => row[4] === 'ok'))(
    'and the answer is read: %s',
    async (_title, before, name, params) => {
      const testEpos = createTestDataApi();
      await before?.(testEpos);
      expect(readEposAnswer(name, testEpos.ask(name, params(testEpos)))).toMatchObject({ ok: true });
    },
  );
});

test.each(PROOF_ROWS)('a payment that the service describes as %j: %s', (proof, then) => {
  const testEpos = createTestDataApi();
  expect(runForOutcome(() => testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos), proof))).toBe(then);
  expect(testEpos.epos.getBill(testEpos.open.id).paid).toEqual(createGbp(then === 'ok' ? 500 : 0));
});

test('an EPOS that has registered locks records only under a lock of the caller', () => {
  const testEpos = createTestDataApi({ needsLocks: true });
  expect(runForOutcome(() => testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos)))).toBe('Conflict');
  testEpos.ask('CreateOrderLock', createLockParams(testEpos));
  expect(
    runForOutcome(() => testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos, { lockId: LOCK_ID }))),
  ).toBe('ok');
});

test('only a payment that is not booked yet is read back', async () => {
  const requestedIds: string[] = [];
  const testEpos = createTestDataApi({
    readIntent: async (intentId) => {
      requestedIds.push(intentId);
      return { kind: 'absent' };
    },
  });
  const { data } = testEpos.eposSimulator;
  const received = {
    name: 'RecordOrderPaymentById',
    params: createRecordParams(testEpos),
    requestor: MACHINE_REQUESTOR,
  } as const;
  expect(await data.readIntentProof(received)).toEqual({ kind: 'absent' });
  testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos));
  expect(await data.readIntentProof(received)).toEqual({ kind: 'notAsked' });
  expect(await data.readIntentProof({ ...received, name: 'GetOrderById' })).toEqual({ kind: 'notAsked' });
  expect(requestedIds).toEqual(['pi_1']);
});

test('a bill and its order agree in both contracts, after a payment over either', () => {
  const testEpos = createTestDataApi();
  const { epos, eposSimulator, open } = testEpos;
  lockOpenSession(testEpos);
  recordTestPayment(testEpos);
  unlockOpenSession(testEpos);
  testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos));
  for (const bill of epos.listBills([])) {
    const order = eposSimulator.data.orders.getOrder(bill.sessionId);
    const { items = [], discounts = [], serviceChargeAmount, totalAmount, paidAmount, payments = [] } = order;
    const lines = items.map(
      ({ amountPerItem, quantity, modifiers = [] }) =>
        quantity * modifiers.reduce((sum, each) => sum + each.amountPerItem.value * each.quantity, amountPerItem.value),
    );
    const sold = lines.reduce((sum, each) => sum + each, serviceChargeAmount?.value ?? 0);
    const total = discounts.reduce((sum, { amountTotal }) => sum - amountTotal.value, sold);
    expect([totalAmount, paidAmount]).toEqual([bill.total, bill.paid]);
    expect(total).toBe(bill.total.value);
    expect(payments.reduce((sum, each) => sum + each.paidAmount.value, 0)).toBe(bill.paid.value);
  }
  expect(eposSimulator.data.orders.getOrder(open.id)).toMatchObject({
    payments: [
      { paidAmount: createGbp(500) },
      { paymentIntentId: 'pi_1', paidAmount: createGbp(500), tipsAmount: createGbp(100) },
    ],
    tipsAmount: createGbp(100),
  });
});

test('an order that is requested twice is made once, is paid like any other, and can be canceled', () => {
  const testEpos = createTestDataApi();
  const order = testEpos.ask('CreateOrder', createOrderParams()) as EposOrder;
  expect(testEpos.ask('CreateOrder', createOrderParams({ displayName: 'again' }))).toEqual(order);
  const orderId = order.id ?? '';
  expect(testEpos.epos.getBill(orderId).total).toEqual(createGbp(650));
  testEpos.ask('RecordOrderPaymentById', { orderId, paymentIntentId: 'pi_9', paidAmount: createGbp(650) });
  expect(testEpos.ask('GetOrderById', { orderId })).toMatchObject({ status: 'Finalized', payable: false });
});

test('a paid order is closed when its lock is released, and not before', () => {
  const testEpos = createTestDataApi();
  const orderId = testEpos.open.id;
  testEpos.ask('CreateOrderLock', createLockParams(testEpos));
  testEpos.ask(
    'RecordOrderPaymentById',
    createRecordParams(testEpos, { paidAmount: { ...testEpos.owed }, lockId: LOCK_ID }),
  );
  expect(testEpos.ask('GetOrderById', { orderId })).toMatchObject({ status: 'Accepted', payable: false });
  expect(testEpos.ask('DeleteOrderLock', createLockParams(testEpos))).toMatchObject({ status: 'Finalized' });
});

test.each([1, 3, 100])('pages of %d hold every element once, and lead back the same way', (limit) => {
  const testEpos = createTestDataApi();
  for (const name of ['SearchOrders', 'SearchTables', 'SearchParties'] as const) {
    const all = readAllPages(testEpos, name, { limit: 100, direction: 'after' });
    expect(all.length).toBeGreaterThan(9);
    expect(readAllPages(testEpos, name, { limit, direction: 'after' })).toEqual(all);
    expect(readAllPages(testEpos, name, { limit, direction: 'before', start: all.at(-1) ?? null })).toEqual(
      all.slice(0, -1),
    );
  }
});

test('an order that was paid meanwhile still marks the position of the reader', () => {
  const testEpos = createTestDataApi();
  const first = testEpos.ask('SearchOrders', { payableOnly: true, cursor: { limit: 1 } }) as { after: string };
  testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos, { paidAmount: { ...testEpos.owed } }));
  const next = testEpos.ask('SearchOrders', { payableOnly: true, cursor: { limit: 1, after: first.after } });
  expect(next).toMatchObject({ data: [{ id: testEpos.second.id }] });
});

test.each([
  [{ payableOnly: true }, 10],
  [{ details: { dineIn: { tableId: 't-1' } } }, 1],
  [{ dineIn: { tableId: 't-1' } }, 1],
  [{ details: { dineIn: { tableId: '77' } } }, 0],
  [{ details: { dineIn: { tableId: 't-1', waiterId: 'nobody' } } }, 0],
])('orders searched for with %j: %d', (search, count) => {
  expect(createTestDataApi().ask('SearchOrders', search)).toMatchObject({ data: { length: count } });
});

test('a party that has left frees its table, and is found among the completed only', () => {
  const testEpos = createTestDataApi();
  testEpos.ask('CreateParty', createPartyParams());
  const deleted = createPartyParams({ partyId: 'party-1', status: 'Left', endTime: '2026-03-02T13:00:00.000Z' });
  testEpos.ask('UpdateParty', deleted);
  const at = { tableId: 't-U3' };
  expect(testEpos.ask('SearchParties', at)).toMatchObject({ data: [] });
  expect(testEpos.ask('SearchParties', { ...at, completedOnly: true })).toMatchObject({ data: [{ id: 'party-1' }] });
  expect(runForOutcome(() => testEpos.ask('CreateParty', createPartyParams({ servicePartyId: 'sp-2' })))).toBe('ok');
});

test.each([
  ['2026-03-02T13:00:00.000Z', '2026-03-02T14:00:00.000Z', 1],
  ['2026-03-02T12:00:00.000Z', '2026-03-02T13:00:00.000Z', 0],
  ['2026-03-02T15:00:00.000Z', '2026-03-02T16:00:00.000Z', 0],
  ['2026-03-02T14:59:00.000+00:00', '2026-03-02T16:00:00.000Z', 1],
])('a reservation from one to three is found between %s and %s: %d', (fromTime, toTime, count) => {
  const testEpos = createTestDataApi();
  testEpos.ask('CreateReservation', createReservationParams());
  expect(testEpos.ask('SearchReservations', { fromTime, toTime })).toMatchObject({ data: { length: count } });
});

test('an event is stored, and a reset deletes all stored calls', () => {
  const testEpos = createTestDataApi();
  const event = {
    ...{ id: 'evt_1', accountId: 'acc_1', event: 'payment_intent.created', createdAt: '2026-03-02T12:00:00.000Z' },
    data: { paymentIntentId: 'pi_1', paymentStatus: 'Created', captureMode: 'Auto' },
  };
  expect(runForOutcome(() => testEpos.ask('HandleEvent', event))).toBe('ok');
  expect(testEpos.eposSimulator.data.listEvents()).toHaveLength(1);
  testEpos.ask('CreateOrder', createOrderParams());
  testEpos.ask('CreateParty', createPartyParams());
  testEpos.eposSimulator.reset();
  const { orders, bookings } = testEpos.eposSimulator.data;
  expect([testEpos.eposSimulator.data.listEvents(), orders.listPayments(), bookings.listReservations()]).toEqual([
    [],
    [],
    [],
  ]);
  expect(JSON.stringify(orders.listOrders())).toBe(
    JSON.stringify(createTestDataApi().eposSimulator.data.orders.listOrders()),
  );
});
