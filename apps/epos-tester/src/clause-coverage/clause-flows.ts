import type { ClauseId } from '../checks/clauses.js';
import { DATA_FLOWS, FLOWS, TABLES_FLOWS } from '../flows/flows.js';

/** How a clause is tested: the flows that detect an EPOS which breaks it. */
export interface ClauseCoverageNote {
  readonly flows: readonly string[];
  /** What these flows have in common, if they are too many to list; otherwise null. */
  readonly by: string | null;
}

const TABLES = TABLES_FLOWS.map(({ name }) => name);
const DATA = DATA_FLOWS.map(({ name }) => name);
const EVERY_TABLES_FLOW = { by: 'every flow of the pay-at-table contract', flows: TABLES };
const EVERY_DATA_FLOW = { by: 'every flow of the EPOS Data API', flows: DATA };
const EVERY_CAPABILITY_FLOW = { by: 'the flow of every capability that answers with a body', flows: DATA };
const EVERY_ORDER_FLOW = { by: 'every flow that reads an order', flows: DATA };
const EVERY_PAYING_FLOW = { by: 'every flow that pays by card', flows: FLOWS.map(({ name }) => name) };
const EVERY_FLOW = { by: 'every flow', flows: FLOWS.map(({ name }) => name) };
const EVERY_CALLED_FLOW = { ...EVERY_FLOW, by: 'every flow over an address that is called' };

