import { expect, test } from '@jest/globals';
import type { ReferenceOperation } from '../data/reference-data.js';
import { createTrialRequest, type TrialInput } from './trial-request.js';

const string = { type: 'string' };
const OPERATION: ReferenceOperation = {
  ...{ id: 'listDeliveries', method: 'POST', path: '/webhooks/{subscriptionId}/deliveries', tag: 'Webhooks' },
  ...{ server: 'api', summary: '', description: '', permission: 'webhooks.read', answers: [], problems: [] },
  ...{ examples: [], schemas: {}, guides: [] },
  parameters: [
    { name: 'subscriptionId', in: 'path', required: true, schema: string },
    { name: 'state', in: 'query', required: false, schema: string },
    { name: 'version', in: 'header', required: true, schema: string },
    { name: 'idempotencyKey', in: 'header', required: false, schema: string },
  ],
  body: { isRequired: true, schema: { type: 'object' } },
};
const INPUT: TrialInput = {
  values: { subscriptionId: 'sub_1' },
  ...{ body: '{"a": 1}', idempotencyKey: 'key-1', release: '2025-09-10' },
};

test('a request goes to the portal, as a trial, in the release of the reader and without a key of the API', () => {
  expect(createTrialRequest(OPERATION, INPUT)).toEqual({
    path: '/portal/api/webhooks/sub_1/deliveries',
    init: {
      ...{ method: 'POST', credentials: 'same-origin', body: '{"a": 1}' },
      headers: {
        ...{ 'portal-trial': 'sandbox', version: '2025-09-10' },
        ...{ 'content-type': 'application/json', idempotencyKey: 'key-1' },
      },
    },
  });
});

test.each([
  ['an id with other meaning in addresses', { subscriptionId: '../x?y#z' }, '/webhooks/..%2Fx%3Fy%23z/deliveries'],
  ['blanks around an id', { subscriptionId: ' sub_1 ' }, '/webhooks/sub_1/deliveries'],
  ['a query', { subscriptionId: 's', state: 'a&b=c' }, '/webhooks/s/deliveries?state=a%26b%3Dc'],
  ['an empty query', { subscriptionId: 's', state: '' }, '/webhooks/s/deliveries'],
])('%s is one part of the address', (_, values, path) => {
  expect(createTrialRequest(OPERATION, { ...INPUT, values })).toMatchObject({ path: `/portal/api${path}` });
});

test.each([
  ['no id', { values: {} }, { missing: ['subscriptionId'], bodyError: null }],
  ['a blank id', { values: { subscriptionId: ' ' } }, { missing: ['subscriptionId'], bodyError: null }],
  ['no body', { body: '' }, { missing: [], bodyError: expect.stringContaining('JSON') }],
  ['a body that is cut', { body: '{"a": ' }, { missing: [], bodyError: expect.stringContaining('JSON') }],
  ['a body in another notation', { body: "{a: 'b'}" }, { missing: [], bodyError: expect.stringContaining('JSON') }],
])('%s is no request', (_, change, problem) => {
  expect(createTrialRequest(OPERATION, { ...INPUT, ...change })).toEqual(problem);
});

test('an optional body, and an empty key, are left out', () => {
  const operation = { ...OPERATION, body: { isRequired: false, schema: {} } };
  const request = createTrialRequest(operation, { ...INPUT, body: ' ', idempotencyKey: '' });
  expect(request).toMatchObject({ init: { headers: { 'portal-trial': 'sandbox', version: '2025-09-10' } } });
  expect(JSON.stringify(request)).not.toMatch(/content-type|idempotencyKey|"body"/);
});
