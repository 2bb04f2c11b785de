import { addCollector, defineGauge } from '@pos/service-kit/metrics';
import type { ConnectionKind } from '@pos/store/connections';

const CONNECTIONS = defineGauge({
  name: 'pos_connections',
  help: 'Open connections of card machines and EPOSes that this gateway holds, by kind.',
  labels: ['kind'],
});

const KINDS: readonly ConnectionKind[] = ['machine', 'epos-grpc-stream', 'tables-ws', 'epos-ws'];

/** Counts the connections at every scrape, until the returned function is called. */
export function collectConnections(countByKind: () => ReadonlyMap<ConnectionKind, number>): () => void {
  return addCollector(() => {
    const counts = countByKind();
    for (const kind of KINDS) CONNECTIONS.set({ kind }, counts.get(kind) ?? 0);
  });
}
