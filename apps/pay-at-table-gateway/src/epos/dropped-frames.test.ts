import { expect, test } from '@jest/globals';
import { DroppedFrames } from './dropped-frames.js';

const MINUTE_MS = 60_000;

test.each([
  // frames at these times of the first minute, then one of the second; lines written, counted in a line of their own
  ['a few are noted one by one', 3, 4, []],
  ['as many as are noted in a minute', 20, 21, []],
  ['one more than that is counted', 21, 21, [1]],
  ['a flood is twenty lines and a number', 100_000, 21, [99_980]],
])('%s: %i frames', (_, frames, noted, counted) => {
  const { dropped, lines, advance } = place();
  for (let frame = 0; frame < frames; frame += 1) dropped.note('epos.unreadable', { reason: 'no JSON' });
  advance(MINUTE_MS);
  dropped.note('epos.answer_dropped', {});
  expect(lines.filter(({ event }) => event !== 'epos.frames_dropped')).toHaveLength(noted);
  expect(lines.flatMap(({ event, count }) => (event === 'epos.frames_dropped' ? [count] : []))).toEqual(counted);
});

test('what was counted is said when the connection ends, once', () => {
  const { dropped, lines } = place();
  for (let frame = 0; frame < 25; frame += 1) dropped.note('epos.unreadable', { reason: 'no JSON' });
  dropped.end();
  dropped.end();
  expect(lines.slice(20)).toEqual([{ event: 'epos.frames_dropped', connection_id: 'one', count: 5 }]);
});

function place() {
  let nowMs = 1_000;
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { info: (event: string, fields = {}): void => void lines.push({ event, ...fields }) };
  const advance = (byMs: number): void => void (nowMs += byMs);
  return { dropped: new DroppedFrames(log, 'one', () => nowMs), lines, advance };
}
