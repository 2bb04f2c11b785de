import { EPOS_VALUES_MAX } from '@pos/rest-contracts/shapes';
import { DATA_CLAUSES } from './data-clauses.js';

/** The requirements for an EPOS behind the pay-at-table contract, clause by clause. */
const TABLES_CLAUSES = {
  'connection.live':
    'The EPOS holds a connection to the service, or is registered with an address that can be dialled.',
  'connection.credentials': 'An EPOS that is dialled accepts the user name and password it was registered with.',
  'answer.in-time': 'A call is answered within its limit: 30 seconds for RecordPayment, 20 seconds for every other.',
  'answer.readable': `What is answered can be read: it is a message of the contract, answers the call, and holds at most 100,000 values over gRPC, ${EPOS_VALUES_MAX.toLocaleString('en-GB')} in JSON.`,
  'answer.result': 'A call that is allowed in the state the EPOS is in is answered with its result, not with an error.',
  'answer.schema': 'An answer carries every required member, and its whole numbers are exact below 2^53.',
  'session.id': 'A session has an id, and it is a UUID.',
  'session.name': 'A session has a name that staff know it by.',
  'session.table-name': 'The table name of a session is that of a table, so it never contains " - ".',
  'session.times': 'A session finishes no earlier than it was created.',
  'session.payable': 'A session that is finished, or that owes nothing, is not payable.',
  'session.same': 'GetSession answers the session that was asked for.',
  'sessions.filter':
    'ListSessions answers only sessions that match every filter it was sent; an empty list of tables is no filter.',
  'table.name': 'A table has a name without " - " in it.',
  'table.status': 'A table has one of the four statuses.',
  'table.covers': 'The number of covers of a table is not negative.',
  'table.same': 'GetTable answers the table that was asked for.',
  'bill.session': 'A bill names the session it was asked for.',
  'bill.currency': 'A bill is in one currency, that of the session, which the account can take payments in.',
  'bill.amounts': 'Total, paid amount, tax and service charge are whole minor units and not negative.',
  'bill.paid-within-total': 'No more is paid than the bill amounts to.',
  'bill.parts-within-total': 'Neither tax nor service charge is more than the total.',
  'bill.items':
    'Every item has an id of its own, a name, a quantity (negative only for a void), an exact price and the time it was ordered.',
  'bills.filter': 'ListBillItems answers only bills of the sessions it was asked for.',
  'lock.takes': 'LockSession locks a session that nobody has locked.',
  'lock.bill': 'LockSession answers the current bill, the same that GetBillItems answers.',
  'lock.exclusive': 'A session that is locked cannot be locked again: SESSION_ALREADY_LOCKED.',
  'unlock.releases': 'UnlockSession unlocks a locked session.',
  'unlock.needs-lock': 'A session that is not locked cannot be unlocked: SESSION_NOT_LOCKED.',
  'record.needs-lock': 'A payment is recorded only on a locked session: SESSION_NOT_LOCKED.',
  'record.books': 'RecordPayment of a taken payment on a locked session succeeds.',
  'record.keeps-lock': 'Recording leaves the session locked.',
  'record.base-only':
    'A recorded payment raises the paid amount by its base amount: neither tip nor cashback pays the bill.',
  'record.once': 'The same payment recorded again is answered PAYMENT_ALREADY_RECORDED and moves nothing.',
  'record.id-unique':
    'Another payment under the id of a recorded one is answered PAYMENT_NOT_RECORDED and moves nothing.',
  'record.remote':
    'A payment that a payer has made on their own device, with the method REMOTE, is recorded like one of a card machine.',
  'record.unsuccessful': 'A payment that was not successful is accepted and books nothing.',
  'unknown.session': 'Every call for a session that does not exist is answered SESSION_NO_SUCH_SESSION.',
  'unknown.table': 'A table that does not exist is answered SESSION_NO_SUCH_SESSION or TABLE_NO_SUCH_TABLE.',
  'unknown.bill': 'The bill of a session that has none is answered BILL_NO_SUCH_BILL.',
  'sandbox.session': 'The EPOS under test has a session that the flow can run on.',
  'sandbox.machine': 'The sandbox card machine 90000001 takes the card payments of the flows.',
} as const satisfies Readonly<Record<string, string>>;

/**
 * Every clause of both contracts. Every check of a flow names one, and the document for EPOS developers is generated
 * from them.
 */
export const CLAUSES = { ...TABLES_CLAUSES, ...DATA_CLAUSES };
export type ClauseId = keyof typeof CLAUSES;
