import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { MACHINE_REQUESTOR, NOON, type TestDataApi } from './builders.js';

/** The calls before, then the tested call and its result: `ok`, or the kind of error. */
export type DataRow = readonly [
  string,
  ((testEpos: TestDataApi) => unknown) | null,
  EposDataCallName,
  (testEpos: TestDataApi) => Readonly<Record<string, unknown>>,
  string,
];

export const LOCK_ID = 'c0c0c0c0-0000-4000-8000-000000000001';
const OTHER_LOCK_ID = 'c0c0c0c0-0000-4000-8000-000000000002';
const UNKNOWN_ORDER_ID = '00000000-0000-4000-8000-000000000000';

const createAmount = (value: number, currencyCode = 'GBP') => ({ value, currencyCode });
export const addMinutes = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000).toISOString();

/** A lock for a quarter of an hour. */
export const createLockParams = ({ open }: TestDataApi, lockId = LOCK_ID) => ({
  ...{ orderId: open.id, lockId },
  expiry: addMinutes(15),
});
/** Five pounds with a tip of one pound. */
export const createRecordParams = ({ open }: TestDataApi, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ orderId: open.id, paymentIntentId: 'pi_1', paidAmount: createAmount(500), tipsAmount: createAmount(100) },
  ...more,
});
/** A new order of one soup, to be fetched. */
export const createOrderParams = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ details: { orderType: 'Collection', collection: { asap: true } }, totalAmount: createAmount(650) },
  items: [{ name: 'Soup', quantity: 1, plu: '101', amountPerItem: createAmount(650) }],
  ...{ serviceOrderId: 'so-1', payments: [] },
  ...more,
});
export const createPartyParams = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ servicePartyId: 'sp-1', tableIds: ['t-U3'], startTime: addMinutes(0), covers: 2 },
  ...more,
});
export const createReservationParams = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ serviceReservationId: 'sr-1', name: 'Ada', covers: 2, tableIds: ['t-1'] },
  ...{ startTime: addMinutes(60), endTime: addMinutes(180) },
  ...more,
});

const lockOpenOrder = (testEpos: TestDataApi) => testEpos.ask('CreateOrderLock', createLockParams(testEpos));
const lockAndExpire = (testEpos: TestDataApi) => {
  lockOpenOrder(testEpos);
  return testEpos.clock.advanceBy(15 * 60_000);
};
const lockByEpos = ({ epos, open }: TestDataApi) => epos.lockSession(open.id, MACHINE_REQUESTOR);
const recordOpenPayment = (testEpos: TestDataApi) =>
  testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos));
const recordFullPayment = (testEpos: TestDataApi) =>
  testEpos.ask('RecordOrderPaymentById', createRecordParams(testEpos, { paidAmount: { ...testEpos.owed } }));

