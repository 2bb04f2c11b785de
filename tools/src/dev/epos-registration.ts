import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { type Client, openClient } from '@pos/rest-contracts/client';
import { putGrpcIntegration, putRestIntegration, putWsIntegration } from '@pos/rest-contracts/accounts';
import type { EposTransport, SeededAccount } from './seed.js';

/** The addresses of the EPOSes of the sandbox. */
interface EposAddresses {
  readonly grpcUrl: string;
  readonly restUrl: string;
}

/** Each transport in the words for a newcomer. */
export const TRANSPORT_TITLES: Readonly<Record<EposTransport, string>> = {
  'grpc-stream': 'its EPOS opens a gRPC stream to us, and is dialled while there is none',
  grpc: 'its EPOS is dialled over gRPC',
  rest: 'its EPOS is called over REST (EPOS Data API)',
  ws: 'its EPOS opens a WebSocket at /epos (EPOS Data API)',
  'tables-ws': 'its EPOS opens a WebSocket at /ws/v1/tables/epos (pay-at-table JSON-RPC)',
};

const ALL_CAPABILITIES = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));

/**
 * Registers the EPOS of each account like an integrator: by the public API, under the account's own key. An EPOS that
 * opens the pay-at-table socket needs no registration.
 */
export async function registerEposes(
  apiUrl: string,
  accounts: readonly SeededAccount[],
  { send, ...addresses }: EposAddresses & { readonly send: typeof fetch },
): Promise<void> {
  await Promise.all(
    accounts.map((account) => {
      const api = openClient({ baseUrl: apiUrl, apiKey: account.keys.full, fetch: send });
      return registerEpos(api, account, addresses);
    }),
  );
}

async function registerEpos(
  api: Client,
  { epos: { username, password, way } }: SeededAccount,
  { grpcUrl, restUrl }: EposAddresses,
): Promise<void> {
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

/** The EPOS of an account in the form of the sandbox's control API. */
export function getSandboxEpos({ username, password, way }: SeededAccount['epos']) {
  const speaksData = way === 'rest' || way === 'ws';
  return {
    ...{ username, password, dialsIn: way === 'grpc-stream' },
    sockets: way === 'ws' || way === 'tables-ws' ? [way] : [],
    // All capabilities are registered, including locks.
    ...{ needsLocks: speaksData, readsIntents: speaksData },
  };
}
