import type { EposSilence, Requestor } from '@pos/core/tables';
import { type Environment, isId, type Scope } from '@pos/core/identity';
import {
  type CallRequest,
  type CallResponse,
  type EposDataRequest,
  NotSentReason,
  type RecordFence,
  Transport,
} from '@pos/grpc-contracts/gateway-internal';
import { RequestorType, type RequestorInfo } from '@pos/grpc-contracts/tables';
import { EposError, isEposDataCall } from '@pos/rest-contracts/epos-data';
import type { GatewayConnection } from '@pos/store/connections';
import type { TablesAnswer, TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { CallFence, TablesCallRequest } from './tables-call.js';
import type { DataOutcome, DataCallRequest } from './data-call.js';
import type { DataTransportKind, TablesTransportKind } from './transport-kinds.js';
import { createBrokenCall, type NotSentCause } from './call-failure.js';

/** Both maps are total: a transport or a reason that is added on one side breaks the build here. */
export const WIRE_TRANSPORTS = {
  dialled: Transport.TRANSPORT_TABLES_GRPC_DIALLED,
  stream: Transport.TRANSPORT_TABLES_GRPC_STREAM,
  socket: Transport.TRANSPORT_TABLES_WEBSOCKET,
  rest: Transport.TRANSPORT_EPOS_DATA_REST,
  dataSocket: Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
  // One call may consist of several, each over REST or over the socket.
  orders: Transport.TRANSPORT_UNSPECIFIED,
} as const satisfies Record<TablesTransportKind | DataTransportKind, Transport>;

/** The requested transport; `auto` if the setting of the account decides, null for an unknown one. */
export const REQUESTED_TRANSPORTS = {
  TRANSPORT_UNSPECIFIED: 'auto',
  TRANSPORT_TABLES_WEBSOCKET: 'socket',
  TRANSPORT_TABLES_GRPC_DIALLED: 'dialled',
  TRANSPORT_TABLES_GRPC_STREAM: 'stream',
  TRANSPORT_EPOS_DATA_REST: 'rest',
  TRANSPORT_EPOS_DATA_WEBSOCKET: 'dataSocket',
  UNRECOGNIZED: null,
} as const satisfies Record<Transport, TablesTransportKind | DataTransportKind | 'auto' | null>;

export const NOT_SENT_REASONS = {
  noConnection: NotSentReason.NOT_SENT_REASON_NO_CONNECTION,
  fencedOff: NotSentReason.NOT_SENT_REASON_FENCED_OFF,
  queueFull: NotSentReason.NOT_SENT_REASON_QUEUE_FULL,
  noRoute: NotSentReason.NOT_SENT_REASON_NO_ROUTE,
  draining: NotSentReason.NOT_SENT_REASON_DRAINING,
} as const satisfies Record<NotSentCause, NotSentReason>;

const NOT_SENT_CAUSES = {
  NOT_SENT_REASON_UNSPECIFIED: 'noRoute',
  NOT_SENT_REASON_NO_CONNECTION: 'noConnection',
  NOT_SENT_REASON_FENCED_OFF: 'fencedOff',
  NOT_SENT_REASON_QUEUE_FULL: 'queueFull',
  NOT_SENT_REASON_NO_ROUTE: 'noRoute',
  NOT_SENT_REASON_DRAINING: 'draining',
  UNRECOGNIZED: 'noRoute',
} as const satisfies Record<NotSentReason, NotSentCause>;

export function toNotSentCause(reason: NotSentReason): NotSentCause {
  return NOT_SENT_CAUSES[reason];
}

/** The account and environment that an internal caller names; null when they are invalid. */
export function readScope({ accountId, environment }: { accountId: string; environment: string }): Scope | null {
  if (!isId('account', accountId) || !isEnvironment(environment)) return null;
  return { accountId, environment };
}

function isEnvironment(text: string): text is Environment {
  return text === 'sandbox' || text === 'production';
}

type ForwardRequest = Omit<CallRequest, 'deadlineMsLeft'>;

/** A call as it is forwarded to the gateway that holds the connection. */
export function presentTablesForward(
  callRequest: TablesCallRequest,
  target: Pick<GatewayConnection, 'connectionId' | 'epoch'>,
): ForwardRequest {
  return { ...buildForward(callRequest, target), request: callRequest.call };
}

/** The same for a call of the EPOS Data API. */
export function presentDataForward(
  callRequest: DataCallRequest,
  target: Pick<GatewayConnection, 'connectionId' | 'epoch'>,
): ForwardRequest {
  const { name, params, headers } = callRequest;
  const value = { name, paramsJson: Buffer.from(JSON.stringify(params)), headers: { ...headers } };
  return { ...buildForward(callRequest, target), request: { $case: 'eposData', value } };
}

function buildForward(
  { scope, fence, faults }: Pick<TablesCallRequest, 'scope' | 'fence' | 'faults'>,
  { connectionId, epoch }: Pick<GatewayConnection, 'connectionId' | 'epoch'>,
): ForwardRequest {
  return {
    accountId: scope.accountId,
    environment: scope.environment,
    target: { connectionId, epoch: BigInt(epoch) },
    recordFence: fence === null ? undefined : presentFence(fence),
    transport: Transport.TRANSPORT_UNSPECIFIED,
    sandboxFaults: faults ?? undefined,
    request: undefined,
  };
}

function presentFence({ kind, subject, fence }: CallFence): RecordFence {
  const isPayment = kind === 'table-payment';
  return { paymentId: isPayment ? subject : '', placementId: isPayment ? '' : subject, fence: BigInt(fence) };
}

/** The fence of a call that the internal server receives. */
export function readFence({ paymentId, placementId, fence }: RecordFence): CallFence {
  const fenceValue = { fence: Number(fence) };
  return placementId === ''
    ? { kind: 'table-payment', subject: paymentId, ...fenceValue }
    : { kind: 'order-placement', subject: placementId, ...fenceValue };
}

type TablesCallResponse = TablesAnswer | Extract<NonNullable<CallResponse['response']>, { $case: 'tablesError' }>;

/** Whether the answer of another gateway belongs to the call. */
export function isResponseToCall(
  response: NonNullable<CallResponse['response']>,
  call: TablesCall,
): response is TablesCallResponse {
  return response.$case === call.$case || response.$case === 'tablesError';
}

/** The call of the EPOS Data API of an internal caller; null for an unknown name or invalid JSON. */
export function readDataCall({
  name,
  paramsJson,
  headers,
}: EposDataRequest): Pick<DataCallRequest, 'name' | 'params' | 'headers'> | null {
  const params = parseJson(paramsJson);
  if (!isEposDataCall(name) || typeof params !== 'object' || params === null || Array.isArray(params)) return null;
  return { name, params: { ...params }, headers };
}

/** The outcome of a call of the EPOS Data API, for an internal caller. */
export function presentDataOutcome(
  outcome: Extract<DataOutcome, { outcome: 'answered' | 'refused' }>,
): NonNullable<CallResponse['response']> {
  const { httpStatus } = outcome;
  if (outcome.outcome === 'answered') {
    const json = outcome.json === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(outcome.json));
    return { $case: 'eposData', value: { json, httpStatus } };
  }
  const { errorType, debugMessage = '', traceId = '' } = outcome.error;
  return { $case: 'eposDataError', value: { errorType, debugMessage, traceId, httpStatus } };
}

