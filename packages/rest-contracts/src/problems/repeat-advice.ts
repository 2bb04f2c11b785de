import { BOUND_REFUSALS } from '../operation/bound-refusals.js';
import { PROBLEMS_BY_REASON, type ProblemReason } from './problems.js';

/** How a program that was answered with a problem can continue. */
const REPEAT_RULES = {
  afterWait: 'Yes. Wait for the seconds in `retry-after`, then repeat the same request with the same idempotency key.',
  sameKey:
    'Yes, with the same idempotency key: money never moves twice under one key. Without a key, read the resource first.',
  newKey: 'Only with a new idempotency key: this answer is stored under the key that was sent.',
  afterChange:
    'Not as it is: the answer would be the same. Correct the request or wait for the other state; the same idempotency key may be used.',
} as const;

export type RepeatRule = keyof typeof REPEAT_RULES;

/** Whether, and how, a request may be repeated after a problem with this reason. */
export function findRepeatRule(reason: ProblemReason): RepeatRule {
  if (BOUND_REFUSALS.some((bound) => bound === reason)) return 'newKey';
  if (AFTER_WAIT.has(reason)) return 'afterWait';
  const { status } = PROBLEMS_BY_REASON[reason];
  return status >= 500 || status === 408 ? 'sameKey' : 'afterChange';
}

/** These answers have the header `retry-after`. */
const AFTER_WAIT: ReadonlySet<ProblemReason> = new Set([
  'rate_limited',
  'idempotency_in_progress',
  'service_unavailable',
]);

/** The rule of a reason as a sentence for integrators. */
export function describeRepeat(reason: ProblemReason): string {
  return REPEAT_RULES[findRepeatRule(reason)];
}
