import { expect, test } from '@jest/globals';
import type { Operation } from '@pos/rest-contracts/operation';
import { canonicalPath, indexResources } from './resources.js';

function operation(method: Operation['method'], path: string): Operation {
  return {
    id: `${method} ${path}`,
    method,
    path,
    tag: 'Intents',
    summary: 'Do something',
    permission: null,
    version: 'none',
    idempotency: 'none',
    returns: null,
    refusals: [],
  };
}

const resources = indexResources([
  operation('POST', '/intents'),
  operation('GET', '/intents/{id}'),
  operation('DELETE', '/intents/{id}'),
  operation('POST', '/intents/search'),
  operation('GET', '/intents/public/{id}'),
  operation('POST', '/intents/{id}/captures'),
]);

test.each([
  ['/intents', 'POST, OPTIONS'],
  ['/intents/', 'POST, OPTIONS'],
  ['/intents/pi_1', 'GET, HEAD, DELETE, OPTIONS'],
  ['/intents/search', 'POST, OPTIONS'],
  ['/intents/SEARCH', 'GET, HEAD, DELETE, OPTIONS'],
  // The word alone leads nowhere, so it is an id after all.
  ['/intents/public', 'GET, HEAD, DELETE, OPTIONS'],
  ['/intents/public/pi_1', 'GET, HEAD, OPTIONS'],
  ['/intents/public/captures', 'GET, HEAD, OPTIONS'],
  ['/intents/pi_1/captures/', 'POST, OPTIONS'],
])('%s allows %s', (path, allow) => {
  expect(resources(path)?.allow).toBe(allow);
});

test.each([
  '/',
  '',
  '/intent',
  '/intents//',
  '/intents/pi_1//captures',
  '/intents/pi_1/captures/x',
  '//intents',
  `/${'a/'.repeat(5000)}`,
])('%j is nowhere', (path) => {
  expect(resources(path)).toBeNull();
});

test('two operations cannot have one method and path', () => {
  expect(() => indexResources([operation('GET', '/a/{b}'), operation('GET', '/a/{c}')])).toThrow(
    'same method and path',
  );
});

test.each([
  ['/a/', '/a'],
  ['/a', '/a'],
  ['/', '/'],
])('%s is written %s', (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical);
});
