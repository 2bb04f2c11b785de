import { expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusal';
import fc from 'fast-check';
import { RateLimits } from './rate-limit.js';

const ALLOWANCE = { burst: 4, perSecond: 2 };

function limitsAt(): { readonly limits: RateLimits; readonly wait: (ms: number) => void } {
  let now = 0;
  return { limits: new RateLimits(() => now), wait: (ms) => (now += ms) };
}

/** How many of so many calls pass, and how long the first refused one is told to wait. */
function taken(limits: RateLimits, calls: number, name = 'key'): { readonly passed: number; readonly wait: unknown } {
  let passed = 0;
  let wait: unknown = null;
  for (let call = 0; call < calls; call += 1) {
    try {
      limits.take(name, ALLOWANCE);
      passed += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wait ??= error.data?.['retryAfterSeconds'];
    }
  }
  return { passed, wait };
}

test.each([
  ['a burst, and then no more', 0, 4],
  ['nothing before there is a whole token again', 499, 0],
  ['one more after half a second', 500, 1],
  ['two more after a second', 1_000, 2],
  ['no more than a burst, however long nobody called', 3_600_000, 4],
])('a caller gets %s', (_, afterMs, passes) => {
  const { limits, wait } = limitsAt();
  if (afterMs > 0) taken(limits, 10);
  wait(afterMs);
  expect(taken(limits, 10).passed).toBe(passes);
});

test('one caller has nothing of what another one spends', () => {
  const { limits } = limitsAt();
  taken(limits, 10, 'one');
  expect(taken(limits, 10, 'other').passed).toBe(4);
});

test('who waits as long as he was told gets through', () => {
  const { limits, wait } = limitsAt();
  const { wait: seconds } = taken(limits, 10);
  wait(Number(seconds) * 1000);
  expect(taken(limits, 1).passed).toBe(1);
});

test('whatever the pace, nobody gets more than the burst and what came back since', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 12 })), { maxLength: 30 }), (visits) => {
      const { limits, wait } = limitsAt();
      let passed = 0;
      let elapsedMs = 0;
      for (const [pauseMs, calls] of visits) {
        wait(pauseMs);
        elapsedMs += pauseMs;
        passed += taken(limits, calls).passed;
        expect(passed).toBeLessThanOrEqual(ALLOWANCE.burst + (elapsedMs / 1000) * ALLOWANCE.perSecond);
      }
    }),
  );
});
