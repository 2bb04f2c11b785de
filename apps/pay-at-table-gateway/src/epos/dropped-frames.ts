import type { Log } from '@pos/service-kit/log';

/** What is noted one by one in a stretch of time; the rest is counted. */
const NOTES_MAX = 20;
const STRETCH_MS = 60_000;

/**
 * Notes what an EPOS sends and nobody can use, at most 20 lines a minute and one that counts the others: an EPOS that
 * floods its connection does not flood the log.
 */
export class DroppedFrames {
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly connectionId: string,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** One more that was dropped, and what is known of it. */
  note(event: 'epos.unreadable' | 'epos.answer_dropped', fields: Readonly<Record<string, unknown>>): void {
    if (this.monotonic() - this.#sinceMs >= STRETCH_MS) {
      this.end();
      this.#sinceMs = this.monotonic();
    }
    this.#count += 1;
    if (this.#count <= NOTES_MAX) this.log.info(event, { connection_id: this.connectionId, ...fields });
  }

  /** Says how many were only counted since the stretch began. */
  end(): void {
    const counted = this.#count - NOTES_MAX;
    if (counted > 0) this.log.info('epos.frames_dropped', { connection_id: this.connectionId, count: counted });
    this.#count = 0;
  }
}
