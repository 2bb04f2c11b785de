import type { EposCall, EposResult } from './gen/service/gateway/v1/epos_connector_service.js';
import { fromJson, toJson } from './json-edge.js';
import { flag, int32, list, text, type JsonKind } from './json-kind.js';
import { optional, optionalList, required, requiredMessage } from './json-member.js';
import { shape, type JsonObject, type JsonShape } from './json-shape.js';
import { payment } from './payment-shapes.js';
import { bill, fullBill, requestorInfo, session, table, tableStatuses } from './tables-shapes.js';

/** A call of the pay-at-table contract, over any transport. */
export type TablesCall = NonNullable<EposCall['request']>;
/** What an EPOS answers to it when it does not refuse. */
export type TablesAnswer = Exclude<NonNullable<EposResult['response']>, { $case: 'error' }>;
/** A call by the name it has in the messages of gRPC. */
export type TablesCallName = TablesCall['$case'];

/** The request message of each call. */
export type TablesRequests = { [K in TablesCallName]: Extract<TablesCall, { $case: K }>['value'] };
/** The response message of each call. */
export type TablesResponses = { [K in TablesCallName]: Extract<TablesAnswer, { $case: K }>['value'] };

/** The call of one name. Left open, it is any call whose request goes with its name. */
export type TablesCallOf<K extends TablesCallName> = {
  [N in K]: { readonly $case: N; readonly value: TablesRequests[N] };
}[K];
/** The answer to the call of one name. */
export type TablesAnswerOf<K extends TablesCallName> = {
  [N in K]: { readonly $case: N; readonly value: TablesResponses[N] };
}[K];

/** One method: its name over JSON-RPC, the JSON form of its params and its result, and what of the result is the content. */
export interface TablesMethod<Name extends string, Request, Response> {
  /** As it travels in `method`. */
  readonly name: Name;
  readonly request: JsonShape<Request>;
  readonly response: JsonShape<Response>;
  /** The one member of the response, or null when success has nothing to say. */
  readonly content: (keyof Response & string) | null;
}

const who = { requestorInfo: requiredMessage(requestorInfo) };
const bySession = { sessionId: required(text), ...who };
/** How many elements of the EPOS cannot be shown. */
const left = { unreadableCount: optional(int32) };
const strings: JsonKind<string[]> = list(text);

/** The ten methods of TablesService. */
export const TABLES_METHODS: {
  readonly [K in TablesCallName]: TablesMethod<Capitalize<K>, TablesRequests[K], TablesResponses[K]>;
} = {
  listSessions: {
    name: 'ListSessions',
    request: shape('ListSessionsRequest', {
      isFinished: optional(flag),
      hasTable: optional(flag),
      isPayable: optional(flag),
      tableNames: optionalList(strings),
      ...who,
    }),
    response: shape('ListSessionsResponse', { sessions: required(list(session)), ...left }),
    content: 'sessions',
  },
  getSession: {
    name: 'GetSession',
    request: shape('GetSessionRequest', bySession),
    response: shape('GetSessionResponse', { session: requiredMessage(session) }),
    content: 'session',
  },
  listTables: {
    name: 'ListTables',
    request: shape('ListTablesRequest', { statuses: tableStatuses, ...who }),
    response: shape('ListTablesResponse', { tables: required(list(table)), ...left }),
    content: 'tables',
  },
  getTable: {
    name: 'GetTable',
    request: shape('GetTableRequest', { name: required(text), ...who }),
    response: shape('GetTableResponse', { table: requiredMessage(table) }),
    content: 'table',
  },
  getBillItems: {
    name: 'GetBillItems',
    request: shape('GetBillItemsRequest', bySession),
    response: shape('GetBillItemsResponse', { billItems: requiredMessage(bill) }),
    content: 'billItems',
  },
  listBillItems: {
    name: 'ListBillItems',
    request: shape('ListBillItemsRequest', { sessionIds: optionalList(strings), ...who }),
    response: shape('ListBillItemsResponse', { billItems: required(list(bill)), ...left }),
    content: 'billItems',
  },
  getFullBill: {
    name: 'GetFullBill',
    request: shape('GetFullBillRequest', bySession),
    response: shape('GetFullBillResponse', { fullBill: requiredMessage(fullBill) }),
    content: 'fullBill',
  },
  lockSession: {
    name: 'LockSession',
    request: shape('LockSessionRequest', bySession),
    response: shape('LockSessionResponse', { billItems: requiredMessage(bill) }),
    content: 'billItems',
  },
  unlockSession: {
    name: 'UnlockSession',
    request: shape('UnlockSessionRequest', bySession),
    response: shape('UnlockSessionResponse', {}),
    content: null,
  },
  recordPayment: {
    name: 'RecordPayment',
    request: shape('RecordPaymentRequest', { payment: requiredMessage(payment), ...who }),
    response: shape('RecordPaymentResponse', {}),
    content: null,
  },
};

/** The name of a method of TablesService, as it travels. */
export type TablesMethodName = Capitalize<TablesCallName>;

/** The call that a method of that name makes; null when there is no such method. */
export function getTablesCall(name: string): TablesCallName | null {
  return CALLS.get(name) ?? null;
}

const CALLS: ReadonlyMap<string, TablesCallName> = new Map(
  // Object.keys loses the type of the keys.
  (Object.keys(TABLES_METHODS) as TablesCallName[]).map((name) => [TABLES_METHODS[name].name, name]),
);

/** A call from the JSON of its params. Throws JsonEdgeError, which names the member. */
export function readTablesCall<K extends TablesCallName>(name: K, params: unknown): TablesCall {
  const { request }: { readonly request: JsonShape<TablesRequests[K]> } = TABLES_METHODS[name];
  return tablesCall(name, fromJson(request, params));
}

/** The JSON of a call's params. Throws JsonEdgeError when the message lacks what is required. */
export function toTablesParams<K extends TablesCallName>({ $case, value }: TablesCallOf<K>): JsonObject {
  const { request }: { readonly request: JsonShape<TablesRequests[K]> } = TABLES_METHODS[$case];
  return toJson(request, value);
}

/** The answer to a call from the JSON of its result. Throws JsonEdgeError, which names the member. */
export function readTablesAnswer<K extends TablesCallName>(name: K, result: unknown): TablesAnswer {
  const { response }: { readonly response: JsonShape<TablesResponses[K]> } = TABLES_METHODS[name];
  return tablesAnswer(name, fromJson(response, result));
}

/** The JSON of an answer. Throws JsonEdgeError when the message lacks what is required. */
export function toTablesResult<K extends TablesCallName>({ $case, value }: TablesAnswerOf<K>): JsonObject {
  const { response }: { readonly response: JsonShape<TablesResponses[K]> } = TABLES_METHODS[$case];
  return toJson(response, value);
}

/** An answer without its wrapper, as it travels over plain HTTP: an object, a bare array, or {}. Throws as `tablesResultOf`. */
export function toTablesContent(answer: TablesAnswer): unknown {
  const { content } = TABLES_METHODS[answer.$case];
  const result = toTablesResult(answer);
  return content === null ? {} : result[content];
}

/** A request under the name of its call. */
export function tablesCall<K extends TablesCallName>($case: K, value: TablesRequests[K]): TablesCall {
  // The parameters belong together, which a union that is put together here does not show.
  return { $case, value } as TablesCall;
}

/** A response under the name of the call that it answers. */
export function tablesAnswer<K extends TablesCallName>($case: K, value: TablesResponses[K]): TablesAnswer {
  return { $case, value } as TablesAnswer;
}
