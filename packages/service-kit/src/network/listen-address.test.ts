import { expect, test } from '@jest/globals';
import { stripBrackets, formatHostPort, isWildcardHost } from './listen-address.js';

test.each([
  ['127.0.0.1', '127.0.0.1', '127.0.0.1:5'],
  ['gateway.internal', 'gateway.internal', 'gateway.internal:5'],
  ['::', '::', '[::]:5'],
  ['[::]', '::', '[::]:5'],
  ['::1', '::1', '[::1]:5'],
  ['[2001:db8::1]', '2001:db8::1', '[2001:db8::1]:5'],
])('%s is %s for HTTP and %s for gRPC', (host, bare, both) => {
  expect([stripBrackets(host), formatHostPort(host, 5)]).toEqual([bare, both]);
});

test.each([
  ['0.0.0.0', true],
  ['0', true],
  ['::', true],
  ['[::]', true],
  ['0:0:0:0:0:0:0:0', true],
  ['[::0]', true],
  ['::ffff:0.0.0.0', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['[::1]', false],
  ['2001:db8::', false],
  ['localhost', false],
  ['no host', false],
])('%s is every address of the machine: %s', (host, is) => {
  expect(isWildcardHost(host)).toBe(is);
});
