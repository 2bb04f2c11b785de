import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createId } from '@pos/core/ids';
import type { Envelope } from '@pos/core/webhooks';
import { createSubscription } from '@pos/payments/webhooks';
import { emit } from '@pos/store/queues';
import { compareWithBlockedLane } from './bench-blocked-lane.js';
import type { BenchWorld } from './bench-world.js';
import { startChild } from './load/child.js';
import { type LaneReceiver, openLaneReceiver } from './lane-receiver.js';
import { type LoadComparison, type LoadMeasurement, medianPair, percentile, type RoundPair } from './load/load.js';
import { dividePassedTime, type MeteredProcess, type ProcessorMeter } from '../processes/processor-time.js';

type TerminalSessionId = `ts_${string}`;

/** How long a webhook takes from the commit of its event until its receiver has it, at a steady rate. */
export interface DeliveryLatency {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The deliveries of a run: as fast as possible, and at half that rate. */
export interface LaneFindings {
  readonly drained: readonly LoadComparison[];
  readonly halfLoad: { readonly ours: DeliveryLatency; readonly floor: DeliveryLatency };
  /** The worker beside a blocked lane, against the worker without one. */
  readonly besideBlocked: LoadComparison;
}

interface LaneOptions {
  readonly inFlights: readonly number[];
  readonly deliveries: number;
  readonly turns: number;
}

/** Ordered deliveries: the worker against the same lane loop that posts unsigned. Both are warm when it starts. */
export async function benchLanes(bench: BenchWorld, options: LaneOptions): Promise<LaneFindings> {
  const receiver = await openLaneReceiver(bench);
  const { database, scope, world } = bench;
  await database.transact(scope, (tx) =>
    createSubscription(tx, { events: [KIND], url: receiver.url, description: 'bench' }),
  );
  const worker = world.app('webhook-worker');
  await worker.stop();
  const sides = (inFlight: number) => ({
    floor: { start: () => startFloor(bench, inFlight) },
    ours: {
      start: async () => {
        worker.start({ DELIVERY_CONCURRENCY: String(inFlight) });
        await worker.untilReady();
        return { meter: bench.ourMeter, stop: () => worker.stop() };
      },
    },
  });
  const drained: LoadComparison[] = [];
  try {
    for (const inFlight of options.inFlights) {
      const pairs: RoundPair[] = [];
      const { floor, ours } = sides(inFlight);
      for (let turn = 0; turn < options.turns; turn += 1) {
        const drain = { ...options, inFlight };
        const floorRun = await drainLanes(bench, receiver, { ...drain, ...floor });
        pairs.push({ floor: floorRun, ours: await drainLanes(bench, receiver, { ...drain, ...ours }) });
      }
      drained.push(medianPair(pairs));
    }
    const halfLoad = await measureHalfLoad(bench, receiver, { options, sides });
    // Last: the lane stays blocked.
    const inFlight = chooseInFlight(options);
    const besideBlocked = await compareWithBlockedLane(bench, receiver, {
      turns: options.turns,
      drain: () => drainLanes(bench, receiver, { ...options, inFlight, ...sides(inFlight).ours }),
      createEnvelope: (id, lane) => buildEnvelope(id, lane, scope.accountId),
    });
    return { drained, halfLoad, besideBlocked };
  } finally {
    receiver.close();
    if (!worker.isRunning) worker.start();
    await worker.untilReady();
  }
}

/** A consumer of lanes that runs. */
interface Consumer {
  readonly meter: ProcessorMeter;
  readonly stop: () => Promise<void>;
}

interface Side {
  readonly start: () => Promise<Consumer>;
}

/** Warms one consumer up, then commits all deliveries at once and measures their arrival. */
async function drainLanes(
  bench: BenchWorld,
  receiver: LaneReceiver,
  { deliveries, inFlight, start }: { readonly deliveries: number; readonly inFlight: number } & Side,
): Promise<LoadMeasurement> {
  const { meter, stop } = await start();
  const lanes = createLanes(inFlight);
  try {
    await deliver(bench, receiver, { lanes, deliveries: WARM_UP_DELIVERIES });
    await bench.settle();
    const before = meter.read();
    await deliver(bench, receiver, { lanes, deliveries });
    const processor = dividePassedTime(before, meter.read(), deliveries);
    const times = receiver.arrivals.map(({ atMs }) => atMs);
    const elapsedMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    const gaps = receiver.gapsMs();
    return {
      inFlight,
      perSecond: ((deliveries - 1) * 1000) / elapsedMs,
      p50Ms: percentile(gaps, 0.5),
      p99Ms: percentile(gaps, 0.99),
      failures: 0,
      processor,
    };
  } finally {
    await stop();
  }
}

const KIND = 'terminal_session.status_updated';
/** Node has compiled the code of a delivery after about as many. */
const WARM_UP_DELIVERIES = 1_000;
/** Events that are committed together. */
const BATCH = 10;

/** Commits events of the lanes in one transaction; resolves when all have arrived. */
async function deliver(
  { database, scope }: BenchWorld,
  receiver: LaneReceiver,
  { lanes, deliveries }: { readonly lanes: readonly TerminalSessionId[]; readonly deliveries: number },
): Promise<void> {
  receiver.clear();
  await database.transact(scope, async (tx) => {
    for (let place = 0; place < deliveries; place += 1) {
      const lane = lanes[place % lanes.length];
      if (lane !== undefined) {
        await emit(tx, buildEnvelope(await tx.newId('event'), lane, scope.accountId), { laneKey: lane });
      }
    }
  });
  while (receiver.arrivals.length < deliveries) await pause(5);
}

const TYPICAL_IN_FLIGHT = 16;

function chooseInFlight({ inFlights }: LaneOptions): number {
  return inFlights.includes(TYPICAL_IN_FLIGHT) ? TYPICAL_IN_FLIGHT : Math.max(...inFlights);
}

/**
 * The time from commit to accept at half the rate that who commits and the consumer reach together: a rate that the
 * consumer reaches alone leaves no processor for the commits.
 */
async function measureHalfLoad(
  bench: BenchWorld,
  receiver: LaneReceiver,
  {
    options,
    sides,
  }: {
    readonly options: LaneOptions;
    readonly sides: (inFlight: number) => Readonly<Record<'ours' | 'floor', Side>>;
  },
): Promise<LaneFindings['halfLoad']> {
  const inFlight = chooseInFlight(options);
  const { deliveries } = options;
  const measureSide = async (side: 'ours' | 'floor'): Promise<DeliveryLatency> => {
    const { stop } = await sides(inFlight)[side].start();
    try {
      await deliver(bench, receiver, { lanes: createLanes(inFlight), deliveries: WARM_UP_DELIVERIES });
      await bench.settle();
      const lanes = createLanes(inFlight);
      const full = await measureLatency(bench, receiver, { deliveries, lanes, perSecond: Number.POSITIVE_INFINITY });
      return await measureLatency(bench, receiver, { deliveries, lanes, perSecond: full.perSecond / 2 });
    } finally {
      await stop();
    }
  };
  const floor = await measureSide('floor');
  return { floor, ours: await measureSide('ours') };
}

/**
 * Commits a few events at a time, at a steady rate that does not depend on the consumer, or as fast as possible at an
 * infinite rate. The result has the rate of the arrivals.
 */
async function measureLatency(
  { database, scope }: BenchWorld,
  receiver: LaneReceiver,
  {
    deliveries,
    lanes,
    perSecond,
  }: { readonly deliveries: number; readonly lanes: readonly TerminalSessionId[]; readonly perSecond: number },
): Promise<DeliveryLatency> {
  receiver.clear();
  const committedAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  const commitBatch = async (first: number): Promise<void> => {
    await pause(startedAtMs + (first * 1_000) / perSecond - performance.now());
    const ids: string[] = [];
    await database.transact(scope, async (tx) => {
      const places = Array.from({ length: BATCH }, (_, index) => first + index);
      // In the order of their lanes, so that no two transactions wait for each other.
      for (const lane of places.map((place) => lanes[place % lanes.length]).sort()) {
        const id = await tx.newId('event');
        ids.push(id);
        if (lane !== undefined) await emit(tx, buildEnvelope(id, lane, scope.accountId), { laneKey: lane });
      }
    });
    const nowMs = performance.now();
    for (const id of ids) committedAtMs.set(id, nowMs);
  };
  const batches = Array.from({ length: Math.floor(deliveries / BATCH) }, (_, index) => commitBatch(index * BATCH));
  await Promise.all(batches);
  while (receiver.arrivals.length < committedAtMs.size) await pause(5);
  const tookMs = receiver.arrivals.map(({ eventId, atMs }) => atMs - (committedAtMs.get(eventId) ?? Number.NaN));
  // An event may arrive before the answer to its COMMIT.
  const sorted = tookMs.map((ms) => Math.max(0, ms)).sort((first, second) => first - second);
  const elapsedMs = Math.max(...receiver.arrivals.map(({ atMs }) => atMs)) - startedAtMs;
  const reached = (receiver.arrivals.length * 1_000) / elapsedMs;
  return { perSecond: reached, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

function createLanes(count: number): TerminalSessionId[] {
  return Array.from({ length: count }, () => createId('terminalSession', 'sandbox', randomBytes(16)));
}

async function startFloor(bench: BenchWorld, inFlight: number): Promise<Consumer> {
  const { world } = bench;
  const child = await startChild(
    'floors/floor-lanes.js',
    {
      DATABASE_URL: world.appsDatabaseUrl,
      ENCRYPTION_KEY: world.secrets.encryptionKey,
      KEY_PEPPER: world.secrets.keyPepper,
      CA_FILE: world.certificates.caFile,
      LANES: String(inFlight),
    },
    () => Promise.resolve(true),
  );
  const metered: MeteredProcess = { name: 'floor', pid: child.pid };
  return { meter: bench.createMeter(metered), stop: () => child.stop() };
}

function buildEnvelope(id: Envelope['id'], lane: TerminalSessionId, accountId: Envelope['accountId']): Envelope {
  const at = new Date().toISOString();
  return {
    id,
    event: KIND,
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
