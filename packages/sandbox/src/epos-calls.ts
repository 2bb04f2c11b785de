import type { RequestorInfo } from '@pos/grpc-contracts/tables';
import { TABLES_METHODS, type TablesAnswer, type TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { BillDistortion, EposArrival, EposDoor, EposServed } from './epos-door.js';
import { EposRefusal, type ReferenceEpos } from './epos.js';
import type { Requestor } from './epos-locks.js';
import { type EposTransport, UNSPOILED } from './epos-faults.js';
import { receiptFooter, receiptHeader } from './epos-receipt.js';
import { presentBill, presentSession, presentTable, readPayment, readRequestor, readStatuses } from './epos-wire.js';

/** Serves a call of the pay-at-table contract, over whichever transport it came. */
export async function serveTablesCall(
  door: EposDoor,
  call: TablesCall,
  from: { readonly transport: EposTransport; readonly merchantName: string },
): Promise<EposServed<TablesAnswer>> {
  try {
    const arrival = arrivalOf(call, from.transport, readRequestor(requestorOf(call)));
    return await door.serve(arrival, (distort) => answer(call, { epos: door.epos, distort, ...from }));
  } catch (error) {
    if (!(error instanceof EposRefusal)) throw error;
    return { kind: 'refusal', code: error.code, reason: error.reason, isDoubled: false, spoiling: UNSPOILED };
  }
}

interface Counter {
  readonly epos: ReferenceEpos;
  readonly distort: BillDistortion;
  readonly merchantName: string;
}

function answer(call: TablesCall, { epos, distort, merchantName }: Counter): TablesAnswer {
  switch (call.$case) {
    case 'listSessions': {
      const { isFinished, hasTable, isPayable, tableNames } = call.value;
      const sessions = epos.listSessions({
        isFinished: isFinished ?? null,
        hasTable: hasTable ?? null,
        isPayable: isPayable ?? null,
        tableNames,
      });
      return { $case: 'listSessions', value: { sessions: sessions.map(presentSession) } };
    }
    case 'getSession':
      return { $case: 'getSession', value: { session: presentSession(epos.getSession(call.value.sessionId)) } };
    case 'listTables': {
      const tables = epos.listTables(readStatuses(call.value.statuses));
      return { $case: 'listTables', value: { tables: tables.map(presentTable) } };
    }
    case 'getTable':
      return { $case: 'getTable', value: { table: presentTable(epos.getTable(call.value.name)) } };
    case 'getBillItems': {
      const bill = epos.getBill(call.value.sessionId);
      return { $case: 'getBillItems', value: { billItems: presentBill(distort(bill)) } };
    }
    case 'listBillItems': {
      const bills = epos.listBills(call.value.sessionIds);
      return { $case: 'listBillItems', value: { billItems: bills.map((bill) => presentBill(distort(bill))) } };
    }
    case 'getFullBill': {
      const session = epos.getSession(call.value.sessionId);
      const billItems = presentBill(distort(epos.getBill(session.id)));
      const fullBill = { header: receiptHeader(session, merchantName), billItems, footer: receiptFooter(session) };
      return { $case: 'getFullBill', value: { fullBill } };
    }
    case 'lockSession': {
      const bill = epos.lock(call.value.sessionId, readRequestor(call.value.requestorInfo));
      return { $case: 'lockSession', value: { billItems: presentBill(distort(bill)) } };
    }
    case 'unlockSession':
      epos.unlock(call.value.sessionId);
      return { $case: 'unlockSession', value: {} };
    case 'recordPayment':
      epos.record(readPayment(call.value.payment));
      return { $case: 'recordPayment', value: {} };
  }
}

function arrivalOf(call: TablesCall, transport: EposTransport, requestor: Requestor): EposArrival {
  const payment = call.$case === 'recordPayment' ? call.value.payment : undefined;
  const sessionId = 'sessionId' in call.value ? call.value.sessionId : (payment?.sessionId ?? null);
  return { method: TABLES_METHODS[call.$case].name, transport, requestor, sessionId, paymentId: payment?.id ?? null };
}

function requestorOf(call: TablesCall): RequestorInfo | undefined {
  return call.value.requestorInfo;
}
