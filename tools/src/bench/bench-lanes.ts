import { createServer, type Server } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type { Envelope } from '@pos/core/webhooks/event';
import { createId } from '@pos/core/identity/ids';
import { createSubscription } from '@pos/payments/webhooks/subscriptions';
import { emit } from '@pos/store/queues/outbox';
import type { BenchWorld } from './bench-world.js';
import { startChild } from './child.js';
import { type LoadComparison, type LoadMeasurement, medianPair, type RoundPair } from './load.js';

/** Ordered deliveries: the worker against the same lane loop that posts unsigned. Both drain prepared deliveries. */
export async function benchLanes(
  bench: BenchWorld,
  options: { readonly inFlights: readonly number[]; readonly deliveries: number; readonly turns: number },
): Promise<LoadComparison[]> {
  const receiver = await openReceiver(bench);
  const { database, scope, world } = bench;
  const url = `https://127.0.0.1:${bench.ports.receiver}/`;
  await database.transact(scope, (tx) =>
    createSubscription(tx, { events: ['terminal_session.status_updated'], url, description: 'bench' }),
  );
  const worker = world.app('webhook-worker');
  const results: LoadComparison[] = [];
  try {
    for (const inFlight of options.inFlights) {
      const pairs: RoundPair[] = [];
      for (let turn = 0; turn < options.turns; turn += 1) {
        const floor = await drainLanes(bench, receiver, {
          ...options,
          inFlight,
          start: () => startFloor(bench, inFlight),
        });
        const ours = await drainLanes(bench, receiver, {
          ...options,
          inFlight,
          start: async () => {
            worker.start({ DELIVERY_CONCURRENCY: String(inFlight) });
            await worker.untilReady();
            return () => worker.stop();
          },
        });
        pairs.push({ ours, floor });
      }
      results.push(medianPair(pairs));
    }
  } finally {
    receiver.close();
    if (!worker.isRunning) worker.start();
    await worker.untilReady();
  }
  return results;
}

/** Prepares the deliveries while no worker runs, then starts one consumer and measures their arrival. */
async function drainLanes(
  bench: BenchWorld,
  receiver: Receiver,
  {
    deliveries,
    inFlight,
    start,
  }: { readonly deliveries: number; readonly inFlight: number; readonly start: () => Promise<() => Promise<void>> },
): Promise<LoadMeasurement> {
  await bench.world.app('webhook-worker').stop();
  receiver.clear();
  const lanes = Array.from({ length: inFlight }, () => createId('terminalSession', 'sandbox', randomBytes(16)));
  for (let sent = 0; sent < deliveries; sent += BATCH) {
    await bench.database.transact(bench.scope, async (tx) => {
      for (let place = sent; place < Math.min(sent + BATCH, deliveries); place += 1) {
        const lane = lanes[place % lanes.length];
        if (lane === undefined) continue;
        await emit(tx, buildEnvelope(await tx.newId('event'), lane, bench.scope.accountId), { laneKey: lane });
      }
    });
  }
  const stop = await start();
  while (receiver.arrivals.length < deliveries) await pause(5);
  await stop();
  const times = receiver.arrivals.map(({ atMs }) => atMs);
  const elapsedMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const gaps = receiver.gapsMs();
  return {
    inFlight,
    perSecond: ((deliveries - 1) * 1000) / elapsedMs,
    p50Ms: gaps[Math.floor(gaps.length * 0.5)] ?? Number.NaN,
    p99Ms: gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN,
    failures: 0,
  };
}

const BATCH = 100;

async function startFloor(bench: BenchWorld, inFlight: number): Promise<() => Promise<void>> {
  const { world } = bench;
  const child = await startChild(
    'floor-lanes.js',
    {
      DATABASE_URL: world.databaseUrl,
      ENCRYPTION_KEY: world.secrets.encryptionKey,
      KEY_PEPPER: world.secrets.keyPepper,
      CA_FILE: world.certificates.caFile,
      LANES: String(inFlight),
    },
    () => Promise.resolve(true),
  );
  return () => child.stop();
}

interface Receiver {
  readonly arrivals: readonly { readonly lane: string; readonly atMs: number }[];
  /** Between neighbours of one lane, sorted. */
  gapsMs(): number[];
  clear(): void;
  close(): void;
}

async function openReceiver({ world, ports }: BenchWorld): Promise<Receiver> {
  let arrivals: { lane: string; atMs: number }[] = [];
  const server: Server = createServer(world.certificates, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { data: { terminalSessionId: string } };
      arrivals.push({ lane: body.data.terminalSessionId, atMs: performance.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(ports.receiver, '127.0.0.1', resolve));
  return {
    get arrivals() {
      return arrivals;
    },
    gapsMs: () => {
      const last = new Map<string, number>();
      const gaps: number[] = [];
      for (const { lane, atMs } of arrivals) {
        const before = last.get(lane);
        if (before !== undefined) gaps.push(atMs - before);
        last.set(lane, atMs);
      }
      return gaps.sort((first, second) => first - second);
    },
    clear: () => {
      arrivals = [];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function buildEnvelope(id: Envelope['id'], lane: `ts_${string}`, accountId: Envelope['accountId']): Envelope {
  const at = new Date().toISOString();
  return {
    id,
    event: 'terminal_session.status_updated',
    accountId,
    createdAt: at,
    data: {
      terminalSessionId: lane,
      state: 'Initiated',
      terminalId: 'tm_sandbox_000000000000000000000000',
      createdAt: at,
      updatedAt: at,
      expireAt: at,
      sessionType: 'Sale',
    },
  };
}