/** Locks, as section 2.7 of the EPOS specification defines them. */
export const LOCK_ROWS: readonly DataRow[] = [
  ['an order is locked', null, 'CreateOrderLock', createLockParams, 'ok'],
  [
    'an unknown order is not locked',
    null,
    'CreateOrderLock',
    (s) => ({ ...createLockParams(s), orderId: UNKNOWN_ORDER_ID }),
    'NotFound',
  ],
  [
    'a lock after its expiry does not count',
    lockAndExpire,
    'CreateOrderLock',
    (s) => ({ ...createLockParams(s, OTHER_LOCK_ID), expiry: addMinutes(30) }),
    'ok',
  ],
  ['the same lock again is a success', lockOpenOrder, 'CreateOrderLock', createLockParams, 'ok'],
  [
    'the same lock in capitals is the same',
    lockOpenOrder,
    'CreateOrderLock',
    (s) => createLockParams(s, LOCK_ID.toUpperCase()),
    'ok',
  ],
  [
    'another lock is refused while one is valid',
    lockOpenOrder,
    'CreateOrderLock',
    (s) => createLockParams(s, OTHER_LOCK_ID),
    'Conflict',
  ],
  [
    'an order is not locked under a session lock of the EPOS',
    lockByEpos,
    'CreateOrderLock',
    createLockParams,
    'Conflict',
  ],
  [
    'a lock with a past expiry is refused',
    null,
    'CreateOrderLock',
    (s) => ({ ...createLockParams(s), expiry: addMinutes(0) }),
    'InvalidRequest',
  ],
  [
    'a lock needs an id',
    null,
    'CreateOrderLock',
    (s) => ({ ...createLockParams(s), lockId: 'mine' }),
    'InvalidRequest',
  ],
  ['an existing lock is deleted', lockOpenOrder, 'DeleteOrderLock', createLockParams, 'ok'],
  ['deleting a missing lock is a success', null, 'DeleteOrderLock', createLockParams, 'ok'],
  ['deleting an expired lock is a success', lockAndExpire, 'DeleteOrderLock', createLockParams, 'ok'],
  [
    'a lock on an unknown order is not deleted',
    null,
    'DeleteOrderLock',
    (s) => ({ ...createLockParams(s), orderId: UNKNOWN_ORDER_ID }),
    'NotFound',
  ],
  ['a lock is extended', lockOpenOrder, 'ExtendOrderLock', createLockParams, 'ok'],
  ['a missing lock is not extended', null, 'ExtendOrderLock', createLockParams, 'NotFound'],
  [
    'an expired lock is not extended',
    lockAndExpire,
    'ExtendOrderLock',
    (s) => ({ ...createLockParams(s), expiry: addMinutes(30) }),
    'NotFound',
  ],
  [
    "another's lock is not extended",
    lockOpenOrder,
    'ExtendOrderLock',
    (s) => createLockParams(s, OTHER_LOCK_ID),
    'NotFound',
  ],
  ['a locked order is read', lockOpenOrder, 'GetOrderById', createLockParams, 'ok'],
];

/** Payments on orders. */
export const RECORD_ROWS: readonly DataRow[] = [
  ['a payment is recorded', null, 'RecordOrderPaymentById', createRecordParams, 'ok'],
  [
    'all that is owed is recorded',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: { ...s.owed } }),
    'ok',
  ],
  ['the same payment again is a success', recordOpenPayment, 'RecordOrderPaymentById', createRecordParams, 'ok'],
  [
    'the same payment of a paid order is a success',
    recordFullPayment,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: { ...s.owed } }),
    'ok',
  ],
  [
    'the same payment with another amount is refused',
    recordOpenPayment,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: createAmount(499) }),
    'Conflict',
  ],
  [
    'the same payment with another tip is refused',
    recordOpenPayment,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { tipsAmount: createAmount(99) }),
    'Conflict',
  ],
  [
    'the same payment on another order is refused',
    recordOpenPayment,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { orderId: s.second.id }),
    'Conflict',
  ],
  [
    'a penny more than is owed is refused',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: createAmount(s.owed.value + 1) }),
    'Conflict',
  ],
  [
    'a payment of a paid order is refused',
    recordFullPayment,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paymentIntentId: 'pi_2' }),
    'Conflict',
  ],
  [
    'a payment before anything was ordered is refused',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { orderId: s.withoutBill.id }),
    'Conflict',
  ],
  [
    'a payment of zero is refused',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: createAmount(0) }),
    'InvalidRequest',
  ],
  [
    'a negative tip is refused',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { tipsAmount: createAmount(-1) }),
    'InvalidRequest',
  ],
  [
    'a payment in another currency is refused',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { paidAmount: createAmount(500, 'EUR') }),
    'InvalidRequest',
  ],
  [
    'a payment on an unknown order is not recorded',
    null,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { orderId: UNKNOWN_ORDER_ID }),
    'NotFound',
  ],
  [
    'a payment under a session lock of the EPOS is refused',
    lockByEpos,
    'RecordOrderPaymentById',
    createRecordParams,
    'Conflict',
  ],
  [
    "a payment under another's lock is refused",
    lockOpenOrder,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { lockId: OTHER_LOCK_ID }),
    'Conflict',
  ],
  [
    'a payment without the valid lock is refused',
    lockOpenOrder,
    'RecordOrderPaymentById',
    createRecordParams,
    'Conflict',
  ],
  [
    'a payment under its own lock is recorded',
    lockOpenOrder,
    'RecordOrderPaymentById',
    (s) => createRecordParams(s, { lockId: LOCK_ID }),
    'ok',
  ],
  [
    'the same payment again needs no lock',
    (s) => (recordOpenPayment(s), lockOpenOrder(s)),
    'RecordOrderPaymentById',
    createRecordParams,
    'ok',
  ],
];

