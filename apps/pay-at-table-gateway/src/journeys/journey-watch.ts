import type { Scope } from '@pos/core/identity';
import type { JourneyView } from '@pos/payments/journeys';
import type { Database } from '@pos/store/database';
import type { JourneyBills } from './journey-bills.js';

const POLL_MS = 1_000;

/** Journeys as they change, for whoever watches: a hint makes it quick, looking every second makes it certain. */
export class JourneyWatch {
  /** Who is to be woken, by the id of a journey or of a card session. */
  readonly #wakes = new Map<string, Set<() => void>>();
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Pick<Database, 'listen'>;
      readonly bills: Pick<JourneyBills, 'fresh'>;
      readonly pollMs?: number;
    },
  ) {}

  async start(): Promise<void> {
    this.#unlisten = await this.parts.database.listen('journeys', (subject) => {
      for (const wake of this.#wakes.get(subject) ?? []) wake();
    });
  }

  async stop(): Promise<void> {
    await this.#unlisten?.();
  }

  /** The journey now and after every change, until its final state is given or the signal aborts. */
  async *of(scope: Scope, journeyId: string, signal: AbortSignal): AsyncGenerator<JourneyView, void, undefined> {
    const { bills } = this.parts;
    let shown = -1;
    let subjects: readonly string[] = [];
    const nap = new Nap(signal);
    try {
      while (!signal.aborted) {
        nap.begin();
        const view = await bills.fresh(scope, journeyId);
        const wanted = [journeyId, ...view.payments.flatMap(({ payment }) => payment.terminalSessionId ?? [])];
        if (wanted.length !== subjects.length) {
          this.#forget(subjects, nap.wake);
          this.#remember(wanted, nap.wake);
          subjects = wanted;
          // What happened before this was remembered would go unheard until the next look.
          nap.wake();
        }
        if (view.version > shown) {
          shown = view.version;
          yield view;
          const { state } = view.journey;
          if (state === 'FINISHED' || state === 'ABANDONED') return;
        }
        await nap.over(this.parts.pollMs ?? POLL_MS);
      }
    } finally {
      this.#forget(subjects, nap.wake);
    }
  }

  #remember(subjects: readonly string[], wake: () => void): void {
    for (const subject of subjects) this.#wakes.set(subject, (this.#wakes.get(subject) ?? new Set()).add(wake));
  }

  #forget(subjects: readonly string[], wake: () => void): void {
    for (const subject of subjects) {
      const wakes = this.#wakes.get(subject);
      wakes?.delete(wake);
      if (wakes?.size === 0) this.#wakes.delete(subject);
    }
  }
}

/** A wait that a wake ends, also one that came between `begin` and the wait. */
class Nap {
  #isWoken = false;
  #end: (() => void) | null = null;
  readonly wake = (): void => {
    this.#isWoken = true;
    this.#end?.();
  };

  constructor(private readonly signal: AbortSignal) {}

  begin(): void {
    this.#isWoken = false;
  }

  async over(ms: number): Promise<void> {
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
