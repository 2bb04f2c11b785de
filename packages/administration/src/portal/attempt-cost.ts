/** What an attempt with a password costs: the work of its hash, and the time before a refusal. */
export interface AttemptCost {
  /** Parameters of Argon2id. */
  readonly hash: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };
  /** No refused sign-in ends earlier: the time of the answer does not reveal what was done for it. */
  readonly refusalMs: number;
}

/**
 * The cost in every process of the service: 19 MiB and two passes, about 30 ms. No setting changes it. Tests of other
 * behaviour lower it by `testing/cheap-attempts`, which the product may not import.
 */
export const PRODUCTION_COST: AttemptCost = {
  hash: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  refusalMs: 400,
};

let present = PRODUCTION_COST;

export function getAttemptCost(): AttemptCost {
  return present;
}

/** Only for tests. Returns a function that sets the cost of before. */
export function replaceAttemptCost(cost: AttemptCost): () => void {
  const previous = present;
  present = cost;
  return () => {
    present = previous;
  };
}
