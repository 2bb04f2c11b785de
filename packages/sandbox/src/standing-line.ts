import type { Cancel, WorldClock } from './clock.js';

/** How often a reconnect storm dials before it calms down: more than a gateway lets in within a minute. */
export const STORM_TRIES = 12;

/** How long to wait before the next try. Real milliseconds. */
interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1: spreads the tries of many over time. */
  readonly jitter: () => number;
}

/** Where a line that is kept open leads, and when it is tried again. */
export interface StandingPlace {
  readonly addresses: readonly string[];
  readonly clock: WorldClock;
  readonly backoff: Backoff;
}

/** Keeps one line to a gateway open: the next address when one fails, later and later while none lets it in. */
export abstract class StandingLine<Line extends object> {
  protected readonly clock: WorldClock;
  readonly #place: StandingPlace;
  #line: Line | null = null;
  #cancelRetry: Cancel | null = null;
  #isStopped = true;
  #tries = 0;
  #failures = 0;
  #stormLeft = 0;

  protected constructor(place: StandingPlace) {
    this.#place = place;
    this.clock = place.clock;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#dial();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#hangUp();
  }

  /** Pulls the plug, and puts it back after so many real milliseconds; in a storm it first goes in and out so many times. */
  unplug(forMs: number, stormTries = 0): void {
    if (this.#isStopped) return;
    this.#stormLeft = stormTries;
    this.#hangUp();
    this.#retryAfter(forMs);
  }

  isServing(): boolean {
    return this.#line !== null && this.isOpen(this.#line);
  }

  /** Begins a line. What it brings is told later, never before this has returned. */
  protected abstract dial(address: string): Line;
  /** Takes down a line that is not used any more. */
  protected abstract takeDown(line: Line): void;
  protected abstract isOpen(line: Line): boolean;

  /** Whether what happens on this line still counts. */
  protected isCurrent(line: Line): boolean {
    return this.#line === line;
  }

  /** The gateway has let the line in. False: a storm takes it down again. */
  protected letIn(line: Line): boolean {
    if (this.#isStormy(line)) return false;
    this.#failures = 0;
    return true;
  }

  /** The line has ended: it is tried again later, or at once where another gateway stands ready. */
  protected ended(line: Line, isExpected = false): void {
    if (this.#line !== line || this.#isStormy(line)) return;
    this.#hangUp();
    if (this.#isStopped) return;
    if (isExpected && this.#failures === 0) {
      this.#retryAfter(0);
      return;
    }
    const { firstMs, maxMs, jitter } = this.#place.backoff;
    const delayMs = Math.min(firstMs * 2 ** this.#failures, maxMs);
    this.#failures += 1;
    this.#retryAfter(delayMs * (0.75 + 0.5 * jitter()));
  }

  #dial(): void {
    const { addresses } = this.#place;
    const address = addresses[this.#tries % addresses.length];
    this.#tries += 1;
    if (address !== undefined) this.#line = this.dial(address);
  }

  /** In a storm, whatever has become of this try, the next one is made at once. */
  #isStormy(line: Line): boolean {
    if (this.#line !== line || this.#stormLeft === 0) return false;
    this.#stormLeft -= 1;
    this.#hangUp();
    this.#retryAfter(0);
    return true;
  }

  #retryAfter(realMs: number): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.clock.afterReal(realMs, () => {
      this.#cancelRetry = null;
      this.#dial();
    });
  }

  #hangUp(): void {
    const line = this.#line;
    if (line === null) return;
    this.#line = null;
    this.takeDown(line);
  }
}
