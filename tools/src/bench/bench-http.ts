import { Pool } from 'undici';
import type { BenchWorld } from './bench-world.js';
import { startChild } from './load/child.js';
import { type LoadComparison, compare, type LoadRound, type LoadWay, warmUp } from './load/load.js';
import type { ProcessorMeter } from '../processes/processor-time.js';

/** Create an intent, then fetch it: the API against bare Fastify with the same rows. */
export async function benchHttp(
  bench: BenchWorld,
  options: { readonly inFlights: readonly number[]; readonly forMs: number; readonly turns: number },
): Promise<LoadComparison[]> {
  const { world, account, ports } = bench;
  const floorUrl = `http://127.0.0.1:${ports.floorHttp}`;
  const floor = await startChild(
    'floors/floor-http.js',
    { DATABASE_URL: world.appsDatabaseUrl, PORT: String(ports.floorHttp), ACCOUNT_ID: account.accountId },
    () =>
      fetch(`${floorUrl}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  const bare = new Pool(floorUrl, { connections: Math.max(...options.inFlights) });
  try {
    const round = createAndFetch(bare, createHeaders(account.keys.full));
    const meter = bench.createMeter({ name: 'floor', pid: floor.pid });
    return await compareCreateAndFetch(bench, { round, meter }, { ...options, settle: () => bench.settle() });
  } finally {
    await bare.close();
    await floor.stop();
  }
}

/**
 * Create an intent, then fetch it: the API against another implementation. `settle` runs between the warm-up and the
 * measurement.
 */
export async function compareCreateAndFetch(
  { world, account, ourMeter }: BenchWorld,
  floor: LoadWay,
  options: {
    readonly inFlights: readonly number[];
    readonly forMs: number;
    readonly turns: number;
    readonly settle: () => Promise<void>;
    /** How long each side runs before the measurement; as long as a turn when left out. */
    readonly warmUpForMs?: number;
  },
): Promise<LoadComparison[]> {
  const connections = Math.max(...options.inFlights);
  const pool = new Pool(world.addresses.api[0] ?? '', { connections });
  try {
    const ways = { ours: { round: createAndFetch(pool, createHeaders(account.keys.full)), meter: ourMeter }, floor };
    await warmUp(ways, { inFlight: connections, forMs: options.warmUpForMs ?? options.forMs });
    await options.settle();
    const results: LoadComparison[] = [];
    for (const inFlight of options.inFlights) {
      results.push(await compare(ways, { ...options, inFlight, warmUpMs: 1_000 }));
    }
    return results;
  } finally {
    await pool.close();
  }
}

/** Create an intent, then fetch it: an API with the activity log against one without it, on one database. */
export async function benchActivityLog(
  bench: BenchWorld,
  options: { readonly inFlights: readonly number[]; readonly forMs: number; readonly turns: number },
): Promise<LoadComparison[]> {
  const { world, account } = bench;
  const connections = Math.max(...options.inFlights);
  const [logged, unlogged] = world.addresses.api.map((url) => new Pool(url, { connections }));
  if (logged === undefined || unlogged === undefined) throw new Error('the world has one api');
  const headers = createHeaders(account.keys.full);
  const meterOf = (name: string): ProcessorMeter => bench.createMeter({ name, pid: world.app(name).pid });
  const ways = {
    ours: { round: createAndFetch(logged, headers), meter: meterOf('api') },
    floor: { round: createAndFetch(unlogged, headers), meter: meterOf('api-2') },
  };
  await warmUp(ways, { inFlight: connections, forMs: options.forMs });
  await bench.settle();
  const results: LoadComparison[] = [];
  for (const inFlight of options.inFlights) {
    results.push(await compare(ways, { ...options, inFlight, warmUpMs: 1_000 }));
  }
  await Promise.all([logged.close(), unlogged.close()]);
  return results;
}

export function createHeaders(key: string): Record<string, string> {
  return { authorization: `Basic ${key}`, version: '2026-02-27', 'content-type': 'application/json' };
}

export function createAndFetch(pool: Pool, headers: Readonly<Record<string, string>>): LoadRound {
  return async (number) => {
    const body = JSON.stringify({ amount: { value: 1250, currencyCode: 'GBP' }, reference: `bench ${number}` });
    const created = await pool.request({ method: 'POST', path: '/payment-intents', headers, body });
    const intent = (await created.body.json()) as { id: string; amount: { value: number } };
    if (created.statusCode !== 200) throw new Error(`create answered ${created.statusCode}`);
    const fetched = await pool.request({ method: 'GET', path: `/payment-intents/${intent.id}`, headers });
    const read = (await fetched.body.json()) as { id: string };
    if (fetched.statusCode !== 200 || read.id !== intent.id) throw new Error(`fetch answered ${fetched.statusCode}`);
  };
}
