// An EPOS that can be paid at the table: one restaurant, kept in memory.
// Run: node restaurant-epos.mjs [port]. It prints its address. Plain text here; the service dials with TLS.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { CardPresentPaymentStatus, Payment, TablesErrorCode, TablesServiceService } from '@pos/grpc-contracts/tables';
import { createTablesRefusal } from '@pos/grpc-contracts/tables-error';

const pie = { id: '1', name: 'Pie', category: ['Food'], quantity: 1, amountPerItem: 1250n, modifiers: [] };
const sessions = new Map([
  opened({ id: '5f0e5d0e-8f4b-4a52-9d4e-0f3a9d4b7c11', name: 'Smith', tableName: '12', pies: 2 }),
  opened({ id: '0b6f9f2a-3c55-4a57-8d0e-9f5b1c2d3e4f', name: 'Jones', tableName: '7', pies: 1 }),
]);

/** What each method does. A thrown refusal() becomes a gRPC status with the typed trailer. */
const methods = {
  ListSessions({ isPayable, tableNames }) {
    const all = [...sessions.values()].map(({ session, bill }) => ({ ...session, isPayable: owed(bill) > 0n }));
    const asked = (session) =>
      (isPayable === undefined || session.isPayable === isPayable) &&
      (tableNames.length === 0 || tableNames.includes(session.tableName));
    return { sessions: all.filter(asked) };
  },

  GetBillItems({ sessionId }) {
    return { billItems: find(sessionId).bill };
  },

  LockSession({ sessionId }) {
    const table = find(sessionId);
    if (table.isLocked) throw refusal('SESSION_ALREADY_LOCKED', 'somebody is paying this table');
    table.isLocked = true;
    return { billItems: table.bill };
  },

  // The id of the payment is its idempotency key: the same payment twice is on the bill once.
  RecordPayment({ payment }) {
    const table = find(payment.sessionId);
    const before = table.payments.get(payment.id);
    if (before !== undefined && isSame(before, payment)) {
      throw refusal('PAYMENT_ALREADY_RECORDED', 'this payment is on the bill');
    }
    if (!table.isLocked) throw refusal('SESSION_NOT_LOCKED', 'lock the session first');
    if (before !== undefined) throw refusal('PAYMENT_NOT_RECORDED', 'another payment has this id');
    if (payment.baseAmount > owed(table.bill)) throw refusal('PAYMENT_NOT_RECORDED', 'more than is owed');
    if (isTaken(payment)) {
      table.payments.set(payment.id, payment);
      table.bill.paidAmount += payment.baseAmount;
    }
    return {};
  },

  UnlockSession({ sessionId }) {
    const table = find(sessionId);
    if (!table.isLocked) throw refusal('SESSION_NOT_LOCKED', 'nobody holds it');
    table.isLocked = false;
    return {};
  },
};

function opened({ id, name, tableName, pies }) {
  const createdAt = new Date();
  const items = Array.from({ length: pies }, (_, n) => ({ ...pie, id: String(n + 1), lastOrderedAt: createdAt }));
  const totalAmount = BigInt(pies) * pie.amountPerItem;
  const bill = { sessionId: id, totalAmount, paidAmount: 0n, taxAmount: 0n, currency: 'GBP', items };
  return [id, { session: { id, name, tableName, createdAt }, bill, payments: new Map(), isLocked: false }];
}

function find(sessionId) {
  const table = sessions.get(sessionId);
  if (table === undefined) throw refusal('SESSION_NO_SUCH_SESSION', 'no such session');
  return table;
}

function owed(bill) {
  return bill.totalAmount - bill.paidAmount;
}

function isTaken({ paymentSuccessful, methodDetails }) {
  const { CARD_PRESENT_PAYMENT_STATUS_UNKNOWN: unknown } = CardPresentPaymentStatus;
  return paymentSuccessful && methodDetails?.cardPresentPaymentStatus !== unknown;
}

function isSame(one, other) {
  const amounts = ({ baseAmount, gratuityAmount, cashbackAmount, attemptedAt }) =>
    Payment.encode(Payment.create({ baseAmount, gratuityAmount, cashbackAmount, attemptedAt })).finish();
  return Buffer.from(amounts(one)).equals(amounts(other));
}

function refusal(code, reason) {
  return Object.assign(new Error(reason), createTablesRefusal(TablesErrorCode[code], reason));
}

const served = Object.entries(methods).map(([name, method]) => [
  name[0].toLowerCase() + name.slice(1),
  (call, callback) => {
    try {
      callback(null, method(call.request));
    } catch (error) {
      callback('metadata' in error ? error : refusal('ERROR_INTERNAL_POS_ERROR', error.message));
    }
  },
]);

const server = new Server();
// A method that is not served answers UNIMPLEMENTED.
server.addService(TablesServiceService, Object.fromEntries(served));
server.bindAsync(`127.0.0.1:${process.argv[2] ?? 0}`, ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.log(`127.0.0.1:${port}`);
});
