/** The end of some work: when its time is over, or when whoever asked for it does not want it any more. */
export interface TimeLimit {
  /** Aborted then, with the outer signal's reason or a TimeoutError. */
  readonly signal: AbortSignal;
  /** Called once the work is done; nothing is aborted after that. */
  readonly clearLimit: () => void;
}

/**
 * Limits work by time and by a signal. Of our own, because in Node 20 the signal that AbortSignal.any makes of
 * AbortSignal.timeout is forgotten by the collector before its time, and what hangs then hangs for ever.
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
