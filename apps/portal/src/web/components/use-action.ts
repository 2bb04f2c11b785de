import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ReceivedProblem, RequestProblem } from '../client/call-operation.js';
import { useGuarded } from '../shell/Reauthentication.js';
import { isDecided } from './decided-action.js';

/** The state of an action that changes something. */
export interface Action<Input> {
  readonly isBusy: boolean;
  readonly problem: ReceivedProblem | null;
  /** Resolves with whether it was done. */
  readonly run: (input: Input) => Promise<boolean>;
  readonly clear: () => void;
}

/**
 * Runs an action under one idempotency key until the service has answered: a repeat after a lost answer is the same
 * action. An answer that refuses frees the key, because a corrected request is another one.
 */
export function useAction<Input, Result>(
  perform: (input: Input, idempotencyKey: string) => Promise<Result>,
  { refreshes, onDone }: { readonly refreshes: readonly QueryKey[]; readonly onDone?: (result: Result) => void },
): Action<Input> {
  const client = useQueryClient();
  const guarded = useGuarded();
  const key = useRef<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReceivedProblem | null>(null);
  const run = async (input: Input): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    key.current ??= crypto.randomUUID();
    const idempotencyKey = key.current;
    try {
      const result = await guarded(() => perform(input, idempotencyKey));
      key.current = null;
      onDone?.(result);
      return true;
    } catch (error) {
      if (!(error instanceof RequestProblem)) throw error;
      if (isDecided(error.problem)) key.current = null;
      setProblem(error.problem);
      return false;
    } finally {
      setBusy(false);
      // Also after a failure: what is shown may be what it failed for.
      await Promise.all(refreshes.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  };
  return { isBusy, problem, run, clear: () => setProblem(null) };
}
