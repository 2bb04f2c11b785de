import { type FlowRecord, runInOrder, type Skip, type StepRecord } from '@pos/conformance/records';
import { presentMoment } from '@pos/rest-contracts/shapes';
import type { Flow } from '../flow-context/flow.js';
import type { Run, RunStep } from '../runs/run.js';
import type { RunParams } from '../flow-context/run-params.js';
import type { GroupTransport } from './transports.js';

/** A flow to play, or the reason why it is not played. */
export interface FlowSelection {
  readonly transport: GroupTransport;
  readonly flow: Flow;
  readonly params: RunParams;
  /** Null: it is played. */
  readonly skip: Skip | null;
}

/** Plays a single flow to its end. */
export type RunFlow = (chosen: FlowSelection) => Promise<Run>;

/** Plays flows one after the other, in their order, and reports each when it ends. After a stop it starts no other. */
export function runFlows(
  chosen: readonly FlowSelection[],
  {
    play,
    ...options
  }: { readonly play: RunFlow; readonly onPlayed?: (record: FlowRecord) => void; readonly stop?: AbortSignal },
): Promise<FlowRecord[]> {
  return runInOrder(chosen, { ...options, play: async (each) => toPlayedFlow(await play(each)) });
}

function toPlayedFlow({ status, startedAt, finishedAt, steps }: Run) {
  const tookMs = finishedAt === null ? 0 : finishedAt.getTime() - startedAt.getTime();
  return { status, startedAt: presentMoment(startedAt), tookMs, steps: steps.map(getStepRecord) };
}

function getStepRecord({ name, status, startedAt, finishedAt, additionalInformation, checks }: RunStep): StepRecord {
  const tookMs = finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);
  return { name, status, tookMs, lines: additionalInformation, checks };
}
