import { JsonEdgeError, toJson } from '@pos/grpc-contracts/json-edge';
import { TABLES_METHODS, type TablesMethod, type TablesMethodName } from '@pos/grpc-contracts/tables-methods';
import type { TablesAnswer, TablesCall, TablesCallName } from './epos-door.js';

export type RequestOf<K extends TablesCallName> = Extract<TablesCall, { $case: K }>['value'];
export type AnswerOf<K extends TablesCallName> = Extract<TablesAnswer, { $case: K }>['value'];

/** A method of the contract: its name, and its messages as JSON. Writing throws JsonEdgeError as `toJson` does. */
interface Wire<K extends TablesCallName> {
  readonly method: TablesMethodName;
  readonly writeRequest: (message: RequestOf<K>) => unknown;
  readonly writeAnswer: (message: AnswerOf<K>) => unknown;
}

/** The ten methods by the names that calls have inside the service. */
export const WIRE: { readonly [K in TablesCallName]: Wire<K> } = {
  listSessions: wire('ListSessions', TABLES_METHODS.ListSessions),
  getSession: wire('GetSession', TABLES_METHODS.GetSession),
  listTables: wire('ListTables', TABLES_METHODS.ListTables),
  getTable: wire('GetTable', TABLES_METHODS.GetTable),
  getBillItems: wire('GetBillItems', TABLES_METHODS.GetBillItems),
  listBillItems: wire('ListBillItems', TABLES_METHODS.ListBillItems),
  getFullBill: wire('GetFullBill', TABLES_METHODS.GetFullBill),
  lockSession: wire('LockSession', TABLES_METHODS.LockSession),
  unlockSession: wire('UnlockSession', TABLES_METHODS.UnlockSession),
  recordPayment: wire('RecordPayment', TABLES_METHODS.RecordPayment),
};

/** A message as one line of JSON; one that breaks the contract is written as it came, so that it can be looked at. */
export function lineOf(write: () => unknown, message: unknown): string {
  try {
    return JSON.stringify(write());
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  }
}

/** What breaks the schema in a message, or null. */
export function schemaFault(write: () => unknown): { readonly member: string; readonly problem: string } | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { member: error.path, problem: error.problem };
  }
}

function wire<Request, Answer>(method: TablesMethodName, { request, response }: TablesMethod<Request, Answer>) {
  return {
    method,
    writeRequest: (message: Request): unknown => toJson(request, message),
    writeAnswer: (message: Answer): unknown => toJson(response, message),
  };
}
