import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import type { Check } from '../checks/check.js';
import type { Flow } from '../scene/flow.js';
import type { Run, RunStatus, RunStep } from '../runs/run.js';
import type { RunParams } from '../scene/run-params.js';
import type { GroupTransport } from './transports.js';

/** A flow to play, or the reason why it is not played. */
export interface FlowSelection {
  readonly transport: GroupTransport;
  readonly flow: Flow;
  readonly params: RunParams;
  /** Null: it is played. */
  readonly whyNot: string | null;
}

/** The result of one step of a run. */
export interface StepRecord {
  readonly name: string;
  readonly status: RunStatus;
  readonly tookMs: number;
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}

/** The result of one flow over one transport, as plain data, for a run with any end. */
export interface FlowRecord {
  readonly transport: GroupTransport;
  readonly flow: string;
  readonly status: RunStatus | 'SKIPPED';
  /** Why it was not played; empty when it was. */
  readonly whyNot: string;
  readonly startedAt: string | null;
  readonly tookMs: number;
  readonly steps: readonly StepRecord[];
}

/** All flows of one start of the tester. */
export interface GroupRecord {
  /** The EPOS as the user named it, without credentials. */
  readonly epos: string;
  readonly startedAt: string;
  readonly tookMs: number;
  readonly flows: readonly FlowRecord[];
  /** The active run was ended, and the remaining flows were not played. */
  readonly wasStopped?: boolean;
}

/** Plays a single flow to its end. */
export type RunFlow = (chosen: FlowSelection) => Promise<Run>;

const STOPPED = 'The tester was stopped before it was played.';

/** Plays flows one after the other, in their order, and reports each when it ends. After a stop it starts no other. */
export async function runFlows(
  chosen: readonly FlowSelection[],
  {
    play,
    onPlayed,
    stop,
  }: { readonly play: RunFlow; readonly onPlayed?: (record: FlowRecord) => void; readonly stop?: AbortSignal },
): Promise<FlowRecord[]> {
  const records: FlowRecord[] = [];
  for (const each of chosen) {
    const whyNot = each.whyNot ?? (stop?.aborted === true ? STOPPED : null);
    const record = whyNot === null ? getRecord(each, await play(each)) : createSkippedRecord(each, whyNot);
    records.push(record);
    onPlayed?.(record);
  }
  return records;
}

function getRecord({ transport, flow }: FlowSelection, { status, startedAt, finishedAt, steps }: Run): FlowRecord {
  const tookMs = finishedAt === null ? 0 : finishedAt.getTime() - startedAt.getTime();
  const played = steps.map(getStepRecord);
  return { transport, flow: flow.name, status, whyNot: '', startedAt: presentMoment(startedAt), tookMs, steps: played };
}

function getStepRecord({ name, status, startedAt, finishedAt, additionalInformation, checks }: RunStep): StepRecord {
  const tookMs = finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);
  return { name, status, tookMs, lines: additionalInformation, checks };
}

function createSkippedRecord({ transport, flow }: FlowSelection, whyNot: string): FlowRecord {
  return { transport, flow: flow.name, status: 'SKIPPED', whyNot, startedAt: null, tookMs: 0, steps: [] };
}
