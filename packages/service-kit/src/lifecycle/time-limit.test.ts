import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTimeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const waitForAbort = (signal: AbortSignal): Promise<unknown> => once(signal, 'abort');

test('the signal is aborted at the time limit, also after a garbage collection', async () => {
  const outer = new AbortController();
  // Only the waiting promise references the signal, as in a call without an answer.
  const waiting = waitForAbort(createTimeLimit(200, outer.signal).signal).then(() => 'ended');
  await pause(50);
  collectGarbage();
  expect(await Promise.race([waiting, pause(5_000, 'collected', { ref: false })])).toBe('ended');
});

test('the reason distinguishes the time limit from the outer signal', async () => {
  const late = createTimeLimit(1, null);
  await waitForAbort(late.signal);
  expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
  const outer = new AbortController();
  const stopped = createTimeLimit(60_000, outer.signal);
  outer.abort(new Error('not wanted'));
  expect(stopped.signal.reason).toMatchObject({ message: 'not wanted' });
  stopped.clearLimit();
  expect(createTimeLimit(60_000, outer.signal).signal.aborted).toBe(true);
});

test('a cleared limit aborts nothing', async () => {
  const outer = new AbortController();
  const { signal, clearLimit } = createTimeLimit(1, outer.signal);
  clearLimit();
  outer.abort();
  await pause(20);
  expect(signal.aborted).toBe(false);
});
