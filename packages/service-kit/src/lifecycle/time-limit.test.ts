import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTimeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const waitForAbort = (signal: AbortSignal): Promise<unknown> => once(signal, 'abort');

test('work whose time is over is told so, also when the collector has run before', async () => {
  const outer = new AbortController();
  // Only whoever waits holds the signal, as in a call that hangs.
  const waiting = waitForAbort(createTimeLimit(200, outer.signal).signal).then(() => 'ended');
  await pause(50);
  collectGarbage();
  expect(await Promise.race([waiting, pause(5_000, 'forgotten', { ref: false })])).toBe('ended');
});

test('the reason says whether it was the time or the one who asked', async () => {
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

test('work that is done is not ended any more', async () => {
  const outer = new AbortController();
  const { signal, clearLimit } = createTimeLimit(1, outer.signal);
  clearLimit();
  outer.abort();
  await pause(20);
  expect(signal.aborted).toBe(false);
});
