import { EPOS_CAPABILITIES } from '@pos/core/tables/epos-capability';
import type { EposSimulator } from '@pos/sandbox/epos-simulator/epos-simulator';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestBench } from '../test-bench/bench.js';
import { evaluateFailures } from '../clause-coverage/expected-failures.js';
import type { Flow } from '../scene/flow.js';
import { type FlowSelection, type FlowRecord, runFlows } from '../clause-coverage/group.js';
import { createReferenceRequest } from '../test-bench/reference-request.js';
import { readParams } from '../scene/run-params.js';
import { GROUP_TRANSPORTS, type GroupTransport, findUnsupportedReason } from '../clause-coverage/transports.js';
import type { ZooMember } from './zoo-member.js';
import type { Alarm, CaughtMember, ZooRestaurant, ZooVisit, ZooRecord } from './zoo-record.js';

/** The members under test, and the flows. */
export interface ZooTour {
  readonly houses: readonly ZooRestaurant[];
  readonly flows: readonly Flow[];
  /** How many EPOSes are tested at a time. */
  readonly lanes: number;
  readonly onVisit?: (visit: ZooVisit) => void;
}

/** Like an EPOS partner would choose them: a tip, and locks that expire during the run. */
const PARAMS: Readonly<Record<string, unknown>> = { gratuity: 50, lockSeconds: 1, waitSeconds: 2, timeoutSeconds: 120 };
const CONNECT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * Plays the flows at the correct EPOS over every transport, and then at each member until a check names a clause that
 * the member breaks. A failure at the correct EPOS is a false alarm, and catches no member over this transport.
 */
export async function runZoo(bench: TestBench, tour: ZooTour): Promise<ZooRecord> {
  const { houses, flows, lanes, onVisit } = tour;
  const ways = GROUP_TRANSPORTS.filter((each) => houses.some(({ transports }) => transports.includes(each)));
  const correctSelections = new Map<GroupTransport, readonly FlowSelection[]>();
  const alarms = await runInLanes(
    ways.map((transport) => async () => {
      const chosen = listRunnableFlows(flows, transport);
      const records = await withMemberEpos(bench, { transport, broken: null }, (play) => runFlows(chosen, { play }));
      const red = records.filter(({ status }) => status !== 'SUCCESS');
      correctSelections.set(
        transport,
        chosen.filter(({ flow }) => !red.some((record) => record.flow === flow.name)),
      );
      return red.map(getAlarm);
    }),
    lanes,
  );
  const visits = houses.flatMap(({ contract, members, transports }) =>
    members.flatMap((member) =>
      (member.over ?? transports).map((transport) => async (): Promise<ZooVisit> => {
        const chosen = correctSelections.get(transport) ?? [];
        const visit = {
          contract,
          epos: member.epos,
          transport,
          ...(await runMember(bench, { member, transport, chosen })),
        };
        onVisit?.(visit);
        return visit;
      }),
    ),
  );
  return { alarms: alarms.flat(), visits: await runInLanes(visits, lanes) };
}

/** Plays flows at a broken EPOS until it is caught, or none is left. */
function runMember(
  bench: TestBench,
  at: { readonly member: ZooMember; readonly transport: GroupTransport; readonly chosen: readonly FlowSelection[] },
): Promise<Pick<ZooVisit, 'caught' | 'reported'>> {
  const { member, transport, chosen } = at;
  const named: ReadonlySet<string> = new Set([member.clause, ...(member.also ?? [])]);
  return withMemberEpos(bench, { transport, broken: member.broken }, async (play) => {
    const reported = new Set<string>();
    // The flow for this defect comes first, only to save time.
    const own = chosen.filter(({ flow }) => flow.name === member.flow);
    for (const each of new Set([...own, ...chosen])) {
      const [record] = await runFlows([each], { play });
      const failed = record === undefined ? [] : listFailedChecks(record);
      const caught = failed.find(({ clause }) => named.has(clause)) ?? null;
      if (caught !== null) return { caught, reported: [...reported] };
      for (const { clause } of failed) reported.add(clause);
    }
    return { caught: null, reported: [...reported] };
  });
}

type PlayFlow = ReturnType<TestBench['playerOf']>;

/** Opens a restaurant for one transport, breaks its EPOS, and removes it again. */
async function withMemberEpos<T>(
  bench: TestBench,
  epos: { readonly transport: GroupTransport; readonly broken: ((eposSimulator: EposSimulator) => void) | null },
  runMember: (play: PlayFlow) => Promise<T>,
): Promise<T> {
  const { transport, broken } = epos;
  const enrolled = await bench.enroll(createReferenceRequest(bench, { transport, currencyCode: 'GBP' }));
  try {
    const endsAtMs = performance.now() + CONNECT_MS_MAX;
    // A restaurant that is called over REST also opens a socket, which some flows need.
    const line = transport === 'rest' ? 'ws' : transport;
    while (!(await bench.isConnected(enrolled, line))) {
      if (performance.now() > endsAtMs) throw new Error(`an EPOS of the zoo did not connect over ${transport}`);
      await pause(LOOK_EVERY_MS);
    }
    const eposSimulator = enrolled.place.epos;
    if (eposSimulator === null) throw new Error('a restaurant of the zoo has no EPOS');
    broken?.(eposSimulator);
    return await runMember(bench.playerOf(enrolled));
  } finally {
    bench.dismiss(enrolled);
  }
}

function listRunnableFlows(flows: readonly Flow[], transport: GroupTransport): FlowSelection[] {
  const served = { transports: new Set(GROUP_TRANSPORTS), capabilities: new Set(EPOS_CAPABILITIES) };
  return flows.flatMap((flow) => {
    if (findUnsupportedReason(flow, transport, served) !== null) return [];
    const params = Object.entries(PARAMS).filter(([name]) => flow.params.some((each) => each.name === name));
    return [{ transport, flow, params: readParams(flow.params, Object.fromEntries(params)), whyNot: null }];
  });
}

function listFailedChecks({ flow, steps }: FlowRecord): CaughtMember[] {
  return steps.flatMap(({ name, checks }) =>
    checks.filter(({ holds }) => !holds).map(({ clause }) => ({ flow, step: name, clause })),
  );
}

function getAlarm(record: FlowRecord): Alarm {
  return { transport: record.transport, flow: record.flow, because: evaluateFailures(record, []).because };
}

/** Does all of the work, this much of it at a time; returns the results in the order of the work. */
async function runInLanes<T>(work: readonly (() => Promise<T>)[], lanes: number): Promise<T[]> {
  const done = new Map<number, T>();
  const waiting = work.entries();
  const lane = async (): Promise<void> => {
    for (const [index, each] of waiting) done.set(index, await each());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return [...done].sort(([one], [other]) => one - other).map(([, result]) => result);
}
