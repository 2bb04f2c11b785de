import { describe, expect, test } from '@jest/globals';
import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import type { EposOrder } from '@pos/rest-contracts/epos-data-orders';
import { EposDataRefusal } from './epos-data-refusal.js';
import {
  BOOKING_ROWS,
  LOCK_ID,
  LOCK_ROWS,
  lockOf,
  ORDER_ROWS,
  orderOf,
  partyOf,
  RECORD_ROWS,
  recordOf,
  reservationOf,
} from './testing-data-rows.js';
import { PROOF_ROWS } from './testing-proof-rows.js';
import { dataForTest, type DataStand, gbp, lock, MACHINE, record, unlock } from './testing.js';

function saidTo(work: () => unknown): string {
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
function pages(
  stand: DataStand,
  name: EposDataCallName,
  { limit, direction, start = null }: { limit: number; direction: 'after' | 'before'; start?: string | null },
): string[] {
  let cursor: Record<string, unknown> = { limit, ...(start !== null && { [direction]: start }) };
  const found: string[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = stand.ask(name, { cursor }) as { data: { id: string }[]; before: string | null; after: string | null };
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
  test.each([...rows])('%s', async (_what, before, name, params, then) => {
    const stand = dataForTest();
    await before?.(stand);
    expect(saidTo(() => stand.ask(name, params(stand)))).toBe(then);
  });

  test.each(rows.filter((row) => row[4] !== 'ok'))(
    'and nothing has happened: %s',
    async (_what, before, name, params) => {
      const stand = dataForTest();
      await before?.(stand);
      const all = () =>
        JSON.stringify([stand.door.data.orders.list(), stand.epos.locks(), stand.door.data.bookings.parties()]);
      const found = all();
      saidTo(() => stand.ask(name, params(stand)));
      expect(all()).toBe(found);
    },
  );

  test.each(rows.filter((row) => row[4] === 'ok'))(
    'and the answer is read: %s',
    async (_what, before, name, params) => {
      const stand = dataForTest();
      await before?.(stand);
      expect(readEposAnswer(name, stand.ask(name, params(stand)))).toMatchObject({ ok: true });
    },
  );
});

test.each(PROOF_ROWS)('a payment that the service describes as %j: %s', (proof, then) => {
  const stand = dataForTest();
  expect(saidTo(() => stand.ask('RecordOrderPaymentById', recordOf(stand), proof))).toBe(then);
  expect(stand.epos.getBill(stand.open.id).paid).toEqual(gbp(then === 'ok' ? 500 : 0));
});

test('an EPOS that has registered locks records under an own lock only', () => {
  const stand = dataForTest({ needsLocks: true });
  expect(saidTo(() => stand.ask('RecordOrderPaymentById', recordOf(stand)))).toBe('Conflict');
  stand.ask('CreateOrderLock', lockOf(stand));
  expect(saidTo(() => stand.ask('RecordOrderPaymentById', recordOf(stand, { lockId: LOCK_ID })))).toBe('ok');
});

test('only a payment that is not booked yet is read back', async () => {
  const asked: string[] = [];
  const stand = dataForTest({
    readIntent: async (intentId) => {
      asked.push(intentId);
      return { kind: 'absent' };
    },
  });
  const { data } = stand.door;
  const heard = { name: 'RecordOrderPaymentById', params: recordOf(stand), requestor: MACHINE } as const;
  expect(await data.proofFor(heard)).toEqual({ kind: 'absent' });
  stand.ask('RecordOrderPaymentById', recordOf(stand));
  expect(await data.proofFor(heard)).toEqual({ kind: 'notAsked' });
  expect(await data.proofFor({ ...heard, name: 'GetOrderById' })).toEqual({ kind: 'notAsked' });
  expect(asked).toEqual(['pi_1']);
});

test('every bill is the same order, whichever contract shows it and whoever pays', () => {
  const stand = dataForTest();
  const { epos, door, open } = stand;
  lock(stand);
  record(stand);
  unlock(stand);
  stand.ask('RecordOrderPaymentById', recordOf(stand));
  for (const bill of epos.listBills([])) {
    const order = door.data.orders.get(bill.sessionId);
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
  expect(door.data.orders.get(open.id)).toMatchObject({
    payments: [{ paidAmount: gbp(500) }, { paymentIntentId: 'pi_1', paidAmount: gbp(500), tipsAmount: gbp(100) }],
    tipsAmount: gbp(100),
  });
});

test('an order asked for twice is made once, is paid like any other, and goes', () => {
  const stand = dataForTest();
  const order = stand.ask('CreateOrder', orderOf()) as EposOrder;
  expect(stand.ask('CreateOrder', orderOf({ displayName: 'again' }))).toEqual(order);
  const orderId = order.id ?? '';
  expect(stand.epos.getBill(orderId).total).toEqual(gbp(650));
  stand.ask('RecordOrderPaymentById', { orderId, paymentIntentId: 'pi_9', paidAmount: gbp(650) });
  expect(stand.ask('GetOrderById', { orderId })).toMatchObject({ status: 'Finalized', payable: false });
});

test('a paid order is closed when its lock is let go, and not before', () => {
  const stand = dataForTest();
  const orderId = stand.open.id;
  stand.ask('CreateOrderLock', lockOf(stand));
  stand.ask('RecordOrderPaymentById', recordOf(stand, { paidAmount: { ...stand.owed }, lockId: LOCK_ID }));
  expect(stand.ask('GetOrderById', { orderId })).toMatchObject({ status: 'Accepted', payable: false });
  expect(stand.ask('DeleteOrderLock', lockOf(stand))).toMatchObject({ status: 'Finalized' });
});

test.each([1, 3, 100])('pages of %d hold every element once, and lead back the same way', (limit) => {
  const stand = dataForTest();
  for (const name of ['SearchOrders', 'SearchTables', 'SearchParties'] as const) {
    const all = pages(stand, name, { limit: 100, direction: 'after' });
    expect(all.length).toBeGreaterThan(9);
    expect(pages(stand, name, { limit, direction: 'after' })).toEqual(all);
    expect(pages(stand, name, { limit, direction: 'before', start: all.at(-1) ?? null })).toEqual(all.slice(0, -1));
  }
});

test('an order that was paid meanwhile still shows where the reader was', () => {
  const stand = dataForTest();
  const first = stand.ask('SearchOrders', { payableOnly: true, cursor: { limit: 1 } }) as { after: string };
  stand.ask('RecordOrderPaymentById', recordOf(stand, { paidAmount: { ...stand.owed } }));
  const next = stand.ask('SearchOrders', { payableOnly: true, cursor: { limit: 1, after: first.after } });
  expect(next).toMatchObject({ data: [{ id: stand.second.id }] });
});

test.each([
  [{ payableOnly: true }, 10],
  [{ details: { dineIn: { tableId: 't-1' } } }, 1],
  [{ dineIn: { tableId: 't-1' } }, 1],
  [{ details: { dineIn: { tableId: '77' } } }, 0],
  [{ details: { dineIn: { tableId: 't-1', waiterId: 'nobody' } } }, 0],
])('orders searched for with %j: %d', (search, count) => {
  expect(dataForTest().ask('SearchOrders', search)).toMatchObject({ data: { length: count } });
});

test('a party that has left frees its table, and is found among the completed only', () => {
  const stand = dataForTest();
  stand.ask('CreateParty', partyOf());
  const gone = partyOf({ partyId: 'party-1', status: 'Left', endTime: '2026-03-02T13:00:00.000Z' });
  stand.ask('UpdateParty', gone);
  const at = { tableId: 't-U3' };
  expect(stand.ask('SearchParties', at)).toMatchObject({ data: [] });
  expect(stand.ask('SearchParties', { ...at, completedOnly: true })).toMatchObject({ data: [{ id: 'party-1' }] });
  expect(saidTo(() => stand.ask('CreateParty', partyOf({ servicePartyId: 'sp-2' })))).toBe('ok');
});

test.each([
  ['2026-03-02T13:00:00.000Z', '2026-03-02T14:00:00.000Z', 1],
  ['2026-03-02T12:00:00.000Z', '2026-03-02T13:00:00.000Z', 0],
  ['2026-03-02T15:00:00.000Z', '2026-03-02T16:00:00.000Z', 0],
  ['2026-03-02T14:59:00.000+00:00', '2026-03-02T16:00:00.000Z', 1],
])('a reservation from one to three is found between %s and %s: %d', (fromTime, toTime, count) => {
  const stand = dataForTest();
  stand.ask('CreateReservation', reservationOf());
  expect(stand.ask('SearchReservations', { fromTime, toTime })).toMatchObject({ data: { length: count } });
});

test('an event is kept, and a reset forgets all that was said', () => {
  const stand = dataForTest();
  const event = {
    ...{ id: 'evt_1', accountId: 'acc_1', event: 'payment_intent.created', createdAt: '2026-03-02T12:00:00.000Z' },
    data: { paymentIntentId: 'pi_1', paymentStatus: 'Created', captureMode: 'Auto' },
  };
  expect(saidTo(() => stand.ask('HandleEvent', event))).toBe('ok');
  expect(stand.door.data.events()).toHaveLength(1);
  stand.ask('CreateOrder', orderOf());
  stand.ask('CreateParty', partyOf());
  stand.door.reset();
  const { orders, bookings } = stand.door.data;
  expect([stand.door.data.events(), orders.payments(), bookings.reservations()]).toEqual([[], [], []]);
  expect(JSON.stringify(orders.list())).toBe(JSON.stringify(dataForTest().door.data.orders.list()));
});
