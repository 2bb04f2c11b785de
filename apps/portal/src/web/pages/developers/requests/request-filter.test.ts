import { expect, test } from '@jest/globals';
import { findTraceId, RequestFilter } from './request-filter.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test('a whole filter is read from an address', () => {
  const filter = { outcome: 'Refused', status: 409, operation: 'createApiKey', keyId: 'key_x', after: 'c' } as const;
  expect(RequestFilter.parse({ ...filter, status: '409' })).toEqual(filter);
  expect(RequestFilter.withoutCursor(filter)).toEqual({
    ...{ outcome: 'Refused', status: 409, operation: 'createApiKey', keyId: 'key_x' },
  });
});

// oxfmt-ignore
test.each([
  ['an unknown outcome', { outcome: 'Lost' }],
  ['a status that is no number', { status: 'x' }],
  ['a status below 100', { status: 99 }],
  ['a status above 599', { status: 600 }],
  ['a status with a fraction', { status: 200.5 }],
  ['an operation that is no text', { operation: { a: 1 } }],
  ['an empty operation', { operation: '  ' }],
  ['an operation that is too long', { operation: 'x'.repeat(101) }],
  ['a cursor that is too long', { after: 'x'.repeat(401) }],
  ['an unknown member', { traceId: TRACE }],
])('%s is left out', (_, search) => {
  expect(RequestFilter.parse(search)).toEqual({});
});

test('of two cursors the one to newer requests counts', () => {
  expect(RequestFilter.parse({ before: 'a', after: 'b' })).toEqual({ before: 'a' });
});

test.each([
  [TRACE, TRACE],
  [`  ${TRACE.toUpperCase()} `, TRACE],
  [`00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
  [`${TRACE}0`, undefined],
  ['4bf92f35', undefined],
  ['', undefined],
])('in %j the trace is %j', (text, traceId) => {
  expect(findTraceId(text)).toBe(traceId);
});
