import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { MACHINE, NOON, type DataStand } from './testing.js';

/** What is done before, then the call, and how it ends: `ok`, or the kind of error. */
export type DataRow = readonly [
  string,
  ((stand: DataStand) => unknown) | null,
  EposDataCallName,
  (stand: DataStand) => Readonly<Record<string, unknown>>,
  string,
];

export const LOCK_ID = 'c0c0c0c0-0000-4000-8000-000000000001';
const OTHER_LOCK_ID = 'c0c0c0c0-0000-4000-8000-000000000002';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const amount = (value: number, currencyCode = 'GBP') => ({ value, currencyCode });
const inMinutes = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000).toISOString();

/** A lock for a quarter of an hour. */
export const lockOf = ({ open }: DataStand, lockId = LOCK_ID) => ({
  ...{ orderId: open.id, lockId },
  expiry: inMinutes(15),
});
/** Five pounds and one for the waiter. */
export const recordOf = ({ open }: DataStand, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ orderId: open.id, paymentIntentId: 'pi_1', paidAmount: amount(500), tipsAmount: amount(100) },
  ...more,
});
/** A new order of one soup, to be fetched. */
export const orderOf = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ details: { orderType: 'Collection', collection: { asap: true } }, totalAmount: amount(650) },
  items: [{ name: 'Soup', quantity: 1, plu: '101', amountPerItem: amount(650) }],
  ...{ serviceOrderId: 'so-1', payments: [] },
  ...more,
});
export const partyOf = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ servicePartyId: 'sp-1', tableIds: ['t-U3'], startTime: inMinutes(0), covers: 2 },
  ...more,
});
export const reservationOf = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ serviceReservationId: 'sr-1', name: 'Ada', covers: 2, tableIds: ['t-1'] },
  ...{ startTime: inMinutes(60), endTime: inMinutes(180) },
  ...more,
});

const locked = (stand: DataStand) => stand.ask('CreateOrderLock', lockOf(stand));
const expired = (stand: DataStand) => {
  locked(stand);
  return stand.clock.advance(15 * 60_000);
};
const lockedByTill = ({ epos, open }: DataStand) => epos.lock(open.id, MACHINE);
const recorded = (stand: DataStand) => stand.ask('RecordOrderPaymentById', recordOf(stand));
const paidUp = (stand: DataStand) =>
  stand.ask('RecordOrderPaymentById', recordOf(stand, { paidAmount: { ...stand.owed } }));

/** Locks, as 2.7 of the EPOS specification has them. */
export const LOCK_ROWS: readonly DataRow[] = [
  ['an order is locked', null, 'CreateOrderLock', lockOf, 'ok'],
  ['an unknown order is not locked', null, 'CreateOrderLock', (s) => ({ ...lockOf(s), orderId: UNKNOWN }), 'NotFound'],
  [
    'a lock past its expiry is none',
    expired,
    'CreateOrderLock',
    (s) => ({ ...lockOf(s, OTHER_LOCK_ID), expiry: inMinutes(30) }),
    'ok',
  ],
  ['the same lock again is a success', locked, 'CreateOrderLock', lockOf, 'ok'],
  ['the same lock in capitals is the same', locked, 'CreateOrderLock', (s) => lockOf(s, LOCK_ID.toUpperCase()), 'ok'],
  ['another lock is refused while one lives', locked, 'CreateOrderLock', (s) => lockOf(s, OTHER_LOCK_ID), 'Conflict'],
  ["an order is not locked under a till's session lock", lockedByTill, 'CreateOrderLock', lockOf, 'Conflict'],
  [
    'a lock that is over already is none',
    null,
    'CreateOrderLock',
    (s) => ({ ...lockOf(s), expiry: inMinutes(0) }),
    'InvalidRequest',
  ],
  ['a lock needs an id', null, 'CreateOrderLock', (s) => ({ ...lockOf(s), lockId: 'mine' }), 'InvalidRequest'],
  ['a lock that is there is let go', locked, 'DeleteOrderLock', lockOf, 'ok'],
  ['a lock that is not there is gone', null, 'DeleteOrderLock', lockOf, 'ok'],
  ['a lock that has expired is gone', expired, 'DeleteOrderLock', lockOf, 'ok'],
  [
    'a lock on an unknown order is not let go',
    null,
    'DeleteOrderLock',
    (s) => ({ ...lockOf(s), orderId: UNKNOWN }),
    'NotFound',
  ],
  ['a lock is extended', locked, 'ExtendOrderLock', lockOf, 'ok'],
  ['a lock that is not there is not extended', null, 'ExtendOrderLock', lockOf, 'NotFound'],
  [
    'a lock that has expired is not extended',
    expired,
    'ExtendOrderLock',
    (s) => ({ ...lockOf(s), expiry: inMinutes(30) }),
    'NotFound',
  ],
  ["another's lock is not extended", locked, 'ExtendOrderLock', (s) => lockOf(s, OTHER_LOCK_ID), 'NotFound'],
  ['a locked order is read', locked, 'GetOrderById', lockOf, 'ok'],
];

