import { expect, test } from '@jest/globals';
import { UserActivity } from './user-activity.js';

test('a page counts as used for a minute after it was opened, and after each input', () => {
  let now = 0;
  const page = new EventTarget();
  const activity = new UserActivity(() => now);
  activity.observe(page);
  const isRecentAt = (at: number): boolean => {
    now = at;
    return activity.isRecent();
  };
  expect([isRecentAt(60_000), isRecentAt(60_001)]).toEqual([true, false]);
  page.dispatchEvent(new Event('focus'));
  expect(isRecentAt(60_002)).toBe(false);
  page.dispatchEvent(new Event('keydown'));
  expect([isRecentAt(120_002), isRecentAt(120_003)]).toEqual([true, false]);
});
