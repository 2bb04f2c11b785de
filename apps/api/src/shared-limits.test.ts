import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKeyText } from '@pos/core/ids';
import { CuttableLine } from '@pos/service-kit/testing-line';
import { randomBytes } from 'node:crypto';
import type { RunningApi } from './boot.js';
import { ApiWorld } from './testing.js';

const PROCESSES = 4;
const WAVES = 12;
const CALLS_OF_A_WAVE = 3;
/** On a machine that is very busy the database may answer too late; the log says so, and then nothing is shared. */
const TRIES_MAX = 10;
const LIMIT_MS = 120_000;

let world: ApiWorld;
let line: CuttableLine;
/** Four processes on one database. */
let apis: readonly RunningApi[];

beforeAll(async () => {
  line = await CuttableLine.open();
  world = await ApiWorld.open({}, (url) => line.to(url));
  apis = [world.api, ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => world.another())))];
});
afterAll(async () => {
  await Promise.all(apis.slice(1).map((api) => api.close()));
  await world.close();
  await line.close();
});

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends far more than any limit to all processes, and returns how many got which status, and the longest `retry-after`. */
async function flood(to: readonly RunningApi[], askedOf: (call: number) => Asked) {
  const startedMs = performance.now();
  const statuses: Record<number, number> = {};
  const waits = new Set<string | null>();
  let call = 0;
  const send = async (api: RunningApi): Promise<void> => {
    const { path, headers } = askedOf((call += 1));
    const response = await fetch(`${api.url}${path}`, { headers: { version: '2026-02-27', ...headers } });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status === 429) waits.add(response.headers.get('retry-after'));
  };
  for (let wave = 0; wave < WAVES; wave += 1) {
    await Promise.all(to.flatMap((api) => Array.from({ length: CALLS_OF_A_WAVE }, () => send(api))));
  }
  return { statuses, waits, seconds: (performance.now() - startedMs) / 1000 };
}

const from = (call: number): string => `10.9.${call >> 8}.${call & 255}`;

/** Floods again, with something else that is limited, until no process had to count alone. */
async function floodTogether(make: () => Promise<(call: number) => Asked> | ((call: number) => Asked)) {
  for (let tries = 1; ; tries += 1) {
    const askedOf = await make();
    const linesBefore = world.lines.length;
    const flooded = await flood(apis, askedOf);
    const isTogether = !world.lines.slice(linesBefore).some((line) => line.includes('"rate_limits.counted_alone"'));
    if (isTogether) return flooded;
    if (tries === TRIES_MAX) throw new Error('the database never answered in time');
  }
}

test(
  'one intent has its 60 calls, and one more each second, over all processes',
  async () => {
    const { statuses, waits, seconds } = await floodTogether(async () => {
      const { id } = await world.intent();
      return (call) => ({ path: `/payment-intents/public/${id}`, headers: { 'x-forwarded-for': from(call) } });
    });
    const passed = statuses[200] ?? 0;
    expect(passed + (statuses[429] ?? 0)).toBe(WAVES * CALLS_OF_A_WAVE * PROCESSES);
    expect(passed).toBeGreaterThanOrEqual(0.8 * 60);
    expect(passed).toBeLessThanOrEqual(1.2 * (60 + seconds));
    expect([...waits].every((wait) => Number(wait) >= 1)).toBe(true);
  },
  LIMIT_MS,
);

test(
  'an address has its 50 unknown keys looked up, and one more each second, over all processes',
  async () => {
    let address = 0;
    const { statuses, waits, seconds } = await floodTogether(() => {
      const forwarded = { 'x-forwarded-for': `203.0.113.${(address += 1)}` };
      return () => {
        const authorization = `Basic ${newKeyText('sandbox', randomBytes(32))}`;
        return { path: '/webhooks', headers: { ...forwarded, authorization } };
      };
    });
    const passed = statuses[401] ?? 0;
    expect(passed + (statuses[429] ?? 0)).toBe(WAVES * CALLS_OF_A_WAVE * PROCESSES);
    expect(passed).toBeGreaterThanOrEqual(0.8 * 50);
    expect(passed).toBeLessThanOrEqual(1.2 * (50 + seconds));
    expect([...waits].every((wait) => Number(wait) >= 1)).toBe(true);
  },
  LIMIT_MS,
);

test('a process without its database limits by itself, and fails no call for it', async () => {
  const { id } = await world.intent();
  line.cut();
  const { statuses, seconds } = await flood([world.api], () => ({
    path: `/payment-intents/public/${id}`,
    headers: { 'x-forwarded-for': '198.51.100.2' },
  }));
  line.mend();
  const passed = statuses[503] ?? 0;
  expect(passed + (statuses[429] ?? 0)).toBe(WAVES * CALLS_OF_A_WAVE);
  expect(passed).toBeGreaterThanOrEqual(20);
  expect(passed).toBeLessThanOrEqual(20 + 10 * seconds);
  expect(world.lines.filter((each) => each.includes('"rate_limits.counted_alone"'))).not.toEqual([]);
});
