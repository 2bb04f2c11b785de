import type { OperationFacts } from '../contract/operation-facts.js';

/** How an attempt failed. */
export type FailedAttempt =
  | { readonly kind: 'connection' | 'timeout' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly reason: string | null;
      readonly retryAfter: string | null;
    };

/** What decides about the next attempt. */
export interface RetryQuestion {
  readonly failed: FailedAttempt;
  readonly repeat: OperationFacts['repeat'];
  /** How many retries were made. */
  readonly retries: number;
  readonly retriesMax: number;
  /** From 0 to 1. */
  readonly chance: number;
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly now: number;
}

/** Statuses of a passing state, also when a proxy answers. */
const PASSING = [408, 429, 502, 503, 504];
/** Refusals of status 409 that end by themselves. */
const PASSING_CONFLICTS = ['idempotency_in_progress', 'saved_card_busy', 'setup_intent_busy'];
/** The service promises that nothing was done, so that a repeat is safe without a key. */
const NOTHING_DONE = ['rate_limited', 'service_unavailable', 'request_timeout'];
/** Repeats do not help until a person has changed something. */
const LASTING = ['acquirer_not_configured'];
const FIRST_WAIT_MS = 250;
const WAIT_MS_MAX = 8_000;

/** How many milliseconds to wait before the next attempt; null: the failure is final. */
export function decideRetry(question: RetryQuestion): number | null {
  const { failed, retries, retriesMax, chance, now } = question;
  if (retries >= retriesMax || !isRepeatable(question)) return null;
  const longest = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** retries);
  const wait = longest / 2 + (longest / 2) * chance;
  const asked = failed.kind === 'answer' ? readRetryAfter(failed.retryAfter, now) : null;
  // The jitter is on top, so that callers who were refused together do not come back together.
  return asked === null ? wait : asked + FIRST_WAIT_MS * chance;
}

function isRepeatable({ failed, repeat }: RetryQuestion): boolean {
  if (failed.kind !== 'answer') return repeat !== 'never';
  const { status, reason } = failed;
  if (reason !== null && LASTING.includes(reason)) return false;
  const isPassing = PASSING.includes(status) || (status === 409 && PASSING_CONFLICTS.includes(reason ?? ''));
  return isPassing && (repeat !== 'never' || NOTHING_DONE.includes(reason ?? ''));
}

/** The milliseconds of a `retry-after`, in seconds or as a date; null for anything else. */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
