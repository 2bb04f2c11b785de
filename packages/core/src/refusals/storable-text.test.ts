import { expect, test } from '@jest/globals';
import { cutStorableText, toStorable, toStorableText } from './storable-text.js';

test.each([
  ['a plain text', 'sold out', 'sold out'],
  ['an empty text', '', ''],
  ['a NUL', 'sold\0 out\0', 'sold out'],
  ['the first half of a pair', 'a\ud83db', 'a\ufffdb'],
  ['the second half of a pair', 'a\ude00b', 'a\ufffdb'],
  ['a whole pair', 'a😀b', 'a😀b'],
  ['a backslash before what looks like a NUL', '\\u0000', '\\u0000'],
])('%s becomes storable', (_, text, stored) => {
  expect(toStorableText(text)).toBe(stored);
});

test.each([
  ['a text that fits', 'abc', 'abc'],
  ['a text that is too long', 'abcd', 'abc'],
  ['a NUL does not count', 'a\0bc', 'abc'],
  ['a pair that fits', 'a😀', 'a😀'],
  ['a pair at the cut', 'ab😀', 'ab'],
  ['half of a pair at the cut', 'ab\ud83d', 'ab\ufffd'],
])('at most three units of a text: %s', (_, text, cut) => {
  expect(cutStorableText(text, 3)).toBe(cut);
});

test('every text of a message becomes storable, also the names of members', () => {
  const bytes = Buffer.from([0, 1]);
  const at = new Date(0);
  const message = { id: 'a\0', lines: [{ name: '\ud83d' }, 'b\0'], bytes, at, amount: 5n, none: null, 'x\0': true };
  expect(toStorable(message)).toEqual({
    ...{ id: 'a', lines: [{ name: '\ufffd' }, 'b'], bytes, at, amount: 5n, none: null, x: true },
  });
});

test('a message that is storable is returned as it is', () => {
  const message = { id: 'a', lines: [{ name: 'b' }], at: new Date(0) };
  expect(toStorable(message)).toBe(message);
});

test('a message that is nested too deep is cut instead of overflowing the stack', () => {
  let nested: unknown = 'a\0';
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  expect(JSON.stringify(toStorable(nested))).toBe(`${'['.repeat(100)}null${']'.repeat(100)}`);
});
