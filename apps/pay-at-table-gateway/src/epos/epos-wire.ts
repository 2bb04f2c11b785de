import type { EposSilence } from '@pos/core/epos-error';
import type { Scope } from '@pos/core/identity';
import { isId } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import { NotSentReason, Transport, type CallRequest, type CallResponse } from '@pos/grpc-contracts/gateway-internal';
import { RequestorType, type RequestorInfo } from '@pos/grpc-contracts/tables';
import type { EposWay, EposWish, NotSentWhy, TablesCall } from './tables-call.js';
import { isEnvironment } from './tables-call.js';

/** Both directions are total: a way or a reason added on either side stops the build here. */
export const TRANSPORTS = {
  dialled: Transport.TRANSPORT_TABLES_GRPC_DIALLED,
  stream: Transport.TRANSPORT_TABLES_GRPC_STREAM,
} as const satisfies Record<EposWay, Transport>;

/** The way a caller asks for; `auto` when it leaves that to the account, null for one that does not exist yet. */
export const WAYS = {
  TRANSPORT_UNSPECIFIED: 'auto',
  TRANSPORT_TABLES_WEBSOCKET: null,
  TRANSPORT_TABLES_GRPC_DIALLED: 'dialled',
  TRANSPORT_TABLES_GRPC_STREAM: 'stream',
  TRANSPORT_EPOS_DATA_REST: null,
  TRANSPORT_EPOS_DATA_WEBSOCKET: null,
  UNRECOGNIZED: null,
} as const satisfies Record<Transport, EposWay | 'auto' | null>;

export const NOT_SENT_WIRE = {
  noConnection: NotSentReason.NOT_SENT_REASON_NO_CONNECTION,
  fencedOff: NotSentReason.NOT_SENT_REASON_FENCED_OFF,
  queueFull: NotSentReason.NOT_SENT_REASON_QUEUE_FULL,
  noRoute: NotSentReason.NOT_SENT_REASON_NO_ROUTE,
  draining: NotSentReason.NOT_SENT_REASON_DRAINING,
} as const satisfies Record<NotSentWhy, NotSentReason>;

const NOT_SENT_WORDS = {
  NOT_SENT_REASON_UNSPECIFIED: 'noRoute',
  NOT_SENT_REASON_NO_CONNECTION: 'noConnection',
  NOT_SENT_REASON_FENCED_OFF: 'fencedOff',
  NOT_SENT_REASON_QUEUE_FULL: 'queueFull',
  NOT_SENT_REASON_NO_ROUTE: 'noRoute',
  NOT_SENT_REASON_DRAINING: 'draining',
  UNRECOGNIZED: 'noRoute',
} as const satisfies Record<NotSentReason, NotSentWhy>;

export function notSentWord(reason: NotSentReason): NotSentWhy {
  return NOT_SENT_WORDS[reason];
}

/** The tenant that a caller inside the service names; null when it is none. */
export function readScope({ accountId, environment }: { accountId: string; environment: string }): Scope | null {
  if (!isId('account', accountId) || !isEnvironment(environment)) return null;
  return { accountId, environment };
}

/** A wish as it is forwarded to the gateway that holds the connection. */
export function presentForward(
  wish: EposWish,
  to: { readonly connectionId: string; readonly epoch: number; readonly leftMs: number },
): CallRequest {
  const { scope, call, fence, faults } = wish;
  return {
    accountId: scope.accountId,
    environment: scope.environment,
    deadlineMsLeft: Math.floor(to.leftMs),
    request: call,
    target: { connectionId: to.connectionId, epoch: BigInt(to.epoch) },
    recordFence: fence === null ? undefined : { paymentId: fence.paymentId, fence: BigInt(fence.fence) },
    transport: Transport.TRANSPORT_TABLES_GRPC_STREAM,
    sandboxFaults: faults ?? undefined,
  };
}

/** What a gateway answered to a forward, if it fits what was asked. */
export function fits(response: CallResponse['response'], call: TablesCall): boolean {
  return response?.$case === call.$case || response?.$case === 'tablesError';
}

/** The device that asks; null when it does not say who it is. */
export function readRequestor(info: RequestorInfo | undefined): Requestor | null {
  if (info?.requestorType === RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE) return { type: 'consumerDevice' };
  if (info?.requestorType !== RequestorType.REQUESTOR_TYPE_CARD_MACHINE) return null;
  const machine = info.requestor?.$case === 'cardMachineRequestorInfo' ? info.requestor.value : null;
  return { type: 'cardMachine', terminalId: machine?.terminalId ?? '', waiterId: machine?.waiterId ?? 0 };
}

/** The silences of an EPOS in the words of core's port. */
export function silenceOf(outcome: 'notSent' | 'noAnswer' | 'credentialsRefused'): EposSilence {
  // With wrong credentials the EPOS has done nothing, which is what "not connected" promises.
  return outcome === 'noAnswer' ? 'noAnswer' : 'notConnected';
}
