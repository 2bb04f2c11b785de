import { afterAll, expect, test } from '@jest/globals';
import { formatMoment } from './format-time.js';

afterAll(() => {
  Reflect.deleteProperty(globalThis, 'navigator');
});

test.each([
  ['en', 'en-GB', /^27\u00a0Nov\u00a02026, \d\d:29:45$/],
  ['en', 'en-US', /^Nov\u00a027,\u00a02026, \d{1,2}:29:45\s[AP]M$/],
  ['de', 'de-DE', /^27\.11\.2026, \d\d:29:45$/],
])('in %s for %s, a moment wraps before its time only', (language, region, expected) => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [region] }, configurable: true });
  expect(formatMoment('2026-11-27T04:29:45Z', language)).toMatch(expected);
});