/** Payments on orders. */
export const RECORD_ROWS: readonly DataRow[] = [
  ['a payment is recorded', null, 'RecordOrderPaymentById', recordOf, 'ok'],
  [
    'all that is owed is recorded',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: { ...s.owed } }),
    'ok',
  ],
  ['the same payment again is a success', recorded, 'RecordOrderPaymentById', recordOf, 'ok'],
  [
    'the same payment of a paid order is a success',
    paidUp,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: { ...s.owed } }),
    'ok',
  ],
  [
    'the same payment with another amount is refused',
    recorded,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: amount(499) }),
    'Conflict',
  ],
  [
    'the same payment with another tip is refused',
    recorded,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { tipsAmount: amount(99) }),
    'Conflict',
  ],
  [
    'the same payment on another order is refused',
    recorded,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { orderId: s.second.id }),
    'Conflict',
  ],
  [
    'a penny more than is owed is refused',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: amount(s.owed.value + 1) }),
    'Conflict',
  ],
  [
    'a payment of a paid order is refused',
    paidUp,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paymentIntentId: 'pi_2' }),
    'Conflict',
  ],
  [
    'a payment before anything was ordered is refused',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { orderId: s.withoutBill.id }),
    'Conflict',
  ],
  [
    'a payment of nothing is none',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: amount(0) }),
    'InvalidRequest',
  ],
  [
    'a tip below nothing is none',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { tipsAmount: amount(-1) }),
    'InvalidRequest',
  ],
  [
    'a payment in another currency is none',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { paidAmount: amount(500, 'EUR') }),
    'InvalidRequest',
  ],
  [
    'a payment on an unknown order is not recorded',
    null,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { orderId: UNKNOWN }),
    'NotFound',
  ],
  ["a payment under a till's session lock is refused", lockedByTill, 'RecordOrderPaymentById', recordOf, 'Conflict'],
  [
    "a payment under another's lock is refused",
    locked,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { lockId: OTHER_LOCK_ID }),
    'Conflict',
  ],
  ['a payment without the lock that lives is refused', locked, 'RecordOrderPaymentById', recordOf, 'Conflict'],
  [
    'a payment under its own lock is recorded',
    locked,
    'RecordOrderPaymentById',
    (s) => recordOf(s, { lockId: LOCK_ID }),
    'ok',
  ],
  ['the same payment again needs no lock', (s) => (recorded(s), locked(s)), 'RecordOrderPaymentById', recordOf, 'ok'],
];

/** Orders that the service makes and gives up. */
export const ORDER_ROWS: readonly DataRow[] = [
  ['an order is made', null, 'CreateOrder', () => orderOf(), 'ok'],
  [
    'an order at a table is made',
    null,
    'CreateOrder',
    () => orderOf({ details: { orderType: 'DineIn', dineIn: { tableId: 't-1' } } }),
    'ok',
  ],
  [
    'an order that is paid is made',
    null,
    'CreateOrder',
    () => orderOf({ payments: [{ paymentIntentId: 'pi_1', paidAmount: amount(650) }] }),
    'ok',
  ],
  [
    'an order at an unknown table is not made',
    null,
    'CreateOrder',
    () => orderOf({ details: { orderType: 'DineIn', dineIn: { tableId: '77' } } }),
    'InvalidRequest',
  ],
  [
    'an order in another currency is not made',
    null,
    'CreateOrder',
    () => orderOf({ totalAmount: amount(650, 'EUR') }),
    'InvalidRequest',
  ],
  [
    'an order with a line in another currency is not made',
    null,
    'CreateOrder',
    () => orderOf({ payments: [{ paidAmount: amount(1, 'EUR') }] }),
    'InvalidRequest',
  ],
  [
    'an order below nothing is not made',
    null,
    'CreateOrder',
    () => orderOf({ totalAmount: amount(-1) }),
    'InvalidRequest',
  ],
  [
    'an order that is paid twice over is not made',
    null,
    'CreateOrder',
    () => orderOf({ payments: [{ paidAmount: amount(651) }] }),
    'InvalidRequest',
  ],
  ['an order without items is not made', null, 'CreateOrder', () => orderOf({ items: undefined }), 'InvalidRequest'],
  [
    'an order with a payment of another is not made',
    recorded,
    'CreateOrder',
    () => orderOf({ payments: [{ paymentIntentId: 'pi_1', paidAmount: amount(1) }] }),
    'Conflict',
  ],
  ['an order is given up', null, 'CancelOrderById', ({ open }) => ({ orderId: open.id }), 'ok'],
  [
    'an order is given up twice',
    (s) => s.ask('CancelOrderById', { orderId: s.open.id }),
    'CancelOrderById',
    ({ open }) => ({ orderId: open.id }),
    'ok',
  ],
  [
    'an order on which something was paid is not given up',
    recorded,
    'CancelOrderById',
    ({ open }) => ({ orderId: open.id }),
    'Conflict',
  ],
  [
    'an order that is closed is not given up',
    null,
    'CancelOrderById',
    ({ finished }) => ({ orderId: finished.id }),
    'Conflict',
  ],
  ['an unknown order is not given up', null, 'CancelOrderById', () => ({ orderId: UNKNOWN }), 'NotFound'],
  ['an unknown order is not read', null, 'GetOrderById', () => ({ orderId: UNKNOWN }), 'NotFound'],
  ['an unknown order has no bill', null, 'GetOrderBillById', () => ({ orderId: UNKNOWN }), 'NotFound'],
  ['a bill is printed', null, 'GetOrderBillById', ({ open }) => ({ orderId: open.id }), 'ok'],
  ['a page has no unknown neighbour', null, 'SearchOrders', () => ({ cursor: { after: 'nowhere' } }), 'InvalidRequest'],
  ['a page lies on one side', null, 'SearchOrders', () => ({ cursor: { after: 'a', before: 'b' } }), 'InvalidRequest'],
  ['a page has an end', null, 'SearchTables', () => ({ cursor: { limit: 101 } }), 'InvalidRequest'],
];

