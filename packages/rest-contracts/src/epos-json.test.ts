import { expect, test } from '@jest/globals';
import { parseEposJson } from './epos-json.js';

test.each<[string, string, unknown]>([
  ['a text', '{"id":"118"}', { id: '118' }],
  ['a NUL, which is taken out where answers end', String.raw`"\u0000"`, '\0'],
  ['no JSON', '{"id":', undefined],
  ['no JSON with a NUL', String.raw`{"id":"\u0000`, undefined],
  ['nothing', '', undefined],
])('an EPOS says %s', (_, text, read) => {
  expect(parseEposJson(text)).toEqual(read);
});
