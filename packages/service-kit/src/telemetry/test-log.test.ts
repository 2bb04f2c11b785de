import { expect, test } from '@jest/globals';
import { CLIENT_SECRET, CUSTOMER_SECRET, KEY, KNOWN } from '@pos/core/testing';
import { createLog } from './log.js';
import { TestLog } from '@pos/testing';

test.each([
  ['a card number', KNOWN, 'card number'],
  ['a card number in groups', '4456 5300 0009 1014', 'card number'],
  ['a card number in base64', Buffer.from(`"${KNOWN}"  `).toString('base64'), 'card number'],
  ['a CV2', 'asked with cV2=020&', 'CV2'],
  ['an API key', KEY, 'API key'],
  ['the secret of a payer', CLIENT_SECRET, 'client secret'],
  ['the secret of a customer', CUSTOMER_SECRET, 'customer secret'],
])('a line with %s fails the test that wrote it, and the failure does not repeat it', (_, secret, kind) => {
  const log = new TestLog();
  log.write(JSON.stringify({ event: 'http.answered', path: secret }));
  expect(() => log.expectNoLeaks()).toThrow(`http.answered tells a ${kind}`);
  log.write(JSON.stringify({ event: 'http.answered', path: secret }));
  const leaked = (() => {
    try {
      log.expectNoLeaks();
      return '';
    } catch (error) {
      return String(error);
    }
  })();
  expect(leaked).not.toContain(secret);
});

test('values that the log hides pass, and every line is kept', () => {
  const log = new TestLog();
  const written = createLog({ app: 'api', level: 'info', write: log.write });
  for (const secret of [KNOWN, KEY, CLIENT_SECRET]) written.info('http.answered', { path: secret });
  written.info('http.answered', { cV2: '020', card: '44565300****1014' });
  log.expectNoLeaks();
  expect(log.lines).toHaveLength(4);
});
