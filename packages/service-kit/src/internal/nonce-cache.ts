/** More nonces are not stored; about 20 MB. */
const NONCES_MAX = 100_000;

/**
 * The nonces of the requests that this process has admitted, until their signatures end. Under more calls than it
 * stores, it forgets the oldest nonce and from then on refuses everything that was signed as early: signatures are valid
 * for a shorter time then, and no replay is admitted.
 */
export class NonceCache {
  /** When each request was signed, in the order of arrival. */
  readonly #issuedAtMs = new Map<string, number>();
  readonly #lifetimeMs: number;
  readonly #sizeMax: number;
  #refusedUntilMs = -Infinity;

  constructor({
    lifetimeMs,
    sizeMax = NONCES_MAX,
  }: {
    /** How long a signature is accepted after it was made. */
    readonly lifetimeMs: number;
    readonly sizeMax?: number;
  }) {
    this.#lifetimeMs = lifetimeMs;
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#issuedAtMs.size;
  }

  /** Stores a nonce. Returns false if it is known, or if it may have been forgotten. */
  add(nonce: string, { issuedAtMs, nowMs }: { readonly issuedAtMs: number; readonly nowMs: number }): boolean {
    if (issuedAtMs <= this.#refusedUntilMs || this.#issuedAtMs.has(nonce)) return false;
    this.#forget(nowMs);
    this.#issuedAtMs.set(nonce, issuedAtMs);
    return true;
  }

  /** Deletes what has ended at the front, and the oldest arrival if there is no room. */
  #forget(nowMs: number): void {
    for (const [nonce, issuedAtMs] of this.#issuedAtMs) {
      const hasEnded = issuedAtMs < nowMs - this.#lifetimeMs;
      if (!hasEnded && this.#issuedAtMs.size < this.#sizeMax) return;
      if (!hasEnded) this.#refusedUntilMs = Math.max(this.#refusedUntilMs, issuedAtMs);
      this.#issuedAtMs.delete(nonce);
    }
  }
}
