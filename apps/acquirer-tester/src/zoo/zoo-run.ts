import { evaluateFailures } from '@pos/conformance/clause-coverage';
import type { FlowRecord } from '@pos/conformance/records';
import { type Alarm, type CaughtMember, runConcurrently, type ZooRecord, type ZooResult } from '@pos/conformance/zoo';
import { CAPABILITIES } from '@pos/core/acquirer';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import { AdapterConnection } from '../acquirer/acquirer-connection.js';
import { ACQUIRER_CATALOGUE, CONTRACT, TRANSPORT } from '../clause-coverage/catalogue.js';
import { runFlows } from '../command/group-run.js';
import { SANDBOX_PROFILE } from '../profile/sandbox-profile.js';
import { openSandboxAcquirer } from '../sandbox/sandbox-acquirer.js';
import type { Flow } from '../scene/flow.js';
import { ANSWER_MEMBERS } from './answer-members.js';
import { CAPABILITY_MEMBERS } from './capability-members.js';
import { INQUIRY_MEMBERS } from './inquiry-members.js';
import { MONEY_MEMBERS } from './money-members.js';
import type { ZooMember } from './zoo-member.js';

/** All broken acquirers. */
export const ZOO_MEMBERS: readonly ZooMember[] = [
  ...[...ANSWER_MEMBERS, ...MONEY_MEMBERS, ...INQUIRY_MEMBERS, ...CAPABILITY_MEMBERS],
];

/** A correct acquirer that can do everything, and one that lacks each capability: none may raise an alarm. */
const CORRECT_LIMITS: readonly CapabilityLimits[] = [
  { lacks: [] },
  ...CAPABILITIES.map((capability) => ({ lacks: [capability] })),
  { lacks: CAPABILITIES, wallets: [], currencies: ['GBP', 'EUR', 'JPY', 'KWD'] },
];

/** Every member must be caught. */
export const CAUGHT_SHARE = { of: 1, min: 1 } as const;

/** The members under test, and the flows. */
export interface ZooRun {
  readonly members: readonly ZooMember[];
  readonly flows: readonly Flow[];
  /** How many acquirers are tested at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  readonly stop: AbortSignal;
  readonly onResult?: (result: ZooResult) => void;
}

/** The sandbox of a zoo approves late after a second. */
const PROFILE = { ...SANDBOX_PROFILE, lateSeconds: 2 };

/**
 * Plays the flows at the correct acquirer, and then at each member until a check names a clause that the member breaks.
 * A flow that fails at the correct acquirer is a false alarm, and catches no member.
 */
export async function runZoo(run: ZooRun): Promise<ZooRecord> {
  const { members, flows, concurrency, onResult } = run;
  const correct = await playAt(run, { member: null, flows });
  const failed = correct.filter(isFailed);
  const usable = flows.filter(({ name }) => !failed.some(({ flow }) => flow === name));
  const tasks = members.map((member) => async (): Promise<ZooResult> => {
    const found = await runMember(run, { member, flows: usable });
    const result = { contract: CONTRACT, defect: member.defect, transport: TRANSPORT, ...found };
    onResult?.(result);
    return result;
  });
  return { alarms: failed.map(toAlarm), results: await runConcurrently(tasks, concurrency) };
}

/** Plays flows at a broken acquirer until it is caught, or none is left. */
async function runMember(
  run: ZooRun,
  { member, flows }: { readonly member: ZooMember; readonly flows: readonly Flow[] },
): Promise<Pick<ZooResult, 'caught' | 'reported'>> {
  const named: ReadonlySet<string> = new Set([member.clause, ...(member.also ?? [])]);
  const reported = new Set<string>();
  // The flow for this defect comes first, only to save time.
  const own = flows.filter(({ name }) => name === member.flow);
  for (const flow of new Set([...own, ...flows])) {
    const [record] = await playAt(run, { member, flows: [flow] });
    const failed = record === undefined ? [] : listFailedChecks(record);
    const caught = failed.find(({ clause }) => named.has(clause)) ?? null;
    if (caught !== null) return { caught, reported: [...reported] };
    for (const { clause } of failed) reported.add(clause);
  }
  return { caught: null, reported: [...reported] };
}

/** Plays flows at an acquirer of their own; null: the correct one. */
async function playAt(
  { now, stop }: Pick<ZooRun, 'now' | 'stop'>,
  { member, flows }: { readonly member: Partial<ZooMember> | null; readonly flows: readonly Flow[] },
): Promise<readonly FlowRecord[]> {
  const { prepare, interceptors, checksCredential } = member ?? {};
  const sandbox = await openSandboxAcquirer({
    seed: member?.defect ?? 'correct',
    ...(prepare !== undefined && { prepare }),
    ...(interceptors !== undefined && { interceptors }),
    ...(checksCredential !== undefined && { checksCredential }),
  });
  const connection = new AdapterConnection(sandbox.address, { tls: null, credential: sandbox.credential });
  try {
    const played = { acquirer: 'sandbox', connection, profile: PROFILE, hasCredential: true, flows, now, stop };
    return (await runFlows(played)).flows;
  } finally {
    connection.close();
    sandbox.close();
  }
}

/**
 * Plays the flows at correct acquirers that lack capabilities. Each alarm names what its acquirer lacks.
 */
export async function findLimitedAlarms(run: Omit<ZooRun, 'members'>): Promise<readonly Alarm[]> {
  const tasks = CORRECT_LIMITS.map((limits) => async (): Promise<readonly Alarm[]> => {
    const member: Pick<ZooMember, 'prepare'> = {
      prepare: ({ capabilities }) => {
        capabilities.limit(limits);
      },
    };
    const records = await playAt(run, { member, flows: run.flows });
    const lacked = limits.lacks.length === 0 ? 'nothing' : limits.lacks.join(', ');
    return records.filter(isFailed).map((record) => {
      const { because, ...alarm } = toAlarm(record);
      return { ...alarm, because: because.map((reason) => `without ${lacked}: ${reason}`) };
    });
  });
  return (await runConcurrently(tasks, run.concurrency)).flat();
}

function isFailed({ status }: FlowRecord): boolean {
  return status === 'FAILURE' || status === 'TIMED_OUT';
}

function listFailedChecks({ flow, steps }: FlowRecord): CaughtMember[] {
  return steps.flatMap(({ name, checks }) =>
    checks.filter(({ holds }) => !holds).map(({ clause }) => ({ flow, step: name, clause })),
  );
}

function toAlarm(record: FlowRecord): Alarm {
  const { because } = evaluateFailures(ACQUIRER_CATALOGUE, record, []);
  return { transport: record.transport, flow: record.flow, because };
}
