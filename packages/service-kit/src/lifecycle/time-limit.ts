/** A limit for some work: aborted after its time, or when the outer signal is aborted. */
export interface TimeLimit {
  /** Aborted with the outer signal's reason or a TimeoutError. */
  readonly signal: AbortSignal;
  /** Called once the work is done; nothing is aborted after that. */
  readonly clearLimit: () => void;
}

/**
 * Limits work by time and by a signal. Not `AbortSignal.any` with `AbortSignal.timeout`, because Node 20 collects the
 * combined signal before its time, and the limited work then never ends.
 */
export function createTimeLimit(ms: number, outer: AbortSignal | null): TimeLimit {
  const limit = new AbortController();
  const abortLimit = (): void => {
    clearTimeout(timer);
    limit.abort(outer?.reason);
  };
  const timer = setTimeout(() => {
    limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  if (outer?.aborted === true) abortLimit();
  outer?.addEventListener('abort', abortLimit, { once: true });
  return {
    signal: limit.signal,
    clearLimit: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abortLimit);
    },
  };
}
