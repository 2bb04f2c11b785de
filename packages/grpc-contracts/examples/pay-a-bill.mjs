// What the service does at an EPOS when a guest pays: list, lock, record, unlock; and what it sees when refused.
// Run: node pay-a-bill.mjs <address of the EPOS>. It prints one JSON line for each step.
import { randomUUID } from 'node:crypto';
import { credentials, status } from '@grpc/grpc-js';
import { PaymentMethod, RequestorType, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';

const CALL_LIMIT_MS = 10_000;
const requestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
  requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId: '90000001', waiterId: 42 } },
};
const epos = new TablesServiceClient(process.argv[2], credentials.createInsecure());

/** One call with a deadline. A refusal is printed and returned; no answer is neither yes nor no, and is thrown. */
function call(method, request) {
  const deadline = new Date(Date.now() + CALL_LIMIT_MS);
  return new Promise((resolve, reject) => {
    epos[method]({ ...request, requestorInfo }, { deadline }, (error, answer) => {
      if (error === null) return resolve(say(method, { ok: true, ...answer }));
      const refusal = findTablesError(error);
      if (refusal !== null) return resolve(say(method, { ok: false, status: status[error.code], ...refusal }));
      return error.code === status.UNIMPLEMENTED
        ? resolve(say(method, { ok: false, status: 'UNIMPLEMENTED' }))
        : reject(error);
    });
  });
}

function say(method, answer) {
  console.log(JSON.stringify({ method, ...answer }, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));
  return answer;
}

const { sessions } = await call('listSessions', { isPayable: true, tableNames: ['12'] });
const sessionId = sessions[0].id;
const payment = {
  id: randomUUID(),
  sessionId,
  currency: 'GBP',
  baseAmount: 1250n,
  gratuityAmount: 125n,
  cashbackAmount: 0n,
  paymentSuccessful: true,
  attemptedAt: new Date(),
  methodDetails: { method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT },
};

await call('recordPayment', { payment }); // refused: not locked
await call('lockSession', { sessionId });
await call('lockSession', { sessionId }); // refused: locked
await call('recordPayment', { payment });
await call('recordPayment', { payment }); // refused, and read as success: it is on the bill
await call('recordPayment', { payment: { ...payment, baseAmount: 1n } }); // refused: same id, other values
await call('getBillItems', { sessionId });
await call('unlockSession', { sessionId });
await call('getBillItems', { sessionId: randomUUID() }); // refused: unknown
await call('listTables', { statuses: [] }); // not served by this EPOS
epos.close();
