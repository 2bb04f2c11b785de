import type { Reader } from '@pos/store/database';
import { type EposIntegration, listEposIntegrations } from '@pos/store/repositories';
import { type EposCallRecord, listLastEposCalls } from '@pos/store/queues';
import { type GatewayConnection, listLiveConnections } from '@pos/store/connections';
import { requireAccount } from '@pos/payments/audit';

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
