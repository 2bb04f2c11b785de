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
import { notSent as notSentTrailer } from '@pos/grpc-contracts/not-sent';
import { TablesErrorCode } from '@pos/grpc-contracts/tables';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import { type InternalAdmission, type InternalEnd, servedInternally } from '@pos/service-kit/internal-grpc';
import { type ConnectionKind, listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import type { EposRouter } from './epos-router.js';
import { EPOS_CONNECTIONS } from './epos-routes.js';
import {
  NOT_SENT_WIRE,
  presentDataOutcome,
  readDataCall,
  readFence,
  readScope,
  TRANSPORTS,
  WAYS,
} from './epos-wire.js';
import {
  type DataResult,
  type DataWish,
  type EposResult,
  type EposWish,
  isDataWay,
  type NoOutcome,
} from './tables-call.js';

const WAIT_MS_MAX = 60_000;

/**
 * The door to the EPOSes for the other processes of the service, and between gateways. A refusal before anything was sent
 * travels with its proof in a trailer; every other failure leaves open what the EPOS has done.
 */
export class EposService {
  constructor(
    private readonly parts: InternalAdmission & { readonly router: EposRouter; readonly database: Database },
  ) {}

  /** The methods as the generated server type wants them. */
  methods(): EposServiceServer {
    return {
      call: servedInternally(this.parts, 'EposService/Call', (request: CallRequest) => this.#call(request)),
      handleEvent: servedInternally(this.parts, 'EposService/HandleEvent', (request: HandleEventRequest) =>
        this.#handleEvent(request),
      ),
      listConnections: servedInternally(this.parts, 'EposService/ListConnections', (request: ListConnectionsRequest) =>
        this.#listConnections(request),
      ),
    };
  }

  async #call(request: CallRequest): Promise<CallResponse | InternalEnd> {
    const asked = request.request;
    if (asked === undefined) throw invalid('request: is missing');
    const wanted = WAYS[request.transport];
    const { target } = request;
    const { router } = this.parts;
    if (asked.$case === 'eposData') {
      const call = readDataCall(asked.value);
      if (call === null) throw invalid('epos_data: names no call, or its params are no JSON object');
      const wish: DataWish = { ...readTerms(request), ...call };
      if (target !== undefined) return answerOf(await router.askHere(wish, target));
      if (wanted === null || (wanted !== 'auto' && !isDataWay(wanted))) return unserved();
      return answerOf(await router.ask(wish, wanted));
    }
    const wish: EposWish = { ...readTerms(request), call: asked };
    if (target !== undefined) return answerOf(await router.callHere(wish, target));
    return wanted === null ? unserved() : answerOf(await router.call(wish, wanted));
  }

  async #handleEvent(request: HandleEventRequest): Promise<HandleEventResponse | InternalEnd> {
    const { eventJson, deadlineMsLeft, ...named } = request;
    const scope = scopeOf(named);
    if (deadlineMsLeft < 1) throw invalid('deadline_ms_left: must be at least 1');
    const call = readDataCall({ name: 'HandleEvent', paramsJson: eventJson, headers: {} });
    if (call === null) throw invalid('event_json: is no JSON object');
    const waitMs = Math.min(deadlineMsLeft, WAIT_MS_MAX);
    return handledOf(await this.parts.router.ask({ ...call, scope, waitMs, fence: null, faults: null }));
  }

  async #listConnections(request: ListConnectionsRequest): Promise<ListConnectionsResponse> {
    const live = await this.parts.database.read(scopeOf(request), (reader) =>
      listLiveConnections(reader, EPOS_CONNECTIONS),
    );
    return {
      connections: live.map(({ connectionId, kind, epoch, gatewayAddress, aliveUntil }) => ({
        connectionId,
        epoch: BigInt(epoch),
        transport: KINDS[kind],
        gatewayAddress,
        // An epoch is the time of opening, in microseconds.
        connectedAt: new Date(Math.floor(epoch / 1_000)),
        aliveUntil,
      })),
    };
  }
}

/** What is spoken on each kind of connection. */
const KINDS = {
  machine: Transport.TRANSPORT_UNSPECIFIED,
  'epos-grpc-stream': Transport.TRANSPORT_TABLES_GRPC_STREAM,
  'tables-ws': Transport.TRANSPORT_TABLES_WEBSOCKET,
  'epos-ws': Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
} as const satisfies Record<ConnectionKind, Transport>;

function unserved(): InternalEnd {
  return notSentTrailer(NOT_SENT_WIRE.noRoute, 'this transport is not served');
}

/** Whose EPOS, how long, under which fence and with which faults. */
function readTerms(request: CallRequest): Omit<EposWish, 'call'> {
  const scope = scopeOf(request);
  if (request.deadlineMsLeft < 1) throw invalid('deadline_ms_left: must be at least 1');
  const { recordFence, sandboxFaults } = request;
  if (sandboxFaults !== undefined && scope.environment !== 'sandbox') {
    throw invalid('sandbox_faults: are for sandbox accounts only');
  }
  return {
    scope,
    waitMs: Math.min(request.deadlineMsLeft, WAIT_MS_MAX),
    fence: recordFence === undefined ? null : readFence(recordFence),
    faults: sandboxFaults ?? null,
  };
}

function scopeOf(request: { accountId: string; environment: string }): Scope {
  const scope = readScope(request);
  if (scope === null) throw invalid('account_id, environment: name no account');
  return scope;
}

function invalid(detail: string): GrpcFailure {
  return new GrpcFailure(status.INVALID_ARGUMENT, detail);
}

/** An EPOS that says no, or that nobody could call as itself, is told again later as one that did not answer. */
function handledOf({ outcome, way }: DataResult): HandleEventResponse | InternalEnd {
  const transport = way === null ? Transport.TRANSPORT_UNSPECIFIED : TRANSPORTS[way];
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
      return endOf(outcome);
  }
}

function answerOf({ outcome, way, connectionId }: EposResult | DataResult): CallResponse | InternalEnd {
  const transport = way === null ? Transport.TRANSPORT_UNSPECIFIED : TRANSPORTS[way];
  switch (outcome.outcome) {
    case 'answered':
      return { response: 'json' in outcome ? presentDataOutcome(outcome) : outcome.answer, transport, connectionId };
    case 'refused': {
      if ('error' in outcome) return { response: presentDataOutcome(outcome), transport, connectionId };
      const value = { errorCode: TablesErrorCode[outcome.code], errorReason: outcome.reason };
      return { response: { $case: 'tablesError', value }, transport, connectionId };
    }
    case 'credentialsRefused':
    case 'notSent':
    case 'noAnswer':
      return endOf(outcome);
  }
}

function endOf(outcome: NoOutcome): InternalEnd {
  switch (outcome.outcome) {
    case 'notSent':
      return notSentTrailer(NOT_SENT_WIRE[outcome.why], outcome.reason);
    case 'credentialsRefused':
      return { code: status.PERMISSION_DENIED, details: outcome.reason, metadata: new Metadata() };
    case 'noAnswer': {
      const code = outcome.isUnreadable === true ? status.DATA_LOSS : status.DEADLINE_EXCEEDED;
      return { code, details: outcome.reason, metadata: new Metadata() };
    }
  }
}
