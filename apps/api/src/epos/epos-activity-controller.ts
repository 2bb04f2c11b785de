import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/accounts';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { type EposCallActivity, listNewestEposCalls } from '@pos/store/activities';
import { type GatewayConnection, listLiveConnections } from '@pos/store/connections';
import { ApiDatabase } from '../database/api-database.js';

/** The transports of the connections that an EPOS opens. */
const TRANSPORTS = {
  'epos-grpc-stream': 'stream',
  'tables-ws': 'socket',
  'epos-ws': 'dataSocket',
} as const;
type EposConnectionKind = keyof typeof TRANSPORTS;
const KINDS = Object.keys(TRANSPORTS) as EposConnectionKind[];

/** What the EPOS of an account does now, and which calls it had last. */
@Controller()
export class EposActivityController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listEposConnections)
  async listConnections({ caller }: OperationCall<typeof rest.listEposConnections>) {
    const connections = await this.store.readSingle(caller.scope, (reader) => listLiveConnections(reader, KINDS));
    return connections.flatMap(presentConnection);
  }

  @Serve(rest.listEposCalls)
  async listCalls({ caller, query }: OperationCall<typeof rest.listEposCalls>) {
    const calls = await this.store.readSingle(caller.scope, (reader) => listNewestEposCalls(reader, query.limit));
    return calls.map(presentCall);
  }
}

function presentConnection({ kind, openedAt, seenAt }: GatewayConnection): rest.EposConnection[] {
  if (kind === 'machine') return [];
  return [{ transport: TRANSPORTS[kind], openedAt: presentMoment(openedAt), seenAt: presentMoment(seenAt) }];
}

function presentCall(call: EposCallActivity): rest.EposCallRecord {
  const { id, name, outcome, tookMs, traceId, status, reason, subjectId, details } = call;
  return {
    ...{ id, name, at: presentMoment(call.createdAt), outcome, tookMs, traceId },
    ...present({ transport: details.transport, status, reason, subjectId }),
    ...(details.unreadable !== undefined && {
      unreadableMembers: details.unreadable.map(({ isSkipped, ...member }) => ({ ...member, skipped: isSkipped })),
    }),
  };
}