/** The outcome of a call of the EPOS Data API that another gateway made. */
export function toDataOutcome({ response }: CallResponse): DataOutcome {
  if (response?.$case === 'eposData') {
    const { json, httpStatus } = response.value;
    const value = json.length === 0 ? null : parseJson(json);
    return value === undefined
      ? createBrokenCall('the answer of the other gateway is not JSON')
      : { outcome: 'answered', json: value, httpStatus };
  }
  const error = response?.$case === 'eposDataError' ? EposError.safeParse(response.value) : null;
  if (response?.$case !== 'eposDataError' || error?.success !== true) {
    return createBrokenCall('the answer of the other gateway belongs to another call');
  }
  return { outcome: 'refused', error: error.data, httpStatus: response.value.httpStatus };
}

function parseJson(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** The requestor; null when the request has none. */
export function readRequestor(info: RequestorInfo | undefined): Requestor | null {
  if (info?.requestorType === RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE) return { type: 'consumerDevice' };
  if (info?.requestorType !== RequestorType.REQUESTOR_TYPE_CARD_MACHINE) return null;
  const machine = info.requestor?.$case === 'cardMachineRequestorInfo' ? info.requestor.value : null;
  return { type: 'cardMachine', terminalId: machine?.terminalId ?? '', waiterId: machine?.waiterId ?? 0 };
}

/** Maps an outcome without an answer to the port of core. */
export function toEposSilence(outcome: 'notSent' | 'noAnswer' | 'credentialsRefused'): EposSilence {
  // With wrong credentials the EPOS has executed nothing, like an EPOS that is not connected.
  return outcome === 'noAnswer' ? 'noAnswer' : 'notConnected';
}
