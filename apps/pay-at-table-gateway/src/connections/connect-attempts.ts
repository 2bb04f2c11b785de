import { formatScope, type Scope } from '@pos/core/identity/identity';
import { Refusal } from '@pos/core/refusals/refusal';

const WINDOW_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

/** Counts how often an account opens streams: a partner whose loop has no pause must not wear out the others. */
export class ConnectionRateLimiter {
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor(private readonly perMinuteMax: number) {}

  /** Counts one attempt; refuses one that is too many within a minute. */
  countAttempt(scope: Scope): void {
    const name = formatScope(scope);
    const now = performance.now();
    const window = this.#windows.get(name);
    if (window === undefined || now - window.since >= WINDOW_MS) {
      if (this.#windows.size >= ACCOUNTS_MAX) this.#windows.clear();
      this.#windows.set(name, { since: now, count: 1 });
      return;
    }
    window.count += 1;
    if (window.count > this.perMinuteMax) {
      throw new Refusal('rate_limited', `more than ${this.perMinuteMax} connections were opened within a minute`);
    }
  }
}
