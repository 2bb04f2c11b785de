import { expect, test } from '@jest/globals';
import { formatBar, openProgress } from './progress-bar.js';

test.each<[number, number | null, string]>([
  [0, 4, '[------------------------] 0 of 4'],
  [1, 4, '[######------------------] 1 of 4'],
  [4, 4, '[########################] 4 of 4'],
  [9, 4, '[########################] 9 of 4'],
  [0, 0, '[########################] 0 of 0'],
  [0, null, '[#-----------------------]'],
  [23, null, '[-----------------------#]'],
  [24, null, '[#-----------------------]'],
])('%i of %s is shown as %s', (done, total, bar) => {
  expect(formatBar(done, total)).toBe(bar);
});

function record(columns: number | null) {
  const written: string[] = [];
  return { written, progress: openProgress('Sending', { columns, writeError: (text) => written.push(text) }) };
}

test('without a terminal nothing is written, and the work is done', async () => {
  const { written, progress } = record(null);
  progress.update(1, 2);
  progress.end();
  expect(await progress.during(Promise.resolve('done'))).toBe('done');
  await expect(progress.during(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(written).toEqual([]);
});

test('a line is replaced, is no wider than the terminal, and is removed at the end', () => {
  const { written, progress } = record(20);
  progress.update(1, 2);
  progress.end();
  expect(written).toEqual(['\r\u001B[KSending [##########', '\r\u001B[K']);
});

test('the line is removed also when the work fails', async () => {
  const { written, progress } = record(80);
  await expect(progress.during(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(written).toEqual(['\r\u001B[K']);
});
