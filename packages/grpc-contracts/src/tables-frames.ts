import { TablesErrorCode, type TablesError } from './gen/service/tables/v1/error.js';
import { JsonEdgeError } from './json-edge.js';
import {
  getTablesCall,
  readTablesCall,
  TABLES_METHODS,
  type TablesAnswer,
  type TablesCall,
  toTablesParams,
  toTablesResult,
} from './tables-methods.js';

// The pay-at-table contract as JSON-RPC over the socket that an EPOS opens. A refusal is a result with an errorCode.

/** A call as its frame. Throws JsonEdgeError when the message lacks what is required. */
export function writeTablesCall(id: string, call: TablesCall): string {
  const { name } = TABLES_METHODS[call.$case];
  return JSON.stringify({ jsonrpc: '2.0', id, method: name, params: toTablesParams(call) });
}

/** A frame that came from an EPOS: an answer that may be for one of the calls, or what cannot be read. */
export type TablesFrame =
  | { readonly is: 'answer'; readonly id: string; readonly result: Members }
  | { readonly is: 'unreadable'; readonly id: string; readonly reason: string };

/** Reads a frame. An `error` as JSON-RPC has it is an internal error of the EPOS, also beside a result. */
export function readTablesFrame(text: string): TablesFrame {
  const frame = parseFrame(text);
  if (frame === null) return { is: 'unreadable', id: '', reason: 'the message is no JSON object' };
  const id = typeof frame['id'] === 'string' ? frame['id'] : '';
  const { result, error } = frame;
  if (isMembers(result) && !isError(error)) return { is: 'answer', id, result };
  if (error !== undefined && error !== null) {
    return {
      is: 'answer',
      id,
      result: { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: getRefusalReason(error) },
    };
  }
  return { is: 'unreadable', id, reason: 'the message has no result' };
}

/**
 * The refusal in a result; null for a result that is none. A code that the contract does not have, such as a number, is
 * an internal error. So is a reason without a code where the result has nothing else: an EPOS that says what went wrong
 * in its own way has not agreed, and only an internal error proves nothing about a payment.
 */
export function findRefusal(result: Members): TablesError | null {
  const codes = findMembers(result, 'errorCode').filter(isError);
  const reasons = [...findMembers(result, 'errorReason'), ...findMembers(result, 'error')].filter(isError);
  const errorReason = reasons.map(getRefusalReason).find((reason) => reason !== '') ?? '';
  const [code] = codes;
  if (code !== undefined) {
    const known = codes.length === 1 && typeof code === 'string' ? CODES.get(code.trim().toUpperCase()) : undefined;
    return { errorCode: known ?? TablesErrorCode.ERROR_INTERNAL_POS_ERROR, errorReason };
  }
  const hasContent = Object.keys(result).some((name) => !REFUSAL_MEMBERS.has(name.toLowerCase()));
  if (reasons.length === 0 || hasContent) return null;
  return { errorCode: TablesErrorCode.ERROR_INTERNAL_POS_ERROR, errorReason };
}

/** What the gateway says of a message that it could not read; nobody answers it. */
export function writeErrorNotification(id: string, reason: string): string {
  const params = { id, errorCode: 'ERROR_PARSE_ERROR', errorReason: reason };
  return JSON.stringify({ jsonrpc: '2.0', method: 'ErrorNotification', params });
}

/** A call as an EPOS receives it, or the answer to one that it cannot read. */
export type ReceivedTablesCall =
  | { readonly is: 'call'; readonly id: string; readonly call: TablesCall }
  | { readonly is: 'notUnderstood'; readonly id: string; readonly reason: string }
  | { readonly is: 'notification' };

/** Reads a call as an EPOS does. */
export function readTablesCallFrame(text: string): ReceivedTablesCall {
  const frame = parseFrame(text);
  if (frame === null) return { is: 'notUnderstood', id: '', reason: 'the message is no JSON object' };
  const { id, method, params } = frame;
  if (typeof id !== 'string') {
    return typeof method === 'string'
      ? { is: 'notification' }
      : { is: 'notUnderstood', id: '', reason: 'id: is missing' };
  }
  const name = typeof method === 'string' ? getTablesCall(method) : null;
  if (name === null) return { is: 'notUnderstood', id, reason: 'method: is unknown' };
  try {
    return { is: 'call', id, call: readTablesCall(name, params ?? {}) };
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { is: 'notUnderstood', id, reason: error.message };
  }
}

/** The frame of an answer. */
export function writeTablesResult(id: string, answer: TablesAnswer): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: toTablesResult(answer) });
}

/** The frame of a refusal. */
export function writeTablesRefusal(id: string, { errorCode, errorReason }: TablesError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { errorCode, errorReason } });
}

export type Members = Readonly<Record<string, unknown>>;

/** The members of a result that say only how a call failed. */
const REFUSAL_MEMBERS: ReadonlySet<string> = new Set(['errorcode', 'errorreason', 'error']);

const CODES: ReadonlyMap<string, TablesErrorCode> = new Map(
  Object.values(TablesErrorCode)
    .filter((code) => code !== TablesErrorCode.TABLES_ERROR_CODE_UNSPECIFIED && code !== TablesErrorCode.UNRECOGNIZED)
    .map((code) => [code, code]),
);

function parseFrame(text: string): Members | null {
  try {
    const frame: unknown = JSON.parse(text);
    return isMembers(frame) ? frame : null;
  } catch {
    return null;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of a member in every spelling, as the members of answers are read. */
function findMembers(members: Members, name: string): unknown[] {
  return Object.keys(members)
    .filter((each) => each.toLowerCase() === name.toLowerCase())
    .map((each) => members[each]);
}

/** Whether a value says that something failed. Many tills write the member with nothing in it. */
function isError(value: unknown): boolean {
  return isMembers(value) ? Object.values(value).some(isFilled) : isFilled(value);
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return value !== undefined && value !== null && value !== false && value !== 0;
}

function getRefusalReason(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message } = isMembers(error) ? error : {};
  return typeof message === 'string' ? message : '';
}
