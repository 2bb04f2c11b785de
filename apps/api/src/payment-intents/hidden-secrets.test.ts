import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES, type Permission } from '@pos/core/identity';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const SETUP = { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' };

test.each<[string, readonly Permission[], boolean]>([
  ['everything', ROLES.full, true],
  ['writing', ['payments.read', 'payments.write', 'setup.read', 'setup.write'], true],
  ['taking online payments', ['payments.read', 'payments.online', 'setup.read', 'setup.write'], true],
  ['only reading', ROLES['read-only'], false],
  ['an EPOS', [...ROLES['epos-only'], 'setup.read'], false],
])('a key for %s sees client secrets of others: %s', async (_, permissions, isShown) => {
  const { id, clientSessionSecret } = await testEnvironment.createIntent();
  const setup = parseJson(await testEnvironment.sendRequest('POST', '/setup-intents', { body: SETUP }));
  const secrets = [String(clientSessionSecret), String(setup['clientSessionSecret'])];
  expect(secrets.map((secret) => secret.length)).toEqual([160, 160]);
  const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, permissions);
  const answers = await Promise.all([
    testEnvironment.sendRequest('GET', `/payment-intents/${id}`, { key }),
    testEnvironment.sendRequest('POST', '/payment-intents/search', { key, body: {} }),
    testEnvironment.sendRequest('GET', `/setup-intents/${String(setup['id'])}`, { key }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [read, search, setupRead] = answers.map(({ text }) => secrets.some((secret) => text.includes(secret)));
  expect([read, search, setupRead]).toEqual([isShown, isShown, isShown]);
});
