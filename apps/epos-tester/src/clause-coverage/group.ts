import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import type { Check } from '../checks/check.js';
import type { Flow } from '../scene/flow.js';
import type { Run, RunStatus, RunStep } from '../runs/run.js';
import type { RunParams } from '../scene/run-params.js';
import type { GroupTransport } from './transports.js';

/** A flow that is to be played, or why it is not. */
export interface FlowSelection {
  readonly transport: GroupTransport;
  readonly flow: Flow;
  readonly params: RunParams;
  /** Null: it is played. */
  readonly whyNot: string | null;
}

/** How one step of a run went. */
export interface StepRecord {
  readonly name: string;
  readonly status: RunStatus;
  readonly tookMs: number;
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}

/** How one flow went over one way; plain data, whatever has become of the run. */
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

/** Everything that was played in one go. */
export interface GroupRecord {
  /** The EPOS as whoever started it named it, without credentials. */
  readonly epos: string;
  readonly startedAt: string;
  readonly tookMs: number;
  readonly flows: readonly FlowRecord[];
  /** The run under way was ended, and the flows behind it were not played. */
  readonly wasStopped?: boolean;
}

/** What plays a single flow to its end. */
export type RunFlow = (chosen: FlowSelection) => Promise<Run>;

const STOPPED = 'The tester was stopped before it was played.';

/** Plays flows one after the other, in their order, and tells of each as it ends. Once stopped, it begins no other. */
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
