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
import { liveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import type { EposRouter } from './epos-router.js';
import { NOT_SENT_WIRE, readScope, TRANSPORTS, WAYS } from './epos-wire.js';
import type { EposResult, EposWish } from './tables-call.js';

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
    const wanted = WAYS[request.transport];
    const wish = readWish(request);
    if (wanted === null) return notSentTrailer(NOT_SENT_WIRE.noRoute, 'this transport is not served');
    const { router } = this.parts;
    const { target } = request;
    return answerOf(await (target === undefined ? router.call(wish, wanted) : router.callHere(wish, target)));
  }

  async #handleEvent(request: HandleEventRequest): Promise<HandleEventResponse | InternalEnd> {
    scopeOf(request);
    // Events go to EPOSes of the EPOS Data API only; the pay-at-table contract has no call for them.
    return notSentTrailer(NOT_SENT_WIRE.noRoute, 'the account has no EPOS that takes events');
  }

  async #listConnections(request: ListConnectionsRequest): Promise<ListConnectionsResponse> {
    const live = await this.parts.database.read(scopeOf(request), (reader) =>
      liveConnections(reader, ['epos-grpc-stream']),
    );
    return {
      connections: live.map(({ connectionId, epoch, gatewayAddress, aliveUntil }) => ({
        connectionId,
        epoch: BigInt(epoch),
        transport: Transport.TRANSPORT_TABLES_GRPC_STREAM,
        gatewayAddress,
        // An epoch is the time of opening, in microseconds.
        connectedAt: new Date(Math.floor(epoch / 1_000)),
        aliveUntil,
      })),
    };
  }
}

function readWish(request: CallRequest): EposWish {
  const scope = scopeOf(request);
  if (request.request === undefined) throw invalid('request: is missing');
  if (request.deadlineMsLeft < 1) throw invalid('deadline_ms_left: must be at least 1');
  const { recordFence, sandboxFaults } = request;
  if (sandboxFaults !== undefined && scope.environment !== 'sandbox') {
    throw invalid('sandbox_faults: are for sandbox accounts only');
  }
  return {
    scope,
    call: request.request,
    waitMs: Math.min(request.deadlineMsLeft, WAIT_MS_MAX),
    fence: recordFence === undefined ? null : { paymentId: recordFence.paymentId, fence: Number(recordFence.fence) },
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

function answerOf({ outcome, way, connectionId }: EposResult): CallResponse | InternalEnd {
  const transport = way === null ? Transport.TRANSPORT_UNSPECIFIED : TRANSPORTS[way];
  switch (outcome.outcome) {
    case 'answered':
      return { response: outcome.answer, transport, connectionId };
    case 'refused': {
      const value = { errorCode: TablesErrorCode[outcome.code], errorReason: outcome.reason };
      return { response: { $case: 'tablesError', value }, transport, connectionId };
    }
    case 'notSent':
      return notSentTrailer(NOT_SENT_WIRE[outcome.why], outcome.reason);
    case 'credentialsRefused':
      return { code: status.PERMISSION_DENIED, details: outcome.reason, metadata: new Metadata() };
    case 'noAnswer':
      return { code: status.DEADLINE_EXCEEDED, details: outcome.reason, metadata: new Metadata() };
  }
}
