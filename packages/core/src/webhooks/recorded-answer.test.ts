import { expect, test } from '@jest/globals';
import { recordAnswer } from './recorded-answer.js';

const record = (text: string): string | null => recordAnswer(Buffer.from(text));

test.each([
  ['ok', 'ok'],
  ['{"error":"no such order"}', '{"error":"no such order"}'],
  ['{\n  "error": 1\r\n}\u0000', '{   "error": 1 }'],
  ['too long '.repeat(40), 'too long '.repeat(40).slice(0, 200)],
  [`${'a '.repeat(99)}x😀 more`, `${'a '.repeat(99)}x`],
])('of the answer %j the beginning is recorded', (answer, recorded) => {
  expect(record(answer)).toBe(recorded);
});

test('bytes that are no text are left out', () => {
  expect(recordAnswer(Uint8Array.of(0x6f, 0x6b, 0xff, 0xfe, 0x00))).toBe('ok');
  expect(recordAnswer(Uint8Array.of(0xff, 0x00))).toBeNull();
});

// oxfmt-ignore
test.each([
  ['an empty answer', ''],
  ['an answer of spaces', ' \r\n\t '],
  ['a key of ours', '{"key":"sk_sandbox_9mX2qfF1S8aTtq0w6Yb3Zg"}'],
  ['a token', `token ${'aB3_'.repeat(10)}`],
  ['a token that begins at the end of what is stored', `${'a '.repeat(90)}${'aB3_'.repeat(10)}`],
  ['a header with credentials', 'authorization: Bearer abc'],
  ['a card number', 'declined for 4456 5300 0009 1014'],
  ['a card number that is cut at the end of what is stored', `${'a '.repeat(95)}4456530000091014`],
])('%s is not recorded', (_, answer) => {
  expect(record(answer)).toBeNull();
});
