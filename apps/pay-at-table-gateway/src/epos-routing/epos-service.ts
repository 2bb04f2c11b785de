import { Metadata, status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import {
  Transport,
  type CallRequest,
  type CallResponse,
  type EposServiceServer,
  type HandleEventRequest,
  type HandleEventResponse,
  type ListConnectionsRequest,
  type ListConnectionsResponse,
} from '@pos/grpc-contracts/gateway-internal';
import { createNotSentError as notSentTrailer } from '@pos/grpc-contracts/not-sent';
import { TablesErrorCode } from '@pos/grpc-contracts/tables';
import { GrpcFailure } from '@pos/service-kit/grpc';
import { type InternalFailure, handleInternalCall } from '@pos/service-kit/internal';
import { type ConnectionKind, listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { requireAdmittedCall } from '../epos-calls/call-admission.js';
import { limitUnreadable } from '../epos-calls/unreadable-members.js';
import type { EposDataClient } from './epos-data-client.js';
import type { EposTablesClient } from './epos-tables-client.js';
import { EPOS_CONNECTION_KINDS } from './epos-route-cache.js';
import {
  NOT_SENT_REASONS,
  presentDataOutcome,
  readDataCall,
  readFence,
  readScope,
  WIRE_TRANSPORTS,
  REQUESTED_TRANSPORTS,
} from '../epos-calls/epos-wire.js';
import type { DataResult, DataCallRequest } from '../epos-calls/data-call.js';
import type { TablesResult, TablesCallRequest } from '../epos-calls/tables-call.js';
import { isDataTransport } from '../epos-calls/transport-kinds.js';
import type { CallFailure } from '../epos-calls/call-failure.js';
import type { Log } from '@pos/service-kit/telemetry';

const INTERNAL_TIMEOUT_MS_MAX = 60_000;

/**
 * Serves calls to EPOSes for the other processes of the service, and between gateways. A refusal before anything was sent
 * contains its proof in a trailer; after every other failure the EPOS may have executed the call.
 */
export class EposService {
  constructor(
    private readonly parts: {
      readonly tablesClient: EposTablesClient;
      readonly dataClient: EposDataClient;
      readonly database: Database;
      readonly log: Log;
    },
  ) {}

  /** The methods in the form of the generated server type. */
  buildMethods(): EposServiceServer {
    return {
      call: handleInternalCall(this.parts, 'EposService/Call', (request: CallRequest, callers) => {
        requireAdmittedCall(request, callers);
        return this.#handleCall(request);
      }),
      handleEvent: handleInternalCall(this.parts, 'EposService/HandleEvent', (request: HandleEventRequest) =>
        this.#handleEvent(request),
      ),
      listConnections: handleInternalCall(
        this.parts,
        'EposService/ListConnections',
        (request: ListConnectionsRequest) => this.#listConnections(request),
      ),
    };
  }

  async #handleCall(request: CallRequest): Promise<CallResponse | InternalFailure> {
    const requestedCall = request.request;
    if (requestedCall === undefined) throw createInvalidArgument('request: is missing');
    const requestedTransport = REQUESTED_TRANSPORTS[request.transport];
    const { target } = request;
    const { tablesClient, dataClient } = this.parts;
    if (requestedCall.$case === 'eposData') {
      const call = readDataCall(requestedCall.value);
      if (call === null) throw createInvalidArgument('epos_data: names no call, or its params are no JSON object');
      const callRequest: DataCallRequest = { ...readCallOptions(request), ...call };
      if (target !== undefined) return toCallResponse(await dataClient.callDataLocally(callRequest, target));
      if (requestedTransport === null || (requestedTransport !== 'auto' && !isDataTransport(requestedTransport)))
        return createUnservedTransport();
      return toCallResponse(await dataClient.callData(callRequest, requestedTransport));
    }
    const callRequest: TablesCallRequest = { ...readCallOptions(request), call: requestedCall };
    if (target !== undefined) return toCallResponse(await tablesClient.callTablesLocally(callRequest, target));
    return requestedTransport === null
      ? createUnservedTransport()
      : toCallResponse(await tablesClient.callTables(callRequest, requestedTransport));
  }

  async #handleEvent(request: HandleEventRequest): Promise<HandleEventResponse | InternalFailure> {
    const { eventJson, deadlineMsLeft, ...accountReference } = request;
    const scope = requireScope(accountReference);
    if (deadlineMsLeft < 1) throw createInvalidArgument('deadline_ms_left: must be at least 1');
    const call = readDataCall({ name: 'HandleEvent', paramsJson: eventJson, headers: {} });
    if (call === null) throw createInvalidArgument('event_json: is no JSON object');
    const waitMs = Math.min(deadlineMsLeft, INTERNAL_TIMEOUT_MS_MAX);
    return toHandleEventResponse(
      await this.parts.dataClient.callData({ ...call, scope, waitMs, fence: null, faults: null }),
    );
  }

  async #listConnections(request: ListConnectionsRequest): Promise<ListConnectionsResponse> {
    const liveConnections = await this.parts.database.read(requireScope(request), (reader) =>
      listLiveConnections(reader, EPOS_CONNECTION_KINDS),
    );
    return {
      connections: liveConnections.map(({ connectionId, kind, epoch, gatewayAddress, aliveUntil }) => ({
        connectionId,
        epoch: BigInt(epoch),
        transport: TRANSPORT_OF_CONNECTION_KIND[kind],
        gatewayAddress,
        // An epoch is the time of opening, in microseconds.
        connectedAt: new Date(Math.floor(epoch / 1_000)),
        aliveUntil,
      })),
    };
  }
}

