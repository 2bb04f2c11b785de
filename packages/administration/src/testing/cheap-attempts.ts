import { replaceAttemptCost } from '../portal/attempt-cost.js';

/** The least work that Argon2id accepts, a hundredth of that in production, and refusals without a pause. */
const CHEAP_COST = { hash: { memoryCost: 8, timeCost: 1, parallelism: 1 }, refusalMs: 0 } as const;

/**
 * Makes hashes of passwords and refused sign-ins of this process cheap, for tests whose subject is neither: they sign in
 * hundreds of times. Call the returned function in `afterAll`: the next test file runs in the same process.
 */
export function makeAttemptsCheap(): () => void {
  return replaceAttemptCost(CHEAP_COST);
}
