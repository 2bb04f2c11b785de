import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { CLAUSE_FLOWS } from './clause-flows.js';
import type { ClauseId } from './clauses.js';
import { coverageOf } from './coverage.js';
import { judge } from './expected-failures.js';
import { FLOWS } from './flows.js';
import { type Chosen, type FlowRecord, playFlows } from './group.js';
import { readParams } from './run-params.js';
import { type Restaurant, TestTown, type Way } from './testing.js';
import { GROUP_TRANSPORTS, type GroupTransport, whyNotOver } from './transports.js';

/** The way of the restaurant that is played over each transport; each has one of its own. */
const WAYS: Readonly<Record<GroupTransport, Way>> = {
  rest: 'data',
  ws: 'data',
  'tables-ws': 'tables-socket',
  'grpc-dialled': 'dialled',
  'grpc-stream': 'stream',
};

/** Two are played at a time: flows mostly wait, but more at once would wait for each other. */
const LANES: readonly (readonly GroupTransport[])[] = [
  ['rest', 'grpc-dialled'],
  ['ws', 'tables-ws', 'grpc-stream'],
];
/** A busy machine is no failure. */
const PATIENT = { timeoutSeconds: 120 };

/** Locks that expire while a test can wait for it. */
const SHORT = new Map<string, Record<string, unknown>>([
  ['lock-expiry', { lockSeconds: 1, waitSeconds: 2 }],
  ['lock-extend', { lockSeconds: 1 }],
]);

const SERVED = {
  data: { transports: new Set(['rest', 'ws'] as const), capabilities: new Set(EPOS_CAPABILITIES) },
  tables: { transports: new Set<GroupTransport>(), capabilities: new Set<never>() },
};

const CHOSEN: readonly Chosen[] = GROUP_TRANSPORTS.flatMap((transport) =>
  FLOWS.map((flow) => ({
    ...{ transport, flow, params: readParams(flow.params, { ...PATIENT, ...SHORT.get(flow.name) }) },
    whyNot: whyNotOver(flow, transport, WAYS[transport] === 'data' ? SERVED.data : SERVED.tables),
  })),
);
const PLAYED = CHOSEN.filter(({ whyNot }) => whyNot === null).map(({ transport, flow }) => [transport, flow.name]);

let town: TestTown;
const restaurants = new Map<GroupTransport, Restaurant>();
const records: FlowRecord[] = [];

beforeAll(async () => {
  town = await TestTown.open();
  for (const transport of GROUP_TRANSPORTS) restaurants.set(transport, await town.restaurant(WAYS[transport]));
  const played = LANES.map(async (lane) => {
    const own: FlowRecord[] = [];
    for (const transport of lane) {
      const play = town.bench.playerOf(restaurants.get(transport)!.enrolled);
      const chosen = CHOSEN.filter((each) => each.transport === transport);
      own.push(...(await playFlows(chosen, { play })));
    }
    return own;
  });
  records.push(...(await Promise.all(played)).flat());
}, 400_000);

afterAll(() => town.close());

describe('the reference EPOS', () => {
  test.each(PLAYED)('reached over %s keeps every clause of %s', (transport, name) => {
    const record = records.find((each) => each.transport === transport && each.flow === name)!;
    expect(judge(record, [])).toMatchObject({ verdict: 'passed', because: [] });
    expect(record.steps.at(-1)?.name).toBe('cleanup');
    expect(record.steps.flatMap(({ checks }) => checks.filter(({ holds }) => !holds))).toEqual([]);
  });

  test.each(GROUP_TRANSPORTS)('is left without a lock by the flows over %s', (transport) => {
    const { epos } = restaurants.get(transport)!.epos;
    expect([...epos.locks(), ...epos.held.list()]).toEqual([]);
  });

  test('is played every flow over some way, and is told why not over the others', () => {
    const names = new Set(PLAYED.map(([, name]) => name));
    expect(FLOWS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
    const skipped = records.filter(({ status }) => status === 'SKIPPED');
    expect(skipped).toHaveLength(CHOSEN.length - PLAYED.length);
    for (const { whyNot } of skipped) expect(whyNot).toMatch(/^[A-Z].{20,200}\.$/);
  });
});

describe('a clause', () => {
  test('is shown by some flow, each of them', () => {
    const gaps = coverageOf(records).filter(({ gap }) => gap !== null);
    expect(gaps.map(({ clause, gap }) => [clause, gap])).toEqual([]);
  });

  test.each(Object.keys(CLAUSE_FLOWS) as ClauseId[])(
    '%s is checked by every flow that is said to show it',
    (clause) => {
      const { flows, by } = CLAUSE_FLOWS[clause];
      const showing = coverageOf(records).find((each) => each.clause === clause)?.shownBy ?? [];
      expect(showing.length).toBeGreaterThan(0);
      if (by !== null) return;
      const able = new Set(showing.map(({ flow }) => flow));
      expect(flows.filter((flow) => !able.has(flow))).toEqual([]);
    },
  );
});

describe('a gateway that cannot be reached', () => {
  test('is passed over for the next one', async () => {
    const restaurant = restaurants.get('grpc-dialled')!;
    const tester = await town.another('127.0.0.1:1');
    const body = { flow: 'ListTables' };
    const { body: id } = await town.request('POST', '/flows', { key: restaurant.testerKey, body, base: tester.url });
    expect((await town.ended(restaurant, id as string)).status).toBe('SUCCESS');
    await tester.close();
  }, 30_000);
});
