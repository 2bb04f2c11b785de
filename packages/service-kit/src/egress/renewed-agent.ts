import type { Agent } from 'undici';

/**
 * Replaces an agent at a maximum age, so that no connection is older. A connection is not replaced alone: calls that
 * wait while all connections to a receiver are replaced would wait until somebody calls this receiver again.
 */
export class RenewedAgent {
  #current: Agent | null = null;
  #createdAtMs = 0;
  readonly #replaced = new Set<Promise<void>>();

  constructor(
    private readonly create: () => Agent,
    private readonly ageMsMax: number,
  ) {}

  /** The agent for the next call. */
  get(): Agent {
    const now = performance.now();
    if (this.#current !== null && now - this.#createdAtMs > this.ageMsMax) this.#replace(this.#current);
    if (this.#current === null) {
      this.#current = this.create();
      this.#createdAtMs = now;
    }
    return this.#current;
  }

  /** Closes idle connections and waits for running calls. */
  async close(): Promise<void> {
    await Promise.all([this.#current?.close(), ...this.#replaced]);
  }

  /** The running calls of the former agent continue, and those that wait in it too. */
  #replace(former: Agent): void {
    this.#current = null;
    const closing = former
      .close()
      // An agent whose connections have all ended by themselves has nothing to close.
      .catch(() => undefined)
      .finally(() => this.#replaced.delete(closing));
    this.#replaced.add(closing);
  }
}