const SHOWN = {
  'connection.live': EVERY_FLOW,
  'connection.credentials': EVERY_CALLED_FLOW,
  'answer.in-time': EVERY_TABLES_FLOW,
  'answer.readable': EVERY_TABLES_FLOW,
  'answer.result': EVERY_TABLES_FLOW,
  'answer.schema': EVERY_TABLES_FLOW,
  'session.id': ['ListSessions', 'GetSession'],
  'session.name': ['ListSessions', 'GetSession'],
  'session.table-name': ['ListSessions', 'GetSession'],
  'session.times': ['tables-pay-in-full'],
  'session.payable': ['tables-pay-in-full', 'tables-split'],
  'session.same': ['GetSession'],
  'sessions.filter': ['ListSessions'],
  'table.name': ['ListTables', 'GetTable'],
  'table.status': ['ListTables', 'GetTable'],
  'table.covers': ['ListTables', 'GetTable'],
  'table.same': ['GetTable'],
  'bill.session': ['GetBillItems', 'GetFullBill', 'LockSession'],
  'bill.currency': ['GetBillItems', 'LockSession', 'tables-split'],
  'bill.amounts': ['GetBillItems'],
  'bill.paid-within-total': ['GetBillItems', 'tables-pay-in-full'],
  'bill.parts-within-total': ['GetBillItems'],
  'bill.items': ['GetBillItems'],
  'bills.filter': ['ListBillItems'],
  'lock.takes': ['LockSession', 'tables-pay-in-full'],
  'lock.bill': ['LockSession', 'tables-pay-in-full', 'tables-split'],
  'lock.exclusive': ['tables-lock-rules'],
  'unlock.releases': ['UnlockSession', 'tables-lock-rules'],
  'unlock.needs-lock': ['tables-lock-rules'],
  'record.needs-lock': ['tables-lock-rules'],
  'record.books': ['RecordPayment', 'tables-pay-in-full'],
  'record.keeps-lock': ['tables-pay-in-full', 'tables-split'],
  'record.base-only': ['tables-pay-in-full', 'tables-split'],
  'record.once': ['tables-record-duplicate'],
  'record.id-unique': ['tables-record-duplicate'],
  'record.remote': ['tables-consumer-device'],
  'record.unsuccessful': ['tables-declined-payment'],
  'unknown.session': ['tables-unknown'],
  'unknown.table': ['tables-unknown'],
  'unknown.bill': ['tables-unknown'],
  'sandbox.session': EVERY_TABLES_FLOW,
  'sandbox.machine': EVERY_PAYING_FLOW,
  'capability.registered': EVERY_DATA_FLOW,
  'credentials.checked': ['bad-credentials'],
  'connection.again': ['reconnect'],
  'data.in-time': EVERY_DATA_FLOW,
  'data.readable': EVERY_DATA_FLOW,
  'data.result': EVERY_DATA_FLOW,
  'schema.missing': EVERY_CAPABILITY_FLOW,
  'schema.type': EVERY_CAPABILITY_FLOW,
  'schema.enum': EVERY_CAPABILITY_FLOW,
  'schema.value': EVERY_CAPABILITY_FLOW,
  'booking.times': ['GetPartyById', 'SearchParties', 'GetReservationById', 'SearchReservations'],
  'area.named': ['ListAreas'],
  'table.unique': ['SearchTables'],
  'tables.filter': ['SearchTables'],
  'order.same': ['GetOrderById', 'GetOrderBillById'],
  'order.currency': EVERY_ORDER_FLOW,
  'order.paid': EVERY_ORDER_FLOW,
  'order.tips': EVERY_ORDER_FLOW,
  'order.within-total': EVERY_ORDER_FLOW,
  'order.payable': EVERY_ORDER_FLOW,
  'orders.filter': ['SearchOrders'],
  'order.created': ['CreateOrder', 'order-and-pay'],
  'order.create-once': ['order-and-pay'],
  'order.prepaid': ['order-and-pay'],
  'order.cancels': ['CancelOrderById'],
  'order.keeps-paid': ['CancelOrderById'],
  'order-bill.lines': ['GetOrderBillById'],
  'order-lock.takes': ['CreateOrderLock', 'pay-in-full', 'lock-conflict'],
  'order-lock.bill': ['CreateOrderLock', 'pay-in-full'],
  'order-lock.exclusive': ['lock-conflict', 'reconnect'],
  'order-lock.releases': ['DeleteOrderLock', 'lock-conflict'],
  'order-lock.expires': ['lock-expiry'],
  'order-lock.extends': ['ExtendOrderLock', 'lock-extend'],
  'order-lock.readable': ['read-while-locked'],
  'order-record.books': ['RecordOrderPaymentById', 'pay-in-full'],
  'order-record.base-only': ['pay-in-full', 'split-equal', 'split-custom', 'tip'],
  'order-record.tip': ['tip'],
  'order-record.intent': ['pay-in-full', 'split-equal', 'split-custom', 'tip'],
  'order-record.once': ['record-duplicate', 'record-unanswered'],
  'order-record.no-overpay': ['record-conflict-reversed'],
  'order-record.needs-lock': ['record-without-lock'],
  'unknown.order': ['unknown-order'],
  'pages.limit': ['pagination'],
  'pages.once': ['pagination'],
  'pages.back': ['pagination'],
  'party.same': ['CreateParty', 'UpdateParty', 'party-lifecycle'],
  'party.gone': ['DeletePartyById', 'party-lifecycle'],
  'parties.filter': ['SearchParties', 'party-lifecycle'],
  'reservation.same': ['CreateReservation', 'UpdateReservation', 'reservation-lifecycle'],
  'reservation.gone': ['DeleteReservationById', 'reservation-lifecycle'],
  'reservations.filter': ['SearchReservations', 'reservation-lifecycle'],
  'event.accepted': ['HandleEvent:payment_intent.created', 'HandleEvent:payment_intent.status_updated'],
  'sandbox.order': EVERY_ORDER_FLOW,
  'sandbox.table': ['CreateParty', 'party-lifecycle'],
} as const satisfies Readonly<Record<ClauseId, readonly [string, ...string[]] | ClauseCoverageNote>>;

/** The tests of every clause. */
export const CLAUSE_FLOWS = Object.fromEntries(
  Object.entries(SHOWN).map(([id, shown]): [string, ClauseCoverageNote] => [
    id,
    'by' in shown ? shown : { flows: shown, by: null },
  ]),
) as Readonly<Record<ClauseId, ClauseCoverageNote>>;
