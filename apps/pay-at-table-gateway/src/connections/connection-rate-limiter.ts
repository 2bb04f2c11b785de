import { formatScope, type Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';

const WINDOW_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

/** Limits how often an account opens connections, so that a reconnect loop of one partner does not affect the others. */
export class ConnectionRateLimiter {
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor(private readonly perMinuteMax: number) {}

  /** Counts one attempt; refuses attempts beyond the limit within a minute. */
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
