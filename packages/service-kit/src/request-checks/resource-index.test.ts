import { expect, test } from '@jest/globals';
import type { Operation } from '@pos/rest-contracts/operation';
import { canonicalPath, indexResources } from './resource-index.js';

function createTestOperation(method: Operation['method'], path: string): Operation {
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

const resourceIndex = indexResources([
  createTestOperation('POST', '/intents'),
  createTestOperation('GET', '/intents/{id}'),
  createTestOperation('DELETE', '/intents/{id}'),
  createTestOperation('POST', '/intents/search'),
  createTestOperation('GET', '/intents/public/{id}'),
  createTestOperation('POST', '/intents/{id}/captures'),
]);

test.each([
  ['/intents', 'POST, OPTIONS'],
  ['/intents/', 'POST, OPTIONS'],
  ['/intents/pi_1', 'GET, HEAD, DELETE, OPTIONS'],
  ['/intents/search', 'POST, OPTIONS'],
  ['/intents/SEARCH', 'GET, HEAD, DELETE, OPTIONS'],
  // No operation has the fixed word alone, so it is an id.
  ['/intents/public', 'GET, HEAD, DELETE, OPTIONS'],
  ['/intents/public/pi_1', 'GET, HEAD, OPTIONS'],
  ['/intents/public/captures', 'GET, HEAD, OPTIONS'],
  ['/intents/pi_1/captures/', 'POST, OPTIONS'],
])('%s allows %s', (path, allow) => {
  expect(resourceIndex(path)?.allow).toBe(allow);
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
])('%j is not found', (path) => {
  expect(resourceIndex(path)).toBeNull();
});

test('two operations cannot have one method and path', () => {
  expect(() => indexResources([createTestOperation('GET', '/a/{b}'), createTestOperation('GET', '/a/{c}')])).toThrow(
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
