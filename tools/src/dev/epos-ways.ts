import { EPOS_CAPABILITIES } from '@pos/core/tables/epos-capability';
import { openClient } from '@pos/rest-contracts/client';
import {
  putGrpcIntegration,
  putRestIntegration,
  putWsIntegration,
} from '@pos/rest-contracts/accounts/epos-registration';
import type { EposTransport, SeededAccount } from './seed.js';

/** Where the EPOSes of the sandbox are reached by who calls them. */
interface EposAddresses {
  readonly grpcUrl: string;
  readonly restUrl: string;
}

/** Each way as a newcomer reads it. */
export const TRANSPORT_TITLES: Readonly<Record<EposTransport, string>> = {
  'grpc-stream': 'its EPOS opens a gRPC stream to us, and is dialled while there is none',
  grpc: 'its EPOS is dialled over gRPC',
  rest: 'its EPOS is called over REST (EPOS Data API)',
  ws: 'its EPOS opens a WebSocket at /epos (EPOS Data API)',
  'tables-ws': 'its EPOS opens a WebSocket at /ws/v1/tables/epos (pay-at-table JSON-RPC)',
};

const ALL_CAPABILITIES = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));

/**
 * Registers the EPOS of each account as its integrator would: by the public API, under the account's own key. Who opens
 * the pay-at-table socket has nothing to register.
 */
export async function registerEposes(
  apiUrl: string,
  accounts: readonly SeededAccount[],
  addresses: EposAddresses,
): Promise<void> {
  await Promise.all(accounts.map((account) => registerEpos(apiUrl, account, addresses)));
}

async function registerEpos(
  apiUrl: string,
  { keys, epos: { username, password, way } }: SeededAccount,
  { grpcUrl, restUrl }: EposAddresses,
): Promise<void> {
  const api = openClient({ baseUrl: apiUrl, apiKey: keys.full });
  const auth = { authType: 'basic', basic: { username, password } } as const;
  switch (way) {
    case 'grpc-stream':
    case 'grpc':
      await api(putGrpcIntegration, { body: { url: grpcUrl, auth } });
      return;
    case 'rest':
      await api(putRestIntegration, { body: { url: restUrl, auth, capabilities: ALL_CAPABILITIES } });
      return;
    case 'ws':
      await api(putWsIntegration, { body: { capabilities: ALL_CAPABILITIES } });
      return;
    case 'tables-ws':
      return;
  }
}

/** The EPOS of an account as the sandbox is told of it. */
export function getSandboxEpos({ username, password, way }: SeededAccount['epos']) {
  const speaksData = way === 'rest' || way === 'ws';
  return {
    ...{ username, password, dialsIn: way === 'grpc-stream' },
    sockets: way === 'ws' || way === 'tables-ws' ? [way] : [],
    // All capabilities are registered, locks among them.
    ...{ needsLocks: speaksData, readsIntents: speaksData },
  };
}
