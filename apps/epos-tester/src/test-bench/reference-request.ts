import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { randomUUID } from 'node:crypto';
import { type TestBench, type EposTarget, createEposKey } from './test-bench.js';
import type { GroupTransport } from '../clause-coverage/transports.js';

/** The EPOS of the sandbox over one transport: each transport has its own restaurant. */
export function createReferenceRequest(
  bench: TestBench,
  { transport, currencyCode }: { readonly transport: GroupTransport; readonly currencyCode: string },
): EposTarget {
  // The user name selects the EPOS, so no two restaurants share one.
  const [username, password] = [`reference-${transport}-${randomUUID()}`, createEposKey()];
  const { grpcUrl, restUrl } = bench.referenceUrls;
  const isData = transport === 'rest' || transport === 'ws';
  const sockets = isData ? (['ws'] as const) : transport === 'tables-ws' ? (['tables-ws'] as const) : [];
  return {
    ...{ name: username, currencyCode, apiKey: createEposKey(), opensSocket: isData },
    grpc: transport === 'grpc-dialled' ? { url: grpcUrl, username, password } : null,
    rest: isData ? { url: restUrl, username, password } : null,
    capabilities: EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' })),
    reference: { username, password, dialsIn: transport === 'grpc-stream', sockets, needsLocks: isData },
  };
}
