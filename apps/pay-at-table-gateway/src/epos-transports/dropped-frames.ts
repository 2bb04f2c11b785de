import type { Log } from '@pos/service-kit/telemetry';

/** The number of lines per interval; further frames are only counted. */
const LINES_PER_WINDOW_MAX = 20;
const LOG_WINDOW_MS = 60_000;

/**
 * Logs frames that cannot be used: at most 20 lines a minute, and one with the number of the others. An EPOS that floods its
 * connection does not flood the log.
 */
export class DroppedFrameLog {
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #droppedCount = 0;

  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly connectionId: string,
    private readonly readMonotonic: () => number = () => performance.now(),
  ) {}

  /** Logs or counts a dropped frame. */
  logDropped(event: 'epos.unreadable' | 'epos.answer_dropped', fields: Readonly<Record<string, unknown>>): void {
    if (this.readMonotonic() - this.#windowStartMs >= LOG_WINDOW_MS) {
      this.flushCount();
      this.#windowStartMs = this.readMonotonic();
    }
    this.#droppedCount += 1;
    if (this.#droppedCount <= LINES_PER_WINDOW_MAX)
      this.log.info(event, { connection_id: this.connectionId, ...fields });
  }

  /** Logs the number of frames that were only counted in the interval. */
  flushCount(): void {
    const suppressedCount = this.#droppedCount - LINES_PER_WINDOW_MAX;
    if (suppressedCount > 0)
      this.log.info('epos.frames_dropped', { connection_id: this.connectionId, count: suppressedCount });
    this.#droppedCount = 0;
  }
}
