import type { Reader } from '@pos/store/database/database';
import { type EposIntegration, listEposIntegrations } from '@pos/store/repositories/epos-integrations';
import { type EposCallRecord, listLastEposCalls } from '@pos/store/queues/last-epos-calls';
import { type GatewayConnection, listLiveConnections } from '@pos/store/terminals/gateway-connections';
import { requireAccount } from './audited-change.js';

/** How the EPOS of an account is reached now. It contains no password. */
export interface EposStatus {
  readonly connections: readonly GatewayConnection[];
  readonly registrations: readonly Omit<EposIntegration, 'password'>[];
  /** The last calls with a stored result, newest first. */
  readonly lastCalls: readonly EposCallRecord[];
}

const CALLS_MAX = 10;

/** The connections, registrations and last calls of the account's EPOS. Refuses an unknown account. */
export async function getEposStatus(reader: Reader): Promise<EposStatus> {
  await requireAccount(reader);
  const connections = await listLiveConnections(reader, ['epos-grpc-stream', 'epos-ws', 'tables-ws']);
  const registrations = (await listEposIntegrations(reader)).map(({ password: _password, ...shown }) => shown);
  return { connections, registrations, lastCalls: await listLastEposCalls(reader, CALLS_MAX) };
}
