import {
  findCallOfSocketMethod,
  EPOS_CALL_HEADERS,
  type EposCallHeaders,
  type EposDataCallName,
  type EposError,
  toSocketMethod,
} from './epos-data.js';
import { readEposError } from './epos-data-reading.js';
import { formatParams } from './epos-data-writing.js';
import { parseEposJson } from './epos-json.js';
import { isMembers, type Members } from '../shapes/reshape.js';

// The EPOS Data API over a socket that the EPOS opens: JSON-RPC, but an error is the body of the REST error.

/** Longer frames close the socket. */
export const EPOS_FRAME_BYTES_MAX = 1024 * 1024;

/** Writes a call as a frame. `params` has the members of path and body together. */
export function writeCallFrame(
  id: string,
  call: { readonly name: EposDataCallName; readonly params: Members; readonly headers: EposCallHeaders },
): string {
  const { name, headers } = call;
  const params = { headers, ...toWireMembers(name, formatParams(name, call.params)) };
  return JSON.stringify({ jsonrpc: '2.0', id, method: toSocketMethod(name), params });
}

/** A call in a frame; `name` is null for an unknown method. */
export interface CallFrame {
  readonly id: string;
  readonly name: EposDataCallName | null;
  readonly params: Members;
  readonly headers: EposCallHeaders;
}

/** Parses a call as an EPOS does; null for any other text. */
export function readCallFrame(text: string): CallFrame | null {
  const frame = parseMembers(text);
  if (frame === null) return null;
  const { id, method, params = {} } = frame;
  if (typeof id !== 'string' || typeof method !== 'string' || !isMembers(params)) return null;
  const { headers, ...rest } = params;
  const name = findCallOfSocketMethod(method);
  return { id, name, params: name === null ? rest : fromWireMembers(name, rest), headers: readHeaders(headers) };
}

/** The plain answer of an EPOS; `json` is not parsed yet. */
export type AnswerFrame =
  | { readonly id: string; readonly outcome: 'result'; readonly json: unknown }
  | { readonly id: string; readonly outcome: 'error'; readonly error: EposError };

export function writeAnswerFrame(answer: AnswerFrame): string {
  const { id } = answer;
  const said = answer.outcome === 'result' ? { result: answer.json ?? {} } : { error: answer.error };
  return JSON.stringify({ jsonrpc: '2.0', id, ...said });
}

/** An answer without a result and without an error: the call has ended, and how is unknown. */
export interface EmptyAnswerFrame {
  readonly id: string;
  readonly outcome: 'empty';
}

/** Parses an answer; null for any other text, which is dropped. An error without a kind is an UnexpectedError. */
export function readAnswerFrame(text: string): AnswerFrame | EmptyAnswerFrame | null {
  const frame = parseMembers(text);
  if (frame === null || typeof frame['id'] !== 'string') return null;
  const { id, error } = frame;
  if (error !== undefined && error !== null) {
    return { id, outcome: 'error', error: readEposError(error) ?? { errorType: 'UnexpectedError' } };
  }
  // A frame with a method is a call of the EPOS.
  if (frame['result'] === undefined) return frame['method'] === undefined ? { id, outcome: 'empty' } : null;
  return { id, outcome: 'result', json: frame['result'] };
}

/** On the socket an update has the member `id`, where the path of REST has a name of its own. */
const UPDATED = new Map<EposDataCallName, string>([
  ['UpdateParty', 'partyId'],
  ['UpdateReservation', 'reservationId'],
]);

function toWireMembers(name: EposDataCallName, params: Members): Members {
  const member = UPDATED.get(name);
  if (member === undefined) return params;
  const { [member]: id, ...rest } = params;
  return { id, ...rest };
}

function fromWireMembers(name: EposDataCallName, params: Members): Members {
  const member = UPDATED.get(name);
  if (member === undefined || params[member] !== undefined) return params;
  const { id, ...rest } = params;
  return { [member]: id, ...rest };
}

function readHeaders(sent: unknown): EposCallHeaders {
  if (!isMembers(sent)) return {};
  const known = Object.keys(EPOS_CALL_HEADERS).filter((name) => typeof sent[name] === 'string');
  return Object.fromEntries(known.map((name) => [name, sent[name]]));
}

function parseMembers(text: string): Members | null {
  const frame = parseEposJson(text);
  return isMembers(frame) ? frame : null;
}
