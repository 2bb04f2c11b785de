import type { Log } from '@pos/service-kit/telemetry/log';

/** What is noted one by one in a stretch of time; the rest is counted. */
const LINES_PER_WINDOW_MAX = 20;
const LOG_WINDOW_MS = 60_000;

/**
 * Notes what an EPOS sends and nobody can use, at most 20 lines a minute and one that counts the others: an EPOS that
 * floods its connection does not flood the log.
 */
export class DroppedFrameLog {
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #droppedCount = 0;

  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly connectionId: string,
    private readonly readMonotonic: () => number = () => performance.now(),
  ) {}

  /** One more that was dropped, and what is known of it. */
  logDropped(event: 'epos.unreadable' | 'epos.answer_dropped', fields: Readonly<Record<string, unknown>>): void {
    if (this.readMonotonic() - this.#windowStartMs >= LOG_WINDOW_MS) {
      this.flushCount();
      this.#windowStartMs = this.readMonotonic();
    }
    this.#droppedCount += 1;
    if (this.#droppedCount <= LINES_PER_WINDOW_MAX)
      this.log.info(event, { connection_id: this.connectionId, ...fields });
  }

  /** Says how many were only counted since the stretch began. */
  flushCount(): void {
    const suppressedCount = this.#droppedCount - LINES_PER_WINDOW_MAX;
    if (suppressedCount > 0)
      this.log.info('epos.frames_dropped', { connection_id: this.connectionId, count: suppressedCount });
    this.#droppedCount = 0;
  }
}
