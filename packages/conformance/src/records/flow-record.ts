import type { Check } from '../checks/check.js';

/** The state of a run or of one of its steps. */
export type FlowStatus = 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'TIMED_OUT';
/** How a step or a run ends. */
export type FlowEnding = Exclude<FlowStatus, 'IN_PROGRESS'>;

/** The result of one step of a run. */
export interface StepRecord {
  readonly name: string;
  readonly status: FlowStatus;
  readonly tookMs: number;
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}

/**
 * Why a flow is not played. `not applicable`: the subject declares that it cannot do what the flow needs. `not tested`:
 * the run has no data for the flow, or ended before it, and proves nothing about it.
 */
export interface Skip {
  readonly kind: 'not applicable' | 'not tested';
  /** One sentence. */
  readonly reason: string;
}

/** The result of one flow over one transport, as plain data, for a run with any end. */
export interface FlowRecord {
  readonly transport: string;
  readonly flow: string;
  readonly status: FlowStatus | 'SKIPPED';
  /** Why it was not played; empty when it was. */
  readonly whyNot: string;
  /** Null when it was played. */
  readonly skipKind: Skip['kind'] | null;
  readonly startedAt: string | null;
  readonly tookMs: number;
  readonly steps: readonly StepRecord[];
}

/** All flows of one start of the tester. */
export interface GroupRecord {
  /** The subject as the user named it, without credentials. */
  readonly subject: string;
  readonly startedAt: string;
  readonly tookMs: number;
  readonly flows: readonly FlowRecord[];
  /** The transports that the subject has, played or not; when left out, those of the tester. */
  readonly transports?: readonly string[];
  /** What else identifies the subject and the tester, such as names and versions: shown at the begin of a report. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The active run was ended, and the remaining flows were not played. */
  readonly wasStopped?: boolean;
}

/** A flow to play, or the reason why it is not played. */
interface ChosenFlow {
  readonly transport: string;
  readonly flow: { readonly name: string };
  /** Null: it is played. */
  readonly skip: Skip | null;
}

type PlayedFlow = Pick<FlowRecord, 'status' | 'startedAt' | 'tookMs' | 'steps'>;

const STOPPED: Skip = { kind: 'not tested', reason: 'The tester was stopped before it was played.' };
/** From worst to best. */
const WORST_FIRST: readonly FlowEnding[] = ['FAILURE', 'TIMED_OUT', 'SUCCESS'];

/** Plays flows one after the other, in their order, and reports each when it ends. After a stop it starts no other. */
export async function runInOrder<C extends ChosenFlow>(
  chosen: readonly C[],
  {
    play,
    onPlayed,
    stop,
  }: {
    readonly play: (each: C) => Promise<PlayedFlow>;
    readonly onPlayed?: (record: FlowRecord) => void;
    readonly stop?: AbortSignal;
  },
): Promise<FlowRecord[]> {
  const records: FlowRecord[] = [];
  for (const each of chosen) {
    const skip = each.skip ?? (stop?.aborted === true ? STOPPED : null);
    const named = { transport: each.transport, flow: each.flow.name };
    const record: FlowRecord =
      skip === null
        ? { ...named, whyNot: '', skipKind: null, ...(await play(each)) }
        : { ...named, ...toSkippedFlow(skip) };
    records.push(record);
    onPlayed?.(record);
  }
  return records;
}

function toSkippedFlow({ kind, reason }: Skip) {
  return { status: 'SKIPPED', whyNot: reason, skipKind: kind, startedAt: null, tookMs: 0, steps: [] } as const;
}

/** The worst of these; success when there are none. */
export function findWorstStatus(endings: readonly FlowEnding[]): FlowEnding {
  return WORST_FIRST.find((ending) => endings.includes(ending)) ?? 'SUCCESS';
}
