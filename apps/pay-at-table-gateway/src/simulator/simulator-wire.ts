import { fromJson, toJson } from '@pos/grpc-contracts/json-edge';
import { TABLES_METHODS, type TablesMethod, type TablesMethodName } from '@pos/grpc-contracts/tables-methods';
import type { TablesAnswer, TablesCall } from '../epos/tables-call.js';

/** A call from its `params`. Throws JsonEdgeError, which names the member. */
export function readSimulatedCall(name: TablesMethodName, params: unknown): TablesCall {
  const { ListSessions, GetSession, ListTables, GetTable, GetBillItems } = TABLES_METHODS;
  const { ListBillItems, GetFullBill, LockSession, UnlockSession, RecordPayment } = TABLES_METHODS;
  switch (name) {
    case 'ListSessions':
      return { $case: 'listSessions', value: fromJson(ListSessions.request, params) };
    case 'GetSession':
      return { $case: 'getSession', value: fromJson(GetSession.request, params) };
    case 'ListTables':
      return { $case: 'listTables', value: fromJson(ListTables.request, params) };
    case 'GetTable':
      return { $case: 'getTable', value: fromJson(GetTable.request, params) };
    case 'GetBillItems':
      return { $case: 'getBillItems', value: fromJson(GetBillItems.request, params) };
    case 'ListBillItems':
      return { $case: 'listBillItems', value: fromJson(ListBillItems.request, params) };
    case 'GetFullBill':
      return { $case: 'getFullBill', value: fromJson(GetFullBill.request, params) };
    case 'LockSession':
      return { $case: 'lockSession', value: fromJson(LockSession.request, params) };
    case 'UnlockSession':
      return { $case: 'unlockSession', value: fromJson(UnlockSession.request, params) };
    case 'RecordPayment':
      return { $case: 'recordPayment', value: fromJson(RecordPayment.request, params) };
  }
}

/** The content of an answer without its wrapper. Throws JsonEdgeError when the EPOS left out what is required. */
export function contentOf(answer: TablesAnswer): unknown {
  switch (answer.$case) {
    case 'listSessions':
      return written(TABLES_METHODS.ListSessions, answer.value);
    case 'getSession':
      return written(TABLES_METHODS.GetSession, answer.value);
    case 'listTables':
      return written(TABLES_METHODS.ListTables, answer.value);
    case 'getTable':
      return written(TABLES_METHODS.GetTable, answer.value);
    case 'getBillItems':
      return written(TABLES_METHODS.GetBillItems, answer.value);
    case 'listBillItems':
      return written(TABLES_METHODS.ListBillItems, answer.value);
    case 'getFullBill':
      return written(TABLES_METHODS.GetFullBill, answer.value);
    case 'lockSession':
      return written(TABLES_METHODS.LockSession, answer.value);
    case 'unlockSession':
      return written(TABLES_METHODS.UnlockSession, answer.value);
    case 'recordPayment':
      return written(TABLES_METHODS.RecordPayment, answer.value);
  }
}

function written<R>({ response, content }: Pick<TablesMethod<never, R>, 'response' | 'content'>, answer: R): unknown {
  const result = toJson(response, answer);
  return content === null ? {} : result[content];
}
