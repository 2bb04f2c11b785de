import type { Scope } from '@pos/core/identity';
import type { JourneyView } from '@pos/payments/tables';
import type { Database } from '@pos/store/database';
import type { JourneyBillReader } from './journey-bill-reader.js';

const JOURNEY_POLL_INTERVAL_MS = 1_000;

/** Streams the changes of journeys. It reads after each hint, and every second without one. */
export class JourneyWatcher {
  /** The wake functions of watchers, by the id of a journey or of a terminal session. */
  readonly #wakesBySubject = new Map<string, Set<() => void>>();
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Pick<Database, 'listen'>;
      readonly bills: Pick<JourneyBillReader, 'getFreshView'>;
      readonly pollMs?: number;
    },
  ) {}

  async start(): Promise<void> {
    this.#unlisten = await this.parts.database.listen('journeys', (subject) => {
      for (const wake of this.#wakesBySubject.get(subject) ?? []) wake();
    });
  }

  async stop(): Promise<void> {
    await this.#unlisten?.();
  }

  /** Yields the journey now and after every change, until its final state or until the signal aborts. */
  async *watchJourney(
    scope: Scope,
    journeyId: string,
    signal: AbortSignal,
  ): AsyncGenerator<JourneyView, void, undefined> {
    const { bills } = this.parts;
    let shownVersion = -1;
    let subjects: readonly string[] = [];
    const wakeTimer = new WakeableTimer(signal);
    try {
      while (!signal.aborted) {
        wakeTimer.reset();
        const view = await bills.getFreshView(scope, journeyId);
        const currentSubjects = [journeyId, ...view.payments.flatMap(({ payment }) => payment.terminalSessionId ?? [])];
        if (currentSubjects.length !== subjects.length) {
          this.#removeWakes(subjects, wakeTimer.wake);
          this.#addWakes(currentSubjects, wakeTimer.wake);
          subjects = currentSubjects;
          // A change before the wake function was added has sent no hint, so the journey is read again at once.
          wakeTimer.wake();
        }
        if (view.version > shownVersion) {
          shownVersion = view.version;
          yield view;
          const { state } = view.journey;
          if (state === 'FINISHED' || state === 'ABANDONED') return;
        }
        await wakeTimer.wait(this.parts.pollMs ?? JOURNEY_POLL_INTERVAL_MS);
      }
    } finally {
      this.#removeWakes(subjects, wakeTimer.wake);
    }
  }

  #addWakes(subjects: readonly string[], wake: () => void): void {
    for (const subject of subjects)
      this.#wakesBySubject.set(subject, (this.#wakesBySubject.get(subject) ?? new Set()).add(wake));
  }

  #removeWakes(subjects: readonly string[], wake: () => void): void {
    for (const subject of subjects) {
      const wakes = this.#wakesBySubject.get(subject);
      wakes?.delete(wake);
      if (wakes?.size === 0) this.#wakesBySubject.delete(subject);
    }
  }
}

/** A timer that a wake ends, also a wake between `reset` and `wait`. */
class WakeableTimer {
  #isWoken = false;
  #end: (() => void) | null = null;
  readonly wake = (): void => {
    this.#isWoken = true;
    this.#end?.();
  };

  constructor(private readonly signal: AbortSignal) {}

  reset(): void {
    this.#isWoken = false;
  }

  async wait(ms: number): Promise<void> {
    if (this.#isWoken || this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', end);
        this.#end = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#end = end;
      this.signal.addEventListener('abort', end, { once: true });
    });
  }
}
