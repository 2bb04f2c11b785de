import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';

const ATTEMPTS_MAX = 30;
const WINDOW_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

/** Counts how often an account opens streams: a partner whose loop has no pause must not wear out the others. */
export class ConnectAttempts {
  readonly #counts = new Map<string, { since: number; count: number }>();

  /** Counts one attempt; refuses the thirty-first within a minute. */
  count({ accountId, environment }: Scope): void {
    const name = `${accountId}/${environment}`;
    const now = performance.now();
    const known = this.#counts.get(name);
    if (known === undefined || now - known.since >= WINDOW_MS) {
      if (this.#counts.size >= ACCOUNTS_MAX) this.#counts.clear();
      this.#counts.set(name, { since: now, count: 1 });
      return;
    }
    known.count += 1;
    if (known.count > ATTEMPTS_MAX) {
      throw new GrpcFailure(status.RESOURCE_EXHAUSTED, `more than ${ATTEMPTS_MAX} streams were opened within a minute`);
    }
  }
}
