/** How many tokens a bucket holds, and how many are refilled each second. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
  /** The detail of a refusal; a general sentence when left out. */
  readonly detail?: string;
}

/** Counts calls by name, over all processes of an app. */
export interface RateLimiter {
  /**
   * Takes one token. Refuses `rate_limited` with the whole seconds after which there is one again. Returns a promise
   * only if the process has to request the token.
   */
  take(name: string, allowance: RateLimit): void | Promise<void>;
}

/** What a process reports about one bucket, and requests from it. */
export interface TokenRequest {
  readonly name: string;
  readonly allowance: RateLimit;
  /** Tokens that the process has taken without a request; below zero: tokens that it returns. */
  readonly spent: number;
  /** For how long the process has counted its spent tokens alone; 0 if it did not. */
  readonly aloneSeconds: number;
  /** Tokens that it needs now. */
  readonly wanted: number;
}

/** The answer: how many of the wanted tokens the process may use, and what the bucket holds after that. */
export interface TokenGrant {
  readonly granted: number;
  /** Below zero: processes have spent more than there was. */
  readonly tokens: number;
}

/**
 * The tokens that a process may take without a request: a twentieth of the tokens at its last answer, so four
 * processes exceed no limit by more than a fifth.
 */
export function computeTrustedTokens(knownTokens: number): number {
  return Math.max(0, Math.floor(knownTokens / 20));
}
