import type { RateLimit, TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import { Refusal } from '@pos/core/refusals';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { SharedRateLimiter } from '../rate-limits/shared-rate-limiter.js';
import { TokenBucketsModel } from './token-buckets-model.js';

export const ALLOWANCE = { burst: 4, perSecond: 2 };

export type TokenSource = Pick<Database, 'takeTokens'>;

/** How many calls pass, and the wait that the first refusal requires. */
interface CallCount {
  passed: number;
  refused: number;
  waitSeconds: number | null;
}

export const createCount = (): CallCount => ({ passed: 0, refused: 0, waitSeconds: null });

/** Makes calls at one moment, and counts each when it is answered. */
export function makeCalls(
  limits: SharedRateLimiter,
  calls: number,
  {
    name = 'key',
    allowance = ALLOWANCE,
    count = createCount(),
  }: { readonly name?: string; readonly allowance?: RateLimit; readonly count?: CallCount } = {},
) {
  const refuse = (error: unknown): void => {
    if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error;
    count.refused += 1;
    count.waitSeconds ??= Number(error.data?.['retryAfterSeconds']);
  };
  const pass = (): void => {
    count.passed += 1;
  };
  const open: Promise<void>[] = [];
  for (let index = 0; index < calls; index += 1) {
    try {
      const admission = limits.take(name, allowance);
      if (admission === undefined) pass();
      else open.push(admission.then(pass, refuse));
    } catch (error) {
      refuse(error);
    }
  }
  return { count, done: Promise.all(open).then(() => count) };
}

/** A process whose database answers at once, with a clock of the test. */
export function createTestLimiter(sourceOf: (model: TokenBucketsModel) => TokenSource = createAnsweringSource) {
  let nowMs = 0;
  const now = () => nowMs;
  const source = sourceOf(new TokenBucketsModel(now));
  const limits = new SharedRateLimiter(source, { now, waitMs: 60_000 });
  return {
    limits,
    another: () => new SharedRateLimiter(source, { now, waitMs: 60_000 }),
    wait: (ms: number) => (nowMs += ms),
  };
}

export function createAnsweringSource(model: TokenBucketsModel): TokenSource {
  return { takeTokens: (requests) => Promise.resolve(requests.map((request) => model.take(request))) };
}

export const UNREACHABLE_SOURCE: TokenSource = { takeTokens: () => Promise.reject(new Error('the database is away')) };

export const KEY_ALLOWANCE = { burst: 400, perSecond: 200 };

/** A network between one process and the relation: requests and answers wait until the test moves them. */
export class SlowNetwork implements TokenSource {
  readonly #steps: (() => void)[] = [];

  constructor(private readonly model: TokenBucketsModel) {}

  takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    return new Promise((resolve) => {
      this.#steps.push(() => {
        const grants = requests.map((request) => this.model.take(request));
        this.#steps.push(() => resolve(grants));
      });
    });
  }

  /** Takes the oldest request to the relation, or its answer back. */
  async deliverNext(): Promise<void> {
    this.#steps.shift()?.();
    await endOfTurn();
  }
}
