import { Pool } from 'undici';
import { lockRecordUnlock, buildMetadata, openTables } from './bench-grpc.js';
import { createAndFetch, createHeaders } from './bench-http.js';
import type { BenchWorld } from './bench-world.js';
import { compare, type LoadComparison, type LoadRound, type LoadWay, warmUp } from './load/load.js';
import { LockWaitSampler, type LockWaits } from './load/lock-waits.js';

/** Two processes of an app on one database, against one of them. `ours` is the two. */
export interface ProcessComparison {
  readonly load: LoadComparison;
  /** The mean number of sessions that wait for a row lock. */
  readonly lockWaits: LockWaits;
}

/** Of the api and of the gateway. */
export interface ProcessFindings {
  readonly http: readonly ProcessComparison[];
  readonly grpc: readonly ProcessComparison[];
}

interface Options {
  readonly inFlights: readonly number[];
  readonly forMs: number;
  readonly turns: number;
}

/**
 * Two processes that serve the same load in turns, against one. They share only the database, so their processor time
 * for each round and the waits for row locks show what a second process costs where the machine has no core for it.
 */
export async function benchProcesses(bench: BenchWorld, options: Options): Promise<ProcessFindings> {
  const { world, account } = bench;
  const [api, gateway] = await bench.startSecondProcesses();
  const connections = Math.max(...options.inFlights);
  const pools = [world.addresses.api[0], api.url].map((url = '') => new Pool(url, { connections }));
  const clients = [world.addresses.gatewayGrpc[0], gateway.url].map((address = '') => openTables(address));
  const headers = createHeaders(account.keys.full);
  const metadata = buildMetadata(account.keys.device);
  const payments = await bench.recordablePayments();
  try {
    const http = pools.map((pool) => createAndFetch(pool, headers));
    const grpc = clients.map((client) => lockRecordUnlock(client, { metadata, payments }));
    return {
      http: await compareProcesses(bench, options, { rounds: http, apps: ['api', api.name] }),
      grpc: await compareProcesses(bench, options, { rounds: grpc, apps: ['pay-at-table-gateway', gateway.name] }),
    };
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
    for (const client of clients) client.close();
    await bench.stopSecondProcesses();
  }
}

async function compareProcesses(
  bench: BenchWorld,
  options: Options,
  { rounds, apps }: { readonly rounds: readonly LoadRound[]; readonly apps: readonly string[] },
): Promise<ProcessComparison[]> {
  const { world } = bench;
  const sampler = new LockWaitSampler((text) => bench.database.dataSource.query(text));
  const createWay = (side: keyof LockWaits, count: number): LoadWay => ({
    round: (number) => {
      sampler.side = side;
      return rounds[number % count]?.(number) ?? Promise.reject(new Error('there is no such process'));
    },
    meter: bench.createMeter(...apps.slice(0, count).map((name) => ({ name, pid: world.app(name).pid }))),
  });
  const ways = { ours: createWay('ours', rounds.length), floor: createWay('floor', 1) };
  await warmUp(ways, { inFlight: Math.max(...options.inFlights), forMs: options.forMs });
  await bench.settle();
  const results: ProcessComparison[] = [];
  for (const inFlight of options.inFlights) {
    sampler.start();
    const load = await compare(ways, { ...options, inFlight, warmUpMs: 1_000 });
    results.push({ load, lockWaits: await sampler.stop() });
  }
  return results;
}
