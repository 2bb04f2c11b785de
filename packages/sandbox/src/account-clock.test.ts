import { expect, test } from '@jest/globals';
import { AccountClock } from './account-clock.js';
import { ManualClock } from './clock.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const after = (ms: number): Date => new Date(NOON.getTime() + ms);

function clocks() {
  const base = new ManualClock(NOON);
  const leaps: number[] = [];
  const clock = new AccountClock(base, (byMs) => leaps.push(byMs));
  const done: string[] = [];
  for (const seconds of [30, 10, 200]) clock.after(seconds * 1_000, () => done.push(`${seconds} s`));
  return { base, leaps, clock, done };
}

test('without a leap it is the clock that it rests upon', async () => {
  const { base, clock, done, leaps } = clocks();
  clock.observe(NOON);
  await base.advance(40_000);
  clock.observe(after(40_000));
  expect([done, leaps]).toEqual([['10 s', '30 s'], []]);
});

test('a leap of the account brings nearer what is waited for, in its order, and once for all who tell of it', async () => {
  const { base, clock, done, leaps } = clocks();
  clock.observe(NOON);
  for (let told = 0; told < 10; told += 1) clock.observe(after(115_000));
  expect([done, leaps]).toEqual([['10 s', '30 s'], [115_000]]);
  await base.advance(84_999);
  expect(done).toHaveLength(2);
  await base.advance(1);
  expect(done).toEqual(['10 s', '30 s', '200 s']);
});

test('how far an account was ahead when it was first heard of moves nothing, and time never goes back', () => {
  const { clock, done, leaps } = clocks();
  clock.observe(after(3_600_000));
  clock.observe(after(1_800_000));
  expect([done, leaps]).toEqual([[], []]);
});

test('what is called off is not done, even by what came due before it', () => {
  const { clock, done } = clocks();
  clock.observe(NOON);
  const cancel = clock.after(20_000, () => done.push('called off'));
  clock.after(15_000, () => {
    cancel();
  });
  clock.observe(after(60_000));
  expect(done).toEqual(['10 s', '30 s']);
});
