import type { OutboxNotice } from '@pos/store/portal';

/**
 * Longer than a transaction takes: an event may become visible after one with a later time, so each read begins this
 * much before the position and leaves out what was sent.
 */
const OVERLAP_MS = 10_000;
const FORM = /^\d{13}$/;

/** How far a stream has sent the events of the outbox: the time of the last one, and which were sent shortly before. */
export class EventPosition {
  #at: Date;
  readonly #sent = new Map<string, number>();

  /** Events up to this time count as sent. */
  constructor(private readonly start: Date) {
    this.#at = start;
  }

  /** Reads the header `last-event-id`; null for none, and for a text that this service did not write. */
  static parse(text: string): EventPosition | null {
    return FORM.test(text) ? new EventPosition(new Date(Number(text) - 1)) : null;
  }

  get readFrom(): Date {
    return new Date(Math.max(this.start.getTime(), this.#at.getTime() - OVERLAP_MS));
  }

  /** The events after `readFrom` that were sent. They are not read again, so that they do not fill the page. */
  get sentIds(): readonly string[] {
    return [...this.#sent.keys()];
  }

  /** Moves on, and returns the events that were not sent before. */
  advance(notices: readonly OutboxNotice[]): OutboxNotice[] {
    const fresh = notices.filter(({ id }) => !this.#sent.has(id));
    for (const { id, createdAt } of fresh) {
      this.#sent.set(id, createdAt.getTime());
      if (createdAt > this.#at) this.#at = createdAt;
    }
    const from = this.readFrom.getTime();
    for (const [id, at] of this.#sent) if (at < from) this.#sent.delete(id);
    return fresh;
  }

  format(): string {
    return String(this.#at.getTime());
  }
}
