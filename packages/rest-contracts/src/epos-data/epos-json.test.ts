import { expect, test } from '@jest/globals';
import { readEposAnswer } from './epos-data-reading.js';
import { parseEposJson } from './epos-json.js';

test.each<[string, string, unknown]>([
  ['a text', '{"id":"118"}', { id: '118' }],
  ['a NUL, which is removed later', String.raw`"\u0000"`, '\0'],
  ['no JSON', '{"id":', undefined],
  ['no JSON with a NUL', String.raw`{"id":"\u0000`, undefined],
  ['nothing', '', undefined],
  // Read as a number, the second id would be that of the first order.
  [
    'ids with more digits than a number keeps',
    '[{"id": 1234567890123456788},{"id":1234567890123456789 },12345678901234567890]',
    [{ id: '1234567890123456788' }, { id: '1234567890123456789' }, '12345678901234567890'],
  ],
  ['the longest exact number', '{"id":9007199254740991}', { id: 9_007_199_254_740_991 }],
  [
    'a fraction and an exponent',
    '[0.12345678901234567890,1234567890123456789e2]',
    [0.123_456_789_012_345_68, 1.234_567_890_123_456_8e20],
  ],
  [
    'digits in names and texts',
    JSON.stringify({ '1234567890123456789': '", 1234567890123456789 ,"', text: ':1234567890123456789' }),
    { '1234567890123456789': '", 1234567890123456789 ,"', text: ':1234567890123456789' },
  ],
  ['a number with a zero before it', '{"id":01234567890123456789}', undefined],
])('an EPOS sends %s', (_, text, read) => {
  expect(parseEposJson(text)).toEqual(read);
});

test('an answer with more values than any order is refused before any of them is created', () => {
  expect(parseEposJson(`[${'{},'.repeat(2_000_000)}{}]`)).toBeUndefined();
  expect(parseEposJson(`[${'1,'.repeat(20_000)}1]`)).toHaveLength(20_001);
});

test('of an answer with many odd elements the good one is read, and a thousand are named', () => {
  const odd = Array.from({ length: 5_000 }, () => ({}));
  const good = { id: '1', details: { orderType: 'Collection' } };
  const startedAt = performance.now();
  const reading = readEposAnswer('SearchOrders', { data: [...odd, good], before: null, after: null });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(reading).toMatchObject({ ok: true, value: { data: [{ id: '1' }] } });
  expect(reading.unreadable).toHaveLength(1_000);
});
