/** Failures in a row after which an endpoint is asked one thing at a time. */
const FAILURES_MAX = 5;
/** Endpoints remembered; beyond, the one longest untouched is forgotten. */
const ENDPOINTS_MAX = 10_000;

interface Endpoint {
  inUse: number;
  failuresInRow: number;
  readonly waiting: (() => void)[];
}

/**
 * How much one receiver is asked at once. A healthy endpoint gets up to its cap; one that failed five times in a row
 * gets a single attempt at a time until it answers again, so that a dead receiver ties up one slot and not all.
 */
export class EndpointGate {
  readonly #max: number;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  /** Waits for a place at the endpoint; false when there was none in that time. Each place is given back by `leave`. */
  async enter(name: string, waitMs: number): Promise<boolean> {
    const endpoint = this.#touch(name);
    if (endpoint.inUse < this.#capOf(endpoint)) {
      endpoint.inUse += 1;
      return true;
    }
    return this.#queue(endpoint, waitMs);
  }

  leave(name: string, attempt: 'delivered' | 'failed' | 'untried'): void {
    const endpoint = this.#touch(name);
    if (attempt === 'delivered') endpoint.failuresInRow = 0;
    if (attempt === 'failed') endpoint.failuresInRow += 1;
    endpoint.inUse -= 1;
    while (endpoint.inUse < this.#capOf(endpoint)) {
      const next = endpoint.waiting.shift();
      if (next === undefined) return;
      endpoint.inUse += 1;
      next();
    }
  }

  #capOf({ failuresInRow }: Endpoint): number {
    return failuresInRow >= FAILURES_MAX ? 1 : this.#max;
  }

  #queue(endpoint: Endpoint, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        endpoint.waiting.splice(endpoint.waiting.indexOf(enter), 1);
        resolve(false);
      }, waitMs);
      endpoint.waiting.push(enter);
    });
  }

  #touch(name: string): Endpoint {
    const endpoint = this.#endpoints.get(name) ?? { inUse: 0, failuresInRow: 0, waiting: [] };
    this.#endpoints.delete(name);
    this.#endpoints.set(name, endpoint);
    if (this.#endpoints.size > ENDPOINTS_MAX) this.#forgetOldest();
    return endpoint;
  }

  #forgetOldest(): void {
    for (const [name, { inUse, waiting }] of this.#endpoints) {
      if (inUse > 0 || waiting.length > 0) continue;
      this.#endpoints.delete(name);
      return;
    }
  }
}
