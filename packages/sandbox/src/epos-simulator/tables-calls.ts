import type { RequestorInfo } from '@pos/grpc-contracts/tables';
import { TABLES_METHODS, type TablesAnswer, type TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { BillDistortion, EposCallDetails, EposSimulator, EposCallResult } from './epos-simulator.js';
import { EposRefusal, type ReferenceEpos } from '../epos/reference-epos.js';
import type { LockRequestor } from '../epos/epos-locks.js';
import { type FaultTransport, NO_DISTORTION } from './epos-faults.js';
import { buildReceiptFooter, buildReceiptHeader } from '../epos/epos-receipt.js';
import {
  presentBill,
  presentSession,
  presentTable,
  readPayment,
  readRequestor,
  readTableStatuses,
} from '../epos/tables-messages.js';

/** Serves a call of the pay-at-table contract over any transport. */
export async function serveTablesCall(
  eposSimulator: EposSimulator,
  call: TablesCall,
  origin: { readonly transport: FaultTransport; readonly merchantName: string },
): Promise<EposCallResult<TablesAnswer>> {
  try {
    const arrival = toCallDetails(call, origin.transport, readRequestor(getRequestor(call)));
    return await eposSimulator.serveTables(arrival, (distort) =>
      answerTablesCall(call, { epos: eposSimulator.epos, distort, ...origin }),
    );
  } catch (error) {
    if (!(error instanceof EposRefusal)) throw error;
    return { kind: 'refusal', code: error.code, reason: error.reason, isDoubled: false, spoiling: NO_DISTORTION };
  }
}

interface TablesCallContext {
  readonly epos: ReferenceEpos;
  readonly distort: BillDistortion;
  readonly merchantName: string;
}

function answerTablesCall(call: TablesCall, { epos, distort, merchantName }: TablesCallContext): TablesAnswer {
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
      const tables = epos.listTables(readTableStatuses(call.value.statuses));
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
      const fullBill = {
        header: buildReceiptHeader(session, merchantName),
        billItems,
        footer: buildReceiptFooter(session),
      };
      return { $case: 'getFullBill', value: { fullBill } };
    }
    case 'lockSession': {
      const bill = epos.lockSession(call.value.sessionId, readRequestor(call.value.requestorInfo));
      return { $case: 'lockSession', value: { billItems: presentBill(distort(bill)) } };
    }
    case 'unlockSession':
      epos.unlockSession(call.value.sessionId);
      return { $case: 'unlockSession', value: {} };
    case 'recordPayment':
      epos.recordPayment(readPayment(call.value.payment));
      return { $case: 'recordPayment', value: {} };
  }
}

function toCallDetails(call: TablesCall, transport: FaultTransport, requestor: LockRequestor): EposCallDetails {
  const payment = call.$case === 'recordPayment' ? call.value.payment : undefined;
  const sessionId = 'sessionId' in call.value ? call.value.sessionId : (payment?.sessionId ?? null);
  return { method: TABLES_METHODS[call.$case].name, transport, requestor, sessionId, paymentId: payment?.id ?? null };
}

function getRequestor(call: TablesCall): RequestorInfo | undefined {
  return call.value.requestorInfo;
}
