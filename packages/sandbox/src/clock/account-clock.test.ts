import { expect, test } from '@jest/globals';
import { AccountClock } from './account-clock.js';
import { ManualClock } from './simulation-clock.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const addMilliseconds = (ms: number): Date => new Date(NOON.getTime() + ms);

function createClocks() {
  const base = new ManualClock(NOON);
  const steps: number[] = [];
  const clock = new AccountClock(base, (byMs) => steps.push(byMs));
  const done: string[] = [];
  for (const seconds of [30, 10, 200]) clock.schedule(seconds * 1_000, () => done.push(`${seconds} s`));
  return { base, steps, clock, done };
}

test('without a step it shows the time of its base clock', async () => {
  const { base, clock, done, steps } = createClocks();
  clock.observeServiceTime(NOON);
  await base.advanceBy(40_000);
  clock.observeServiceTime(addMilliseconds(40_000));
  expect([done, steps]).toEqual([['10 s', '30 s'], []]);
});

test('a step of the account clock makes tasks due earlier, in their order, and counts once however many machines report it', async () => {
  const { base, clock, done, steps } = createClocks();
  clock.observeServiceTime(NOON);
  for (let published = 0; published < 10; published += 1) clock.observeServiceTime(addMilliseconds(115_000));
  expect([done, steps]).toEqual([['10 s', '30 s'], [115_000]]);
  await base.advanceBy(84_999);
  expect(done).toHaveLength(2);
  await base.advanceBy(1);
  expect(done).toEqual(['10 s', '30 s', '200 s']);
});

test('the first observed offset moves nothing, and time never goes back', () => {
  const { clock, done, steps } = createClocks();
  clock.observeServiceTime(addMilliseconds(3_600_000));
  clock.observeServiceTime(addMilliseconds(1_800_000));
  expect([done, steps]).toEqual([[], []]);
});

test('a canceled task does not run, even if an earlier task of the same step cancels it', () => {
  const { clock, done } = createClocks();
  clock.observeServiceTime(NOON);
  const cancel = clock.schedule(20_000, () => done.push('cancelled'));
  clock.schedule(15_000, () => {
    cancel();
  });
  clock.observeServiceTime(addMilliseconds(60_000));
  expect(done).toEqual(['10 s', '30 s']);
});

test('what a due task schedules in turn runs at its own time, too, in the order of all', () => {
  const { clock, done } = createClocks();
  clock.observeServiceTime(NOON);
  clock.schedule(5_000, () => {
    clock.schedule(20_000, () => done.push('25 s'));
    clock.schedule(60_000, () => done.push('65 s'));
  });
  clock.observeServiceTime(addMilliseconds(40_000));
  expect(done).toEqual(['10 s', '25 s', '30 s']);
  clock.observeServiceTime(addMilliseconds(65_000));
  expect(done.at(-1)).toBe('65 s');
});

test('its timestamps are the time of the account, from the first message on', async () => {
  const { clock, base } = createClocks();
  clock.observeServiceTime(addMilliseconds(400));
  expect(clock.getTimestamp()).toEqual(NOON);
  clock.observeServiceTime(addMilliseconds(864_000_000));
  await base.advanceBy(1_000);
  expect(clock.getTimestamp().getTime() - NOON.getTime()).toBeGreaterThanOrEqual(864_000_000);
  const { clock: late } = createClocks();
  late.observeServiceTime(addMilliseconds(864_000_000));
  expect(late.getTimestamp()).toEqual(addMilliseconds(864_000_000));
});
