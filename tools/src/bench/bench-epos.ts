import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';

/**
 * An EPOS for benchmarks: as many sessions as requested, each with a bill that is never paid up, answered from memory
 * without a check. It costs the service and its floor the same. Settings: PORT.
 */
const paid = new Map<string, bigint>();
const BILL_TOTAL = 1_000_000_000n;

function bill(sessionId: string) {
  return {
    sessionId,
    totalAmount: BILL_TOTAL,
    paidAmount: paid.get(sessionId) ?? 0n,
    taxAmount: 0n,
    currency: 'GBP',
    note: undefined,
    serviceCharge: undefined,
    items: [
      {
        id: '1',
        name: 'Banquet',
        category: [],
        quantity: 1,
        amountPerItem: BILL_TOTAL,
        lastOrderedAt: new Date(0),
        modifiers: [],
      },
    ],
  };
}

type Answer<Q, A> = (call: ServerUnaryCall<Q, A>, done: sendUnaryData<A>) => void;

function unary<Q, A>(answer: (request: Q) => A): Answer<Q, A> {
  return (call, done) => {
    done(null, answer(call.request));
  };
}

function unimplemented<Q, A>(): Answer<Q, A> {
  return (_, done) => {
    done({ code: status.UNIMPLEMENTED, details: 'not needed to be measured' });
  };
}

const server = new Server();
server.addService(TablesServiceService, {
  listSessions: unimplemented(),
  getSession: unimplemented(),
  listTables: unimplemented(),
  getTable: unimplemented(),
  listBillItems: unimplemented(),
  getFullBill: unimplemented(),
  getBillItems: unary(({ sessionId }: { sessionId: string }) => ({ billItems: bill(sessionId) })),
  lockSession: unary(({ sessionId }: { sessionId: string }) => ({ billItems: bill(sessionId) })),
  unlockSession: unary(() => ({})),
  recordPayment: unary(({ payment }: { payment?: { sessionId: string; baseAmount: bigint } | undefined }) => {
    if (payment !== undefined) {
      paid.set(payment.sessionId, (paid.get(payment.sessionId) ?? 0n) + payment.baseAmount);
    }
    return {};
  }),
});
await bindGrpcServer(server, `127.0.0.1:${process.env['PORT'] ?? ''}`, ServerCredentials.createInsecure());
