import { AsyncResource } from 'node:async_hooks';
import type { ActivityKind, ActivityRecorder, NewActivity } from '@pos/core/activities';
import type { Database } from '../database/database.js';
import { prepareActivity } from './activity-relation.js';
import { insertActivityBatch, type WaitingActivity } from './activity-batch.js';
import { DatabaseTime } from './database-time.js';

/** Observes the activity log of a process. */
export interface ActivityLogObserver {
  readonly onWritten: (kind: ActivityKind, count: number) => void;
  /** `overload`: the memory for waiting entries is full. `refused`: the database has refused the batch. */
  readonly onDropped: (reason: ActivityDropReason, count: number) => void;
  readonly onFailed: (error: unknown) => void;
}
export const ACTIVITY_DROP_REASONS = ['overload', 'refused', 'shutdown'] as const;
export type ActivityDropReason = (typeof ACTIVITY_DROP_REASONS)[number];

/** The limits of the log; tests shorten them. */
export interface ActivityLogLimits {
  /** How long an entry waits for others. */
  readonly delayMs: number;
  readonly retryMs: number;
  readonly batchMax: number;
  readonly waitingMax: number;
  /** The limit for the texts of all waiting entries. */
  readonly waitingLengthMax: number;
}

const ACTIVITY_LOG_LIMITS: ActivityLogLimits = {
  delayMs: 250,
  retryMs: 1_000,
  batchMax: 1_000,
  waitingMax: 20_000,
  waitingLengthMax: 16 * 1024 * 1024,
};

const STOP_MS_MAX = 5_000;

/**
 * Stores the activities of a process soon after they have ended, many with one statement, so that no request waits for
 * them. Waiting entries have a bound; beyond it, and when a process crashes, entries are lost. Lost entries are counted.
 */
export class ActivityLog implements ActivityRecorder {
  readonly #limits: ActivityLogLimits;
  readonly #time = new DatabaseTime();
  #waiting: WaitingActivity[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;
  /** Without the transaction and the trace of the work that has recorded an entry. */
  readonly #runLater = AsyncResource.bind(() => void this.#run());

  constructor(
    private readonly database: Pick<Database, 'readSystem' | 'executeBatch'>,
    private readonly observer: ActivityLogObserver,
    limits: Partial<ActivityLogLimits> = {},
  ) {
    this.#limits = { ...ACTIVITY_LOG_LIMITS, ...limits };
  }

  record(activity: NewActivity): void {
    const row = prepareActivity(activity);
    const { waitingMax, waitingLengthMax, batchMax, delayMs } = this.#limits;
    const isFull = this.#waiting.length >= waitingMax || this.#length + row.details.length > waitingLengthMax;
    if (isFull || this.#isStopped) {
      this.observer.onDropped(this.#isStopped ? 'shutdown' : 'overload', 1);
      return;
    }
    this.#waiting.push({ scope: activity.scope, row, startedAtMs: activity.startedAtMs });
    this.#length += row.details.length;
    this.#schedule(this.#waiting.length >= batchMax ? 0 : delayMs);
  }

  /** Stores everything that waits now. Resolves also where it could not be stored. */
  async flush(): Promise<void> {
    await this.#running;
    while (this.#waiting.length > 0) {
      const before = this.#waiting.length;
      await this.#run();
      if (this.#waiting.length >= before) return;
    }
  }

  /** Stores what waits, for some seconds at most. Entries that come later, or cannot be stored, are dropped. */
  async stop(): Promise<void> {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS_MAX).unref());
    await Promise.race([this.flush(), limit]);
    this.#isStopped = true;
    this.#clearTimer();
    if (this.#waiting.length > 0) this.observer.onDropped('shutdown', this.#waiting.length);
    this.#waiting = [];
  }

  #schedule(delayMs: number): void {
    if (this.#running !== null || (this.#timer !== null && delayMs > 0)) return;
    this.#clearTimer();
    this.#timer = setTimeout(this.#runLater, delayMs);
    this.#timer.unref();
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #run(): Promise<void> {
    this.#clearTimer();
    this.#running ??= this.#writeBatch().then((delayMs) => {
      this.#running = null;
      if (this.#waiting.length > 0 && !this.#isStopped) this.#schedule(delayMs);
    });
    return this.#running;
  }

  /** Writes one batch, and returns when the next one is due. */
  async #writeBatch(): Promise<number> {
    const { batchMax, retryMs, delayMs } = this.#limits;
    const batch = this.#waiting.slice(0, batchMax);
    if (batch.length === 0) return delayMs;
    try {
      await insertActivityBatch(this.database, batch, this.#time);
    } catch (error) {
      this.observer.onFailed(error);
      if (isOutage(error)) return retryMs;
      // What the database refuses once it would refuse for ever.
      this.#removeFirst(batch);
      this.observer.onDropped('refused', batch.length);
      return delayMs;
    }
    this.#removeFirst(batch);
    for (const [kind, count] of countKinds(batch)) this.observer.onWritten(kind, count);
    return this.#waiting.length >= batchMax ? 0 : delayMs;
  }

  #removeFirst(batch: readonly WaitingActivity[]): void {
    this.#waiting = this.#waiting.slice(batch.length);
    for (const { row } of batch) this.#length -= row.details.length;
  }
}

function countKinds(batch: readonly WaitingActivity[]): Map<ActivityKind, number> {
  const counts = new Map<ActivityKind, number>();
  for (const { row } of batch) counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
  return counts;
}

/** `commit_unknown`: the batch is repeated, which stores nothing twice. */
function isOutage(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    (error.code === 'service_unavailable' || error.code === 'commit_unknown')
  );
}
