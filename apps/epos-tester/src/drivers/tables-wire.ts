import { JsonEdgeError } from '@pos/grpc-contracts/json-edge';
import {
  TABLES_METHODS,
  tablesAnswer,
  tablesCall,
  type TablesCallName,
  type TablesMethodName,
  toTablesParams,
  type TablesRequests,
  toTablesResult,
  type TablesResponses,
} from '@pos/grpc-contracts/tables-methods';

export type RequestOf<K extends TablesCallName> = TablesRequests[K];
export type AnswerOf<K extends TablesCallName> = TablesResponses[K];

/** A method of the contract: its name, and its messages as JSON. Encoding throws JsonEdgeError like `toJson`. */
interface TablesWire<K extends TablesCallName> {
  readonly method: TablesMethodName;
  readonly writeRequest: (message: RequestOf<K>) => unknown;
  readonly writeAnswer: (message: AnswerOf<K>) => unknown;
}
/** The ten methods by their names inside the service. */
export const WIRE = Object.fromEntries(
  // The types of Object.keys and fromEntries lose the key type.
  (Object.keys(TABLES_METHODS) as TablesCallName[]).map((name) => [name, toWire(name)]),
) as { readonly [K in TablesCallName]: TablesWire<K> };

/** A message as one line of JSON. One that breaks the contract is written unchanged, for diagnosis. */
export function formatLine(write: () => unknown, message: unknown): string {
  try {
    return JSON.stringify(write());
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  }
}

/** The schema violation of a message, or null. */
export function findSchemaViolation(
  write: () => unknown,
): { readonly member: string; readonly problem: string } | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { member: error.path, problem: error.problem };
  }
}

function toWire<K extends TablesCallName>(name: K): TablesWire<K> {
  return {
    method: TABLES_METHODS[name].name,
    writeRequest: (message) => toTablesParams(tablesCall(name, message)),
    writeAnswer: (message) => toTablesResult(tablesAnswer(name, message)),
  };
}
