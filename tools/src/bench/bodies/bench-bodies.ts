import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorld, type DevWorld } from '../../dev/world.js';
import { BODY_APPS, type BodyApp, type BodyOperation, listBodyOperations } from './body-operations.js';
import { BodyTraffic, UNLIMITED } from './body-traffic.js';
import { rankBodies } from './ranked-bodies.js';
import { type StallMeter, startStallWatch, type StallWatch } from '../load/stall-meter.js';
import type { WorstBody } from './worst-bodies.js';

// How long the worst bodies of each operation block the event loop of an app. Run it by `pnpm bench:bodies`, with a
// word to measure only operations whose names contain it.

const AIM_MS = 50;
const MOST_MS = 200;
/** This many accepted and this many refused bodies of each operation. */
const WORST_COUNT = 20;
/** A body above the aim is sent again, and its shortest stall counts: the machine has other work, too. */
const TURNS_MAX = 5;
const GROWTH_MEGABYTES_MAX = 150;
/** Each of these takes seconds of simulated days with any body. */
const FEW: ReadonlyMap<string, number> = new Map([['advanceClock', 2]]);
const ACCEPTED = 'accepted' as const;
const REFUSED = 'refused' as const;
const SHOWN = 15;

interface EventLoopStall {
  readonly operation: string;
  readonly body: string;
  readonly kind: typeof ACCEPTED | typeof REFUSED;
  readonly status: number;
  readonly ms: number;
}

await main(process.argv[2] ?? '');

async function main(wanted: string): Promise<void> {
  const startedAt = performance.now();
  const watch = await startStallWatch();
  const env = { ...UNLIMITED, '*': { ...UNLIMITED['*'], ...watch.env } };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-bodies-'));
  const world = await startWorld({ dataDir, ports: 'free', restaurants: 2, durable: false, env });
  try {
    const meters = await getMeters(world, watch);
    const traffic = await BodyTraffic.open(world);
    const operations = listBodyOperations().filter(({ operation }) => operation.id.includes(wanted));
    // Code that has not run yet is slow, and memory that was not used yet is not resident.
    for (const each of operations) await measure(each, { traffic, meters, count: 1 });
    const before = await computeRest(meters);
    const stalls: EventLoopStall[] = [];
    for (const each of operations) {
      const found = await measure(each, { traffic, meters, count: WORST_COUNT });
      stalls.push(...found);
      console.log(getLine(each, found));
    }
    report(stalls, { before, after: await computeRest(meters) });
    console.log(`${stalls.length} bodies in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  } finally {
    await watch.close();
    await world.remove();
  }
}

type Meters = ReadonlyMap<BodyApp, StallMeter>;

async function getMeters(world: DevWorld, watch: StallWatch): Promise<Meters> {
  const meters = BODY_APPS.map(async (app) => [app, await watch.meterOf(world.app(app).pid ?? 0)] as const);
  return new Map(await Promise.all(meters));
}

interface Bench {
  readonly traffic: BodyTraffic;
  readonly meters: Meters;
  readonly count: number;
}

async function measure(wanted: BodyOperation, bench: Bench): Promise<EventLoopStall[]> {
  const { accepted, refused } = rankBodies(wanted.schema, WORST_COUNT);
  const { id } = wanted.operation;
  const bodies = [
    ...accepted
      .slice(0, Math.min(bench.count, FEW.get(id) ?? bench.count))
      .map((body) => ({ body, kind: ACCEPTED }) as const),
    ...refused.slice(0, bench.count).map((body) => ({ body, kind: REFUSED }) as const),
  ];
  const stalls: EventLoopStall[] = [];
  for (const body of bodies) stalls.push(await computeStall(wanted, body, bench));
  return stalls.sort((one, other) => other.ms - one.ms);
}

async function computeStall(
  wanted: BodyOperation,
  { body, kind }: { readonly body: WorstBody; readonly kind: EventLoopStall['kind'] },
  { traffic, meters }: Bench,
): Promise<EventLoopStall> {
  const meter = meters.get(wanted.app);
  if (meter === undefined) throw new Error(`${wanted.app} is not measured`);
  let shortest = Infinity;
  let status = 0;
  for (let turn = 0; turn < TURNS_MAX && shortest > AIM_MS; turn += 1) {
    const send = await traffic.prepare(wanted);
    await meter.read();
    ({ status } = await send(body.json));
    shortest = Math.min(shortest, (await meter.read()).stallMs);
  }
  return { operation: nameOf(wanted), body: body.name, kind, status, ms: shortest };
}

function nameOf({ app, operation, release }: BodyOperation): string {
  return `${app} ${operation.id}${operation.version === 'none' ? '' : ` ${release}`}`;
}

function getLine(wanted: BodyOperation, stalls: readonly EventLoopStall[]): string {
  const [worst] = stalls;
  if (worst === undefined) return `${nameOf(wanted)}: no bodies`;
  const statuses = [...new Set(stalls.map(({ status }) => status))].sort().join(' ');
  return `${nameOf(wanted)}: ${formatValue(worst)}; ${stalls.length} bodies, answered ${statuses}`;
}

function formatValue({ ms, kind, status, body }: EventLoopStall): string {
  const verdict = ms > MOST_MS ? ' TOO LONG' : ms > AIM_MS ? ' above the aim' : '';
  return `${ms.toFixed(1)} ms${verdict}, ${kind} (${status}): ${body}`;
}

async function computeRest(meters: Meters): Promise<ReadonlyMap<BodyApp, number>> {
  const sizes = [...meters].map(async ([app, meter]) => [app, (await meter.rest()).rssMegabytes] as const);
  return new Map(await Promise.all(sizes));
}

/** Operations that admit no request, so that the cost of their bodies is not known. */
function countRefused(stalls: readonly EventLoopStall[]): string[] {
  const letIn = new Set(
    stalls.filter(({ status }) => status !== 401 && status !== 403).map(({ operation }) => operation),
  );
  return [...new Set(stalls.map(({ operation }) => operation))].filter((operation) => !letIn.has(operation));
}

function report(
  stalls: readonly EventLoopStall[],
  { before, after }: { readonly before: ReadonlyMap<BodyApp, number>; readonly after: ReadonlyMap<BodyApp, number> },
): void {
  const worst = [...stalls].sort((one, other) => other.ms - one.ms).slice(0, SHOWN);
  console.log('\nThe longest stalls:');
  for (const stall of worst) console.log(`  ${stall.operation}: ${formatValue(stall)}`);
  console.log('Resident memory at rest, before and after:');
  const grown = BODY_APPS.filter((app) => {
    const [from = 0, to = 0] = [before.get(app), after.get(app)];
    console.log(`  ${app}: ${from.toFixed(0)} MB, ${to.toFixed(0)} MB`);
    return to - from > GROWTH_MEGABYTES_MAX;
  });
  const failures = stalls.filter(({ status }) => status === 500);
  for (const { operation, body } of failures) console.log(`ANSWERED 500: ${operation}: ${body}`);
  const refused = countRefused(stalls);
  for (const operation of refused) console.log(`ANSWERED ONLY 401 OR 403, so no body was checked: ${operation}`);
  const isTooSlow = (worst[0]?.ms ?? 0) > MOST_MS;
  if (isTooSlow || grown.length + failures.length + refused.length > 0) process.exitCode = 1;
}
