import type * as tables from './gen/service/tables/v1/tables_service.js';
import { fromJson, toJson } from './json-edge.js';
import { flag, list, text, type JsonKind } from './json-kind.js';
import { optional, optionalList, required, requiredMessage } from './json-member.js';
import { shape, type JsonShape } from './json-shape.js';
import { payment } from './payment-shapes.js';
import { bill, fullBill, requestorInfo, session, table, tableStatuses } from './tables-shapes.js';

/** The JSON form of one method: its params, its result, and which member of the result is the content. */
export interface TablesMethod<Request, Response> {
  readonly request: JsonShape<Request>;
  readonly response: JsonShape<Response>;
  /** The one member of the response, or null when success has nothing to say. */
  readonly content: (keyof Response & string) | null;
}

const who = { requestorInfo: requiredMessage(requestorInfo) };
const bySession = { sessionId: required(text), ...who };
const strings: JsonKind<string[]> = list(text);

/** The ten methods of TablesService as JSON, by the names that travel in `method`. */
export const TABLES_METHODS = {
  ListSessions: method<tables.ListSessionsRequest, tables.ListSessionsResponse>({
    request: shape('ListSessionsRequest', {
      isFinished: optional(flag),
      hasTable: optional(flag),
      isPayable: optional(flag),
      tableNames: optionalList(strings),
      ...who,
    }),
    response: shape('ListSessionsResponse', { sessions: required(list(session)) }),
    content: 'sessions',
  }),
  GetSession: method<tables.GetSessionRequest, tables.GetSessionResponse>({
    request: shape('GetSessionRequest', bySession),
    response: shape('GetSessionResponse', { session: requiredMessage(session) }),
    content: 'session',
  }),
  ListTables: method<tables.ListTablesRequest, tables.ListTablesResponse>({
    request: shape('ListTablesRequest', { statuses: tableStatuses, ...who }),
    response: shape('ListTablesResponse', { tables: required(list(table)) }),
    content: 'tables',
  }),
  GetTable: method<tables.GetTableRequest, tables.GetTableResponse>({
    request: shape('GetTableRequest', { name: required(text), ...who }),
    response: shape('GetTableResponse', { table: requiredMessage(table) }),
    content: 'table',
  }),
  GetBillItems: method<tables.GetBillItemsRequest, tables.GetBillItemsResponse>({
    request: shape('GetBillItemsRequest', bySession),
    response: shape('GetBillItemsResponse', { billItems: requiredMessage(bill) }),
    content: 'billItems',
  }),
  ListBillItems: method<tables.ListBillItemsRequest, tables.ListBillItemsResponse>({
    request: shape('ListBillItemsRequest', { sessionIds: optionalList(strings), ...who }),
    response: shape('ListBillItemsResponse', { billItems: required(list(bill)) }),
    content: 'billItems',
  }),
  GetFullBill: method<tables.GetFullBillRequest, tables.GetFullBillResponse>({
    request: shape('GetFullBillRequest', bySession),
    response: shape('GetFullBillResponse', { fullBill: requiredMessage(fullBill) }),
    content: 'fullBill',
  }),
  LockSession: method<tables.LockSessionRequest, tables.LockSessionResponse>({
    request: shape('LockSessionRequest', bySession),
    response: shape('LockSessionResponse', { billItems: requiredMessage(bill) }),
    content: 'billItems',
  }),
  UnlockSession: method<tables.UnlockSessionRequest, tables.UnlockSessionResponse>({
    request: shape('UnlockSessionRequest', bySession),
    response: shape('UnlockSessionResponse', {}),
    content: null,
  }),
  RecordPayment: method<tables.RecordPaymentRequest, tables.RecordPaymentResponse>({
    request: shape('RecordPaymentRequest', { payment: requiredMessage(payment), ...who }),
    response: shape('RecordPaymentResponse', {}),
    content: null,
  }),
} as const;

/** The name of a method of TablesService. */
export type TablesMethodName = keyof typeof TABLES_METHODS;

/** Whether a method of that name exists. */
export function isTablesMethod(name: string): name is TablesMethodName {
  return Object.hasOwn(TABLES_METHODS, name);
}

/** A response without its wrapper, as it travels over plain HTTP: an object, a bare array, or {}. */
export function toContent<Request, Response>(of: TablesMethod<Request, Response>, response: Response): unknown {
  const json = toJson(of.response, response);
  return of.content === null ? json : json[of.content];
}

/** Reads a response that came without its wrapper. Throws JsonEdgeError as fromJson does. */
export function fromContent<Request, Response>(of: TablesMethod<Request, Response>, content: unknown): Response {
  return fromJson(of.response, of.content === null ? content : { [of.content]: content });
}

function method<Request, Response>(row: TablesMethod<Request, Response>): TablesMethod<Request, Response> {
  return row;
}
