import type { Operation } from './operation.js';

/** A refusal of the acquirer, stored under the idempotency key: the money did not move, and will not under this key. */
export const BOUND_REFUSALS = [
  'capture_refused',
  'refund_refused',
  'reversal_refused',
  'amount_raise_refused',
] as const;
export type BoundRefusal = (typeof BOUND_REFUSALS)[number];

/** The refusal that an operation stores under an idempotency key; null where it stores none. */
export function findBoundRefusal({ refusals }: Pick<Operation, 'refusals'>): BoundRefusal | null {
  return BOUND_REFUSALS.find((code) => refusals.includes(code)) ?? null;
}
