import { expect, test } from '@jest/globals';
import { parseEposJson } from './epos-json.js';

test.each<[string, string, unknown]>([
  ['a text', '{"id":"118"}', { id: '118' }],
  ['a NUL', String.raw`{"id":"1\u000018","at":[{"name":"\u0000"}]}`, { id: '118', at: [{ name: '' }] }],
  ['the first half of a pair', String.raw`["a\ud83db"]`, ['a\ufffdb']],
  ['the second half of a pair', String.raw`["a\uDE00b"]`, ['a\ufffdb']],
  ['a whole pair, written as two halves', String.raw`["\ud83d\ude00"]`, ['😀']],
  ['a backslash before what looks like a NUL', String.raw`["\\u0000"]`, ['\\u0000']],
  ['a text alone', String.raw`"\u0000"`, ''],
  ['no JSON', '{"id":', undefined],
  ['no JSON with a NUL', String.raw`{"id":"\u0000`, undefined],
  ['nothing', '', undefined],
])('an EPOS says %s', (_, text, read) => {
  expect(parseEposJson(text)).toEqual(read);
});