const seated = ({ ask }: DataStand) => ask('CreateParty', partyOf());
const reserved = ({ ask }: DataStand) => ask('CreateReservation', reservationOf());

/** Parties and reservations. */
export const BOOKING_ROWS: readonly DataRow[] = [
  ['a party is seated', null, 'CreateParty', () => partyOf(), 'ok'],
  ['a table has one party at a time', seated, 'CreateParty', () => partyOf({ servicePartyId: 'sp-2' }), 'Conflict'],
  ['a party sits at a table that is there', null, 'CreateParty', () => partyOf({ tableIds: ['77'] }), 'InvalidRequest'],
  ['a party sits somewhere', null, 'CreateParty', () => partyOf({ tableIds: [] }), 'InvalidRequest'],
  ['a party has a status with something in it', null, 'CreateParty', () => partyOf({ status: '' }), 'InvalidRequest'],
  [
    'a party comes by a reservation that is there',
    null,
    'CreateParty',
    () => partyOf({ reservationId: 'none' }),
    'InvalidRequest',
  ],
  [
    'a guest of the evening sits there already',
    null,
    'CreateParty',
    ({ open }) => partyOf({ tableIds: [`t-${open.tableName ?? ''}`] }),
    'Conflict',
  ],
  ['a party is read', seated, 'GetPartyById', () => ({ partyId: 'party-1' }), 'ok'],
  ['an unknown party is not read', null, 'GetPartyById', () => ({ partyId: 'party-1' }), 'NotFound'],
  [
    'a party moves to a free table',
    seated,
    'UpdateParty',
    () => partyOf({ partyId: 'party-1', status: 'Moved', tableIds: ['t-U2'] }),
    'ok',
  ],
  [
    'a party needs a status when it changes',
    seated,
    'UpdateParty',
    () => partyOf({ partyId: 'party-1' }),
    'InvalidRequest',
  ],
  [
    'a party does not move onto another',
    seated,
    'UpdateParty',
    ({ open }) => partyOf({ partyId: 'party-1', status: 'Moved', tableIds: [`t-${open.tableName ?? ''}`] }),
    'Conflict',
  ],
  ['a party is deleted', seated, 'DeletePartyById', () => ({ partyId: 'party-1' }), 'ok'],
  ['an unknown party is not deleted', null, 'DeletePartyById', () => ({ partyId: 'party-1' }), 'NotFound'],
  ['a table is reserved', null, 'CreateReservation', () => reservationOf(), 'ok'],
  [
    'a reservation ends after its beginning',
    null,
    'CreateReservation',
    () => reservationOf({ endTime: inMinutes(60) }),
    'InvalidRequest',
  ],
  [
    'a reservation is for a table that is there',
    null,
    'CreateReservation',
    () => reservationOf({ tableIds: ['77'] }),
    'InvalidRequest',
  ],
  [
    'a reservation is changed',
    reserved,
    'UpdateReservation',
    () => reservationOf({ reservationId: 'reservation-1', covers: 6 }),
    'ok',
  ],
  [
    'an unknown reservation is not changed',
    null,
    'UpdateReservation',
    () => reservationOf({ reservationId: 'reservation-1' }),
    'NotFound',
  ],
  ['a reservation is deleted', reserved, 'DeleteReservationById', () => ({ reservationId: 'reservation-1' }), 'ok'],
  [
    'an unknown reservation is not deleted',
    null,
    'DeleteReservationById',
    () => ({ reservationId: 'reservation-1' }),
    'NotFound',
  ],
];
