import { expect, test } from '@jest/globals';
import { DroppedFrameLog } from './dropped-frames.js';

const MINUTE_MS = 60_000;

test.each([
  // frames at these times of the first minute, then one of the second; lines written, counted in a line of their own
  ['a few are noted one by one', 3, 4, []],
  ['as many as are noted in a minute', 20, 21, []],
  ['one more than that is counted', 21, 21, [1]],
  ['a flood is twenty lines and a number', 100_000, 21, [99_980]],
])('%s: %i frames', (_, createFrameLog, logLines, summary) => {
  const { dropped, lines, advance } = CONNECTION();
  for (let frame = 0; frame < createFrameLog; frame += 1) dropped.logDropped('epos.unreadable', { reason: 'no JSON' });
  advance(MINUTE_MS);
  dropped.logDropped('epos.answer_dropped', {});
  expect(lines.filter(({ event }) => event !== 'epos.frames_dropped')).toHaveLength(logLines);
  expect(lines.flatMap(({ event, count }) => (event === 'epos.frames_dropped' ? [count] : []))).toEqual(summary);
});

test('what was counted is said when the connection ends, once', () => {
  const { dropped, lines } = CONNECTION();
  for (let frame = 0; frame < 25; frame += 1) dropped.logDropped('epos.unreadable', { reason: 'no JSON' });
  dropped.flushCount();
  dropped.flushCount();
  expect(lines.slice(20)).toEqual([{ event: 'epos.frames_dropped', connection_id: 'one', count: 5 }]);
});

function CONNECTION() {
  let nowMs = 1_000;
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { info: (event: string, fields = {}): void => void lines.push({ event, ...fields }) };
  const advance = (byMs: number): void => void (nowMs += byMs);
  return { dropped: new DroppedFrameLog(log, 'one', () => nowMs), lines, advance };
}
