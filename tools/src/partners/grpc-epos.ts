// An EPOS that the service dials over gRPC: one restaurant, kept in memory, with nothing but what a partner gets.
import { type handleUnaryCall, type Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import * as tables from '@pos/grpc-contracts/tables';
import { createTablesRefusal } from '@pos/grpc-contracts/tables-error';
import { randomUUID } from 'node:crypto';

const [port = '7101', credentials = 'till:secret'] = process.argv.slice(2);

interface Diners {
  readonly session: tables.Session;
  readonly bill: tables.Bill;
  readonly payments: Map<string, tables.Payment>;
  isLocked: boolean;
}

const restaurant = Array.from({ length: 12 }, (_, index) => dinersAt(String(index + 1)));

/** One function for each method, under its name in the contract. A refusal is thrown. */
const service: tables.TablesServiceServer = {
  listSessions: answer(({ isPayable, isFinished, hasTable, tableNames }) => ({
    sessions: restaurant
      .map(({ session, bill }) => ({ ...session, isPayable: owed(bill) > 0n }))
      .filter((session) => isPayable === undefined || session.isPayable === isPayable)
      .filter(() => isFinished !== true && hasTable !== false)
      .filter(({ tableName = '' }) => tableNames.length === 0 || tableNames.includes(tableName)),
  })),
  getSession: answer(({ sessionId }) => {
    const { session, bill } = find(sessionId);
    return { session: { ...session, isPayable: owed(bill) > 0n } };
  }),
  listTables: answer(({ statuses }) => ({
    tables: restaurant.map(tableOf).filter((table) => statuses.length === 0 || statuses.includes(table.status)),
  })),
  getTable: answer(({ name }) => {
    const table = restaurant.map(tableOf).find((each) => each.name === name);
    return { table: table ?? refuse('TABLE_NO_SUCH_TABLE', `there is no table ${name}`) };
  }),
  getBillItems: answer(({ sessionId }) => ({ billItems: find(sessionId).bill })),
  listBillItems: answer(({ sessionIds: ids }) => ({
    billItems: restaurant.flatMap(({ bill }) => (ids.length === 0 || ids.includes(bill.sessionId) ? bill : [])),
  })),
  getFullBill: answer(({ sessionId }) => ({
    fullBill: { header: { receiptLines: [] }, billItems: find(sessionId).bill, footer: { receiptLines: [] } },
  })),
  lockSession: answer(({ sessionId }) => {
    const diners = find(sessionId);
    if (diners.isLocked) refuse('SESSION_ALREADY_LOCKED', 'somebody is paying at this table');
    diners.isLocked = true;
    return { billItems: diners.bill };
  }),
  unlockSession: answer(({ sessionId }) => {
    const diners = find(sessionId);
    if (!diners.isLocked) refuse('SESSION_NOT_LOCKED', 'nobody has locked it');
    diners.isLocked = false;
    return {};
  }),
  recordPayment: answer(({ payment }) => {
    if (payment === undefined) return refuse('ERROR_PARSE_ERROR', 'the payment is missing');
    record(find(payment.sessionId), payment);
    return {};
  }),
};

/** The id of a payment is its idempotency key: a repeated payment is on the bill once. */
function record({ bill, payments, isLocked }: Diners, payment: tables.Payment): void {
  if (!isLocked) refuse('SESSION_NOT_LOCKED', 'lock the session first');
  // Money was not taken: there is nothing to book.
  if (!payment.paymentSuccessful) return;
  const known = payments.get(payment.id);
  if (known !== undefined && isSame(known, payment)) refuse('PAYMENT_ALREADY_RECORDED', 'it is on the bill');
  if (known !== undefined) refuse('PAYMENT_NOT_RECORDED', 'another payment has this id');
  if (payment.currency !== bill.currency) refuse('PAYMENT_NOT_RECORDED', `the bill is in ${bill.currency}`);
  if (payment.baseAmount > owed(bill)) refuse('PAYMENT_NOT_RECORDED', 'that is more than is owed');
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

function dinersAt(tableName: string): Diners {
  const [id, createdAt] = [randomUUID(), new Date()];
  const soup = { id: '1', name: 'Soup', category: ['Food'], quantity: 2, amountPerItem: 650n, modifiers: [] };
  const bill = tables.Bill.create({
    ...{ sessionId: id, currency: 'GBP', totalAmount: 1300n, taxAmount: 217n },
    items: [{ ...soup, lastOrderedAt: createdAt }],
  });
  const session = tables.Session.create({ id, name: `Table ${tableName}`, tableName, createdAt });
  return { session, bill, payments: new Map(), isLocked: false };
}

function tableOf({ session: { tableName = '' } }: Diners): tables.Table {
  return { name: tableName, maxCovers: 4, status: tables.TableStatus.TABLE_STATUS_OCCUPIED };
}

function find(sessionId: string): Diners {
  const found = restaurant.find(({ session }) => session.id === sessionId);
  return found ?? refuse('SESSION_NO_SUCH_SESSION', 'there is no such session');
}

const owed = ({ totalAmount, paidAmount }: tables.Bill): bigint => totalAmount - paidAmount;

function refuse(code: keyof typeof tables.TablesErrorCode, reason: string): never {
  throw new Refused(code, reason);
}

class Refused extends Error {
  constructor(
    readonly code: keyof typeof tables.TablesErrorCode,
    reason: string,
  ) {
    super(reason);
  }
}

/** Checks the caller, and maps thrown errors to refusals. */
function answer<Q, A>(method: (question: Q) => A): handleUnaryCall<Q, A> {
  return ({ request, metadata }, callback) => {
    if (!isKnown(metadata)) {
      callback({ code: status.UNAUTHENTICATED, details: 'wrong user name or password' });
      return;
    }
    try {
      callback(null, method(request));
    } catch (error) {
      const { code, message } = error instanceof Refused ? error : new Refused('ERROR_INTERNAL_POS_ERROR', 'a defect');
      callback(createTablesRefusal(tables.TablesErrorCode[code], message));
    }
  };
}

function isKnown(metadata: Metadata): boolean {
  return metadata.get('authorization')[0] === `Basic ${Buffer.from(credentials).toString('base64')}`;
}

const server = new Server();
server.addService(tables.TablesServiceService, service);
// For the tester on the same machine; an EPOS that the service dials serves TLS.
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) => {
  if (error !== null) throw error;
  console.log(`grpc://127.0.0.1:${taken}`);
});
