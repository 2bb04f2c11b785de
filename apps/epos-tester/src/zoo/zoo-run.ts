import { evaluateFailures } from '@pos/conformance/clause-coverage';
import type { FlowRecord } from '@pos/conformance/records';
import { type Alarm, type CaughtMember, runConcurrently, type ZooRecord, type ZooResult } from '@pos/conformance/zoo';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestBench } from '../test-bench/test-bench.js';
import { EPOS_CATALOGUE } from '../clause-coverage/catalogue.js';
import type { Flow } from '../flow-context/flow.js';
import { type FlowSelection, runFlows } from '../clause-coverage/group.js';
import { createReferenceRequest } from '../test-bench/reference-request.js';
import { readParams } from '../flow-context/run-params.js';
import { GROUP_TRANSPORTS, type GroupTransport, findSkip } from '../clause-coverage/transports.js';
import type { HonestTill, ZooMember, ZooRestaurant } from './zoo-member.js';

/** The members under test, and the flows. */
export interface ZooRun {
  readonly restaurants: readonly ZooRestaurant[];
  readonly tills?: readonly HonestTill[];
  readonly flows: readonly Flow[];
  /** The number of EPOSes that are tested at a time. */
  readonly concurrency: number;
  readonly onResult?: (result: ZooResult) => void;
}

/** Like an EPOS partner would choose them: a tip, and locks that expire during the run. */
const PARAMS: Readonly<Record<string, unknown>> = { gratuity: 50, lockSeconds: 1, waitSeconds: 2, timeoutSeconds: 120 };
const CONNECT_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Plays the flows at the correct EPOS over every transport, and then at each member until a check names a clause that
 * the member breaks. A failure at the correct EPOS is a false alarm, and catches no member over this transport.
 */
export async function runZoo(bench: TestBench, run: ZooRun): Promise<ZooRecord> {
  const { restaurants, flows, concurrency, onResult } = run;
  const tested = GROUP_TRANSPORTS.filter((each) => restaurants.some(({ transports }) => transports.includes(each)));
  const correctSelections = new Map<GroupTransport, readonly FlowSelection[]>();
  const alarms = await runConcurrently(
    tested.map((transport) => async () => {
      const chosen = listRunnableFlows(flows, transport);
      const records = await withMemberEpos(bench, { transport, broken: null }, (play) => runFlows(chosen, { play }));
      const failed = records.filter(({ status }) => status !== 'SUCCESS');
      correctSelections.set(
        transport,
        chosen.filter(({ flow }) => !failed.some((record) => record.flow === flow.name)),
      );
      return failed.map(getAlarm);
    }),
    concurrency,
  );
  const tasks = restaurants.flatMap(({ contract, members, transports }) =>
    members.flatMap((member) =>
      (member.over ?? transports).map((transport) => async (): Promise<ZooResult> => {
        const chosen = correctSelections.get(transport) ?? [];
        const result = {
          contract,
          defect: member.epos,
          transport,
          ...(await runMember(bench, { member, transport, chosen })),
        };
        onResult?.(result);
        return result;
      }),
    ),
  );
  const results = await runConcurrently(tasks, concurrency);
  const honest = await runHonestTills(bench, { tills: run.tills ?? [], flows, concurrency });
  return { alarms: [...alarms.flat(), ...honest], results };
}

/** Plays every flow at each till that keeps the contract in its own way; a flow that does not pass is a false alarm. */
export async function runHonestTills(
  bench: TestBench,
  { tills, flows, concurrency }: Pick<ZooRun, 'flows' | 'concurrency'> & { readonly tills: readonly HonestTill[] },
): Promise<Alarm[]> {
  const tasks = tills.flatMap(({ epos, adjust, transports }) =>
    transports.map((transport) => async (): Promise<Alarm[]> => {
      const chosen = listRunnableFlows(flows, transport);
      const records = await withMemberEpos(bench, { transport, broken: adjust }, (play) => runFlows(chosen, { play }));
      return records
        .filter((record) => record.status !== 'SUCCESS' || listFailedChecks(record).length > 0)
        .map((record) => ({ ...getAlarm(record), peculiarity: epos }));
    }),
  );
  return (await runConcurrently(tasks, concurrency)).flat();
}

/** Plays flows at a broken EPOS until it is caught, or none is left. */
function runMember(
  bench: TestBench,
  at: { readonly member: ZooMember; readonly transport: GroupTransport; readonly chosen: readonly FlowSelection[] },
): Promise<Pick<ZooResult, 'caught' | 'reported'>> {
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
      await pause(POLL_INTERVAL_MS);
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
    if (findSkip(flow, transport, served) !== null) return [];
    const params = Object.entries(PARAMS).filter(([name]) => flow.params.some((each) => each.name === name));
    return [{ transport, flow, params: readParams(flow.params, Object.fromEntries(params)), skip: null }];
  });
}

function listFailedChecks({ flow, steps }: FlowRecord): CaughtMember[] {
  return steps.flatMap(({ name, checks }) =>
    checks.filter(({ holds }) => !holds).map(({ clause }) => ({ flow, step: name, clause })),
  );
}

function getAlarm(record: FlowRecord): Alarm {
  const { because } = evaluateFailures(EPOS_CATALOGUE, record, []);
  return { transport: record.transport, flow: record.flow, because };
}