/** The transport of each kind of connection. */
const TRANSPORT_OF_CONNECTION_KIND = {
  machine: Transport.TRANSPORT_UNSPECIFIED,
  'epos-grpc-stream': Transport.TRANSPORT_TABLES_GRPC_STREAM,
  'tables-ws': Transport.TRANSPORT_TABLES_WEBSOCKET,
  'epos-ws': Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
} as const satisfies Record<ConnectionKind, Transport>;

function createUnservedTransport(): InternalFailure {
  return notSentTrailer(NOT_SENT_REASONS.noRoute, 'this transport is not served');
}

/** The account, the time, the fence and the faults of a call. */
function readCallOptions(request: CallRequest): Omit<TablesCallRequest, 'call'> {
  const scope = requireScope(request);
  if (request.deadlineMsLeft < 1) throw createInvalidArgument('deadline_ms_left: must be at least 1');
  const { recordFence, sandboxFaults } = request;
  if (sandboxFaults !== undefined && scope.environment !== 'sandbox') {
    throw createInvalidArgument('sandbox_faults: are for sandbox accounts only');
  }
  return {
    scope,
    waitMs: Math.min(request.deadlineMsLeft, INTERNAL_TIMEOUT_MS_MAX),
    fence: recordFence === undefined ? null : readFence(recordFence),
    faults: sandboxFaults ?? null,
  };
}

function requireScope(request: { accountId: string; environment: string }): Scope {
  const scope = readScope(request);
  if (scope === null) throw createInvalidArgument('account_id, environment: name no account');
  return scope;
}

function createInvalidArgument(detail: string): GrpcFailure {
  return new GrpcFailure(status.INVALID_ARGUMENT, detail);
}

/** An EPOS that refuses, or whose credentials are wrong, receives the event again later, like one that did not answer. */
function toHandleEventResponse({
  outcome,
  transport: usedTransport,
}: DataResult): HandleEventResponse | InternalFailure {
  const transport = usedTransport === null ? Transport.TRANSPORT_UNSPECIFIED : WIRE_TRANSPORTS[usedTransport];
  switch (outcome.outcome) {
    case 'answered':
      return { handled: { accepted: true, transport, httpStatus: outcome.httpStatus, detail: '' } };
    case 'refused': {
      const { errorType, debugMessage = '' } = outcome.error;
      const detail = debugMessage === '' ? errorType : `${errorType}: ${debugMessage}`;
      return { handled: { accepted: false, transport, httpStatus: outcome.httpStatus, detail } };
    }
    case 'credentialsRefused':
    case 'notSent':
    case 'noAnswer':
      return toInternalEnd(outcome);
  }
}

function toCallResponse({
  outcome,
  transport: usedTransport,
  connectionId,
}: TablesResult | DataResult): CallResponse | InternalFailure {
  const transport = usedTransport === null ? Transport.TRANSPORT_UNSPECIFIED : WIRE_TRANSPORTS[usedTransport];
  switch (outcome.outcome) {
    case 'answered':
      return 'json' in outcome
        ? { response: presentDataOutcome(outcome), transport, connectionId, unreadableMembers: [] }
        : {
            ...{ response: outcome.answer, transport, connectionId },
            unreadableMembers: (outcome.unreadable ?? []).map(limitUnreadable),
          };
    case 'refused': {
      if ('error' in outcome)
        return { response: presentDataOutcome(outcome), transport, connectionId, unreadableMembers: [] };
      const value = { errorCode: TablesErrorCode[outcome.code], errorReason: outcome.reason };
      return { response: { $case: 'tablesError', value }, transport, connectionId, unreadableMembers: [] };
    }
    case 'credentialsRefused':
    case 'notSent':
    case 'noAnswer':
      return toInternalEnd(outcome);
  }
}

/** How a call without a usable answer ended; another gateway reads it from the status. */
const NO_ANSWER_CODES = {
  unreadable: status.DATA_LOSS,
  broken: status.UNKNOWN,
  late: status.DEADLINE_EXCEEDED,
} as const;

function toInternalEnd(outcome: CallFailure): InternalFailure {
  switch (outcome.outcome) {
    case 'notSent':
      return notSentTrailer(NOT_SENT_REASONS[outcome.cause], outcome.reason);
    case 'credentialsRefused':
      return { code: status.PERMISSION_DENIED, details: outcome.reason, metadata: new Metadata() };
    case 'noAnswer': {
      const code =
        NO_ANSWER_CODES[outcome.isUnreadable === true ? 'unreadable' : outcome.isEarly === true ? 'broken' : 'late'];
      return { code, details: outcome.reason, metadata: new Metadata() };
    }
  }
}