/** Orders that the service makes and cancels. */
export const ORDER_ROWS: readonly DataRow[] = [
  ['an order is made', null, 'CreateOrder', () => createOrderParams(), 'ok'],
  [
    'an order at a table is made',
    null,
    'CreateOrder',
    () => createOrderParams({ details: { orderType: 'DineIn', dineIn: { tableId: 't-1' } } }),
    'ok',
  ],
  [
    'a paid order is made',
    null,
    'CreateOrder',
    () => createOrderParams({ payments: [{ paymentIntentId: 'pi_1', paidAmount: createAmount(650) }] }),
    'ok',
  ],
  [
    'an order at an unknown table is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ details: { orderType: 'DineIn', dineIn: { tableId: '77' } } }),
    'InvalidRequest',
  ],
  [
    'an order in another currency is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ totalAmount: createAmount(650, 'EUR') }),
    'InvalidRequest',
  ],
  [
    'an order with a line in another currency is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ payments: [{ paidAmount: createAmount(1, 'EUR') }] }),
    'InvalidRequest',
  ],
  [
    'an order with a negative total is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ totalAmount: createAmount(-1) }),
    'InvalidRequest',
  ],
  [
    'an order with more payments than its total is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ payments: [{ paidAmount: createAmount(651) }] }),
    'InvalidRequest',
  ],
  [
    'an order without items is not made',
    null,
    'CreateOrder',
    () => createOrderParams({ items: undefined }),
    'InvalidRequest',
  ],
  [
    'an order with the payment of another order is not made',
    recordOpenPayment,
    'CreateOrder',
    () => createOrderParams({ payments: [{ paymentIntentId: 'pi_1', paidAmount: createAmount(1) }] }),
    'Conflict',
  ],
  ['an order is cancelled', null, 'CancelOrderById', ({ open }) => ({ orderId: open.id }), 'ok'],
  [
    'an order is cancelled twice',
    (s) => s.ask('CancelOrderById', { orderId: s.open.id }),
    'CancelOrderById',
    ({ open }) => ({ orderId: open.id }),
    'ok',
  ],
  [
    'an order with a recorded payment is not cancelled',
    recordOpenPayment,
    'CancelOrderById',
    ({ open }) => ({ orderId: open.id }),
    'Conflict',
  ],
  [
    'a closed order is not cancelled',
    null,
    'CancelOrderById',
    ({ finished }) => ({ orderId: finished.id }),
    'Conflict',
  ],
  ['an unknown order is not cancelled', null, 'CancelOrderById', () => ({ orderId: UNKNOWN_ORDER_ID }), 'NotFound'],
  ['an unknown order is not read', null, 'GetOrderById', () => ({ orderId: UNKNOWN_ORDER_ID }), 'NotFound'],
  ['an unknown order has no bill', null, 'GetOrderBillById', () => ({ orderId: UNKNOWN_ORDER_ID }), 'NotFound'],
  ['a bill is printed', null, 'GetOrderBillById', ({ open }) => ({ orderId: open.id }), 'ok'],
  [
    'a page with an unknown cursor is refused',
    null,
    'SearchOrders',
    () => ({ cursor: { after: 'nowhere' } }),
    'InvalidRequest',
  ],
  [
    'a page with two cursors is refused',
    null,
    'SearchOrders',
    () => ({ cursor: { after: 'a', before: 'b' } }),
    'InvalidRequest',
  ],
  [
    'a page with too high a limit is refused',
    null,
    'SearchTables',
    () => ({ cursor: { limit: 101 } }),
    'InvalidRequest',
  ],
];
