/** Failures in a row after which an endpoint gets one attempt at a time. */
const FAILURES_MAX = 5;
/** The limit of stored endpoints; beyond it, the least recently used one is deleted. */
const ENDPOINTS_MAX = 10_000;

interface EndpointState {
  inUse: number;
  failuresInRow: number;
  readonly waiters: (() => void)[];
}

/**
 * Limits the concurrent attempts at one receiver. A healthy endpoint gets up to its cap; one that failed five times in
 * a row gets a single attempt at a time until it answers again, so that a failed receiver occupies one slot and not
 * all.
 */
export class EndpointLimiter {
  readonly #max: number;
  readonly #endpoints = new Map<string, EndpointState>();

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  /** Waits for a slot at the endpoint; false when none was free in that time. `release` returns each slot. */
  async acquire(name: string, waitMs: number): Promise<boolean> {
    const endpoint = this.#getEndpoint(name);
    if (endpoint.inUse < this.#getLimit(endpoint)) {
      endpoint.inUse += 1;
      return true;
    }
    return this.#waitForSlot(endpoint, waitMs);
  }

  release(name: string, attempt: 'delivered' | 'failed' | 'untried'): void {
    const endpoint = this.#getEndpoint(name);
    if (attempt === 'delivered') endpoint.failuresInRow = 0;
    if (attempt === 'failed') endpoint.failuresInRow += 1;
    endpoint.inUse -= 1;
    while (endpoint.inUse < this.#getLimit(endpoint)) {
      const next = endpoint.waiters.shift();
      if (next === undefined) return;
      endpoint.inUse += 1;
      next();
    }
  }

  #getLimit({ failuresInRow }: EndpointState): number {
    return failuresInRow >= FAILURES_MAX ? 1 : this.#max;
  }

  #waitForSlot(endpoint: EndpointState, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const grantSlot = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        endpoint.waiters.splice(endpoint.waiters.indexOf(grantSlot), 1);
        resolve(false);
      }, waitMs);
      endpoint.waiters.push(grantSlot);
    });
  }

  #getEndpoint(name: string): EndpointState {
    const endpoint = this.#endpoints.get(name) ?? { inUse: 0, failuresInRow: 0, waiters: [] };
    this.#endpoints.delete(name);
    this.#endpoints.set(name, endpoint);
    if (this.#endpoints.size > ENDPOINTS_MAX) this.#deleteOldest();
    return endpoint;
  }

  #deleteOldest(): void {
    for (const [name, { inUse, waiters }] of this.#endpoints) {
      if (inUse > 0 || waiters.length > 0) continue;
      this.#endpoints.delete(name);
      return;
    }
  }
}
