// An EPOS that the service dials over gRPC: one restaurant, kept in memory, with nothing but what a partner gets.
import { type handleUnaryCall, type Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import * as tables from '@pos/grpc-contracts/tables';
import { createTablesRefusal } from '@pos/grpc-contracts/tables-error';
import { randomUUID } from 'node:crypto';

const [port = '7101', credentials = 'till:secret'] = process.argv.slice(2);

interface PartyState {
  readonly session: tables.Session;
  readonly bill: tables.Bill;
  readonly payments: Map<string, tables.Payment>;
  isLocked: boolean;
}

const restaurant = Array.from({ length: 12 }, (_, index) => findParty(String(index + 1)));

/** One method each, under its name in the contract; what it refuses, it throws. */
const service: tables.TablesServiceServer = {
  listSessions: answerCall(({ isPayable, isFinished, hasTable, tableNames }) => ({
    sessions: restaurant
      .map(({ session, bill }) => ({ ...session, isPayable: owed(bill) > 0n }))
      .filter((session) => isPayable === undefined || session.isPayable === isPayable)
      .filter(() => isFinished !== true && hasTable !== false)
      .filter(({ tableName = '' }) => tableNames.length === 0 || tableNames.includes(tableName)),
  })),
  getSession: answerCall(({ sessionId }) => {
    const { session, bill } = find(sessionId);
    return { session: { ...session, isPayable: owed(bill) > 0n } };
  }),
  listTables: answerCall(({ statuses }) => ({
    tables: restaurant.map(getTable).filter((table) => statuses.length === 0 || statuses.includes(table.status)),
  })),
  getTable: answerCall(({ name }) => {
    const table = restaurant.map(getTable).find((each) => each.name === name);
    return { table: table ?? createRefusal('TABLE_NO_SUCH_TABLE', `there is no table ${name}`) };
  }),
  getBillItems: answerCall(({ sessionId }) => ({ billItems: find(sessionId).bill })),
  listBillItems: answerCall(({ sessionIds: ids }) => ({
    billItems: restaurant.flatMap(({ bill }) => (ids.length === 0 || ids.includes(bill.sessionId) ? bill : [])),
  })),
  getFullBill: answerCall(({ sessionId }) => ({
    fullBill: { header: { receiptLines: [] }, billItems: find(sessionId).bill, footer: { receiptLines: [] } },
  })),
  lockSession: answerCall(({ sessionId }) => {
    const diners = find(sessionId);
    if (diners.isLocked) createRefusal('SESSION_ALREADY_LOCKED', 'somebody is paying at this table');
    diners.isLocked = true;
    return { billItems: diners.bill };
  }),
  unlockSession: answerCall(({ sessionId }) => {
    const diners = find(sessionId);
    if (!diners.isLocked) createRefusal('SESSION_NOT_LOCKED', 'nobody has locked it');
    diners.isLocked = false;
    return {};
  }),
  recordPayment: answerCall(({ payment }) => {
    if (payment === undefined) return createRefusal('ERROR_PARSE_ERROR', 'the payment is missing');
    recordPayment(find(payment.sessionId), payment);
    return {};
  }),
};

/** The id of a payment is its idempotency key: whatever is sent again, it is on the bill once. */
function recordPayment({ bill, payments, isLocked }: PartyState, payment: tables.Payment): void {
  if (!isLocked) createRefusal('SESSION_NOT_LOCKED', 'lock the session first');
  // Money was not taken: there is nothing to book.
  if (!payment.paymentSuccessful) return;
  const known = payments.get(payment.id);
  if (known !== undefined && isSame(known, payment)) createRefusal('PAYMENT_ALREADY_RECORDED', 'it is on the bill');
  if (known !== undefined) createRefusal('PAYMENT_NOT_RECORDED', 'another payment has this id');
  if (payment.currency !== bill.currency) createRefusal('PAYMENT_NOT_RECORDED', `the bill is in ${bill.currency}`);
  if (payment.baseAmount > owed(bill)) createRefusal('PAYMENT_NOT_RECORDED', 'that is more than is owed');
  payments.set(payment.id, payment);
  // Neither tip nor cashback pays the bill.
  bill.paidAmount += payment.baseAmount;
}

function isSame(one: tables.Payment, other: tables.Payment): boolean {
  const said = (payment: tables.Payment): string =>
    [
      ...[payment.sessionId, payment.baseAmount, payment.gratuityAmount, payment.cashbackAmount],
      payment.attemptedAt?.toISOString(),
    ].join();
  return said(one) === said(other);
}

function findParty(tableName: string): PartyState {
  const [id, createdAt] = [randomUUID(), new Date()];
  const soup = { id: '1', name: 'Soup', category: ['Food'], quantity: 2, amountPerItem: 650n, modifiers: [] };
  const bill = tables.Bill.create({
    ...{ sessionId: id, currency: 'GBP', totalAmount: 1300n, taxAmount: 217n },
    items: [{ ...soup, lastOrderedAt: createdAt }],
  });
  const session = tables.Session.create({ id, name: `Table ${tableName}`, tableName, createdAt });
  return { session, bill, payments: new Map(), isLocked: false };
}

function getTable({ session: { tableName = '' } }: PartyState): tables.Table {
  return { name: tableName, maxCovers: 4, status: tables.TableStatus.TABLE_STATUS_OCCUPIED };
}

function find(sessionId: string): PartyState {
  const found = restaurant.find(({ session }) => session.id === sessionId);
  return found ?? createRefusal('SESSION_NO_SUCH_SESSION', 'there is no such session');
}

const owed = ({ totalAmount, paidAmount }: tables.Bill): bigint => totalAmount - paidAmount;

function createRefusal(code: keyof typeof tables.TablesErrorCode, reason: string): never {
  throw new RefusedError(code, reason);
}

class RefusedError extends Error {
  constructor(
    readonly code: keyof typeof tables.TablesErrorCode,
    reason: string,
  ) {
    super(reason);
  }
}

/** Checks who calls, and makes a refusal of what is thrown. */
function answerCall<Q, A>(method: (question: Q) => A): handleUnaryCall<Q, A> {
  return ({ request, metadata }, callback) => {
    if (!isKnown(metadata)) {
      callback({ code: status.UNAUTHENTICATED, details: 'wrong user name or password' });
      return;
    }
    try {
      callback(null, method(request));
    } catch (error) {
      const { code, message } =
        error instanceof RefusedError ? error : new RefusedError('ERROR_INTERNAL_POS_ERROR', 'a defect');
      callback(createTablesRefusal(tables.TablesErrorCode[code], message));
    }
  };
}

function isKnown(metadata: Metadata): boolean {
  return metadata.get('authorization')[0] === `Basic ${Buffer.from(credentials).toString('base64')}`;
}

const server = new Server();
server.addService(tables.TablesServiceService, service);
// For the tester beside it; a till that the service dials serves TLS.
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) => {
  if (error !== null) throw error;
  console.log(`grpc://127.0.0.1:${taken}`);
});
