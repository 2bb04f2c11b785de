import { loadavg } from 'node:os';
import { findEtcd } from './etcd/bench-etcd.js';
import { benchEtcdComparison } from './bench-grpc.js';
import { compareCreateAndFetch } from './bench-http.js';
import { type BenchWorld, startBenchWorld } from './bench-world.js';
import type { LoadComparison } from './load/load.js';
import { installPeer, PEERS_FOLDER } from './peers/peer-packages.js';
import type { PeerName, PublishedPeer, RunningPeer } from './peers/peer.js';
import type { PeerFindings } from './peers/peers-report.js';
import { STRIPE_MOCK } from './peers/stripe-mock.js';
import { VENDURE } from './peers/vendure.js';
import { findFreePorts } from '@pos/dev-database';

interface Options {
  readonly inFlights: readonly number[];
  readonly forMs: number;
  readonly turns: number;
  readonly say: (line: string) => void;
}

/** A peer that can run on this machine. */
interface ReadyPeer {
  readonly name: PeerName;
  /** Names its rows in the table. */
  readonly what: string;
  /** Resolves to a sentence where the peer does not start. */
  compare(bench: BenchWorld, options: Options): Promise<readonly LoadComparison[] | string>;
}

/**
 * Measures the service and each of these products in turns, on one machine and, where the product has a database, on
 * one server of PostgreSQL. A product that cannot be installed or started is left out.
 */
export async function benchPeers(names: readonly PeerName[], options: Options): Promise<PeerFindings> {
  const ready: ReadyPeer[] = [];
  const leftOut: string[] = [];
  const leaveOut = (sentence: string): void => {
    leftOut.push(sentence);
    options.say(`left out: ${sentence}`);
  };
  for (const name of names) {
    const prepared = await preparePeer(name, options.say);
    if (typeof prepared === 'string') leaveOut(prepared);
    else ready.push(prepared);
  }
  const comparisons: Record<string, readonly LoadComparison[]> = {};
  if (ready.length === 0) return { comparisons, leftOut, load: loadavg()[0] ?? Number.NaN };
  const loads: number[] = [];
  const bench = await startBenchWorld(options.say, { hasUnloggedApi: false, hasSecondProcesses: false });
  try {
    for (const peer of ready) {
      options.say(peer.what);
      const compared = await peer.compare(bench, options);
      if (typeof compared === 'string') leaveOut(compared);
      else comparisons[peer.what] = compared;
      loads.push(loadavg()[0] ?? Number.NaN);
    }
  } finally {
    await bench.stop();
  }
  return { comparisons, leftOut, load: loads.reduce((sum, load) => sum + load, 0) / loads.length };
}

const PUBLISHED = { vendure: VENDURE, 'stripe-stateful-mock': STRIPE_MOCK } as const;

/** Installs what a peer needs. Resolves to a sentence where the peer cannot run here. */
async function preparePeer(name: PeerName, say: Options['say']): Promise<ReadyPeer | string> {
  if (name === 'etcd') {
    if (findEtcd() === null) return 'etcd is not installed here (Debian: etcd-server)';
    return { name, what: 'lock + record + unlock, gRPC, against etcd', compare: compareWithEtcd };
  }
  const peer = PUBLISHED[name];
  say(`installing ${name} ${peer.version}, unless it is installed`);
  const installation = await installPeer(peer, PEERS_FOLDER);
  if ('reason' in installation) return installation.reason;
  return {
    name,
    what: `create + fetch of an intent, HTTP, against ${peer.comparedWith}`,
    compare: (bench, options) => compareWithPublished(bench, { peer, folder: installation.folder }, options),
  };
}

async function compareWithEtcd(bench: BenchWorld, options: Options): Promise<readonly LoadComparison[]> {
  return (await benchEtcdComparison(bench, { ...options, hasRelay: false }))?.gateway ?? [];
}

/** Longer than that of a floor: after ten seconds, the rounds of a peer still became faster. */
const WARM_UP_MS = 20_000;

async function compareWithPublished(
  bench: BenchWorld,
  { peer, folder }: { readonly peer: PublishedPeer; readonly folder: string },
  options: Options,
): Promise<readonly LoadComparison[] | string> {
  const [port = 0] = await findFreePorts(1);
  const { ownerDatabaseUrl } = bench.world;
  let running: RunningPeer;
  try {
    running = await peer.start({ folder, port, ownerDatabaseUrl, connections: Math.max(...options.inFlights) });
  } catch (error) {
    return `${peer.name} ${peer.version} does not start: ${error instanceof Error ? error.message : String(error)}`;
  }
  const meter = bench.createMeter({ name: peer.name, pid: running.pid });
  const settle = async (): Promise<void> => {
    await bench.settle();
    await running.settle();
  };
  try {
    const way = { round: running.round, meter };
    return await compareCreateAndFetch(bench, way, { ...options, warmUpForMs: WARM_UP_MS, settle });
  } finally {
    await running.stop();
  }
}
