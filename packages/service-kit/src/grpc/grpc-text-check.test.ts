import { expect, test } from '@jest/globals';
import { getOutcome } from '@pos/core/testing';
import { requireStorableText } from './grpc-text-check.js';

test.each([
  ['a session id', { sessionId: 'S-1\0' }, 'session_id'],
  [
    'a text deep inside',
    { payment: { methodDetails: { info: { authCode: '\0' } } } },
    'payment.method_details.info.auth_code',
  ],
  ['one of several', { tableNames: ['1', '2\0'] }, 'table_names.1'],
])('a NUL in %s is refused by its name', (_, message, member) => {
  expect(getOutcome(() => requireStorableText(message))).toBe('validation_failed');
  expect(() => requireStorableText(message)).toThrow(
    expect.objectContaining({ members: { [member]: expect.any(Array) } }),
  );
});

test.each([
  ['no text', {}],
  ['bytes, which may hold anything', { message: new Uint8Array([0]) }],
  ['other control characters', { note: '\u0001\n' }],
  ['what is absent', { note: undefined, at: new Date(0), amount: 1n }],
])('%s passes', (_, message) => {
  expect(() => requireStorableText(message)).not.toThrow();
});
