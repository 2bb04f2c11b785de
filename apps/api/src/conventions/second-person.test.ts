import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERMISSIONS } from '@pos/core/identity/permissions';
import { changeTestSettings } from '@pos/payments/testing/account-settings';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { toSecret } from '@pos/service-kit/config/config';
import { formatPortalToken } from '@pos/service-kit/portal/portal-token';
import { PORTAL_KEY } from '../testing/api-settings.js';
import { ApiTestEnvironment, parseProblem } from '../testing/api-test-environment.js';
import { SECOND_PERSON_REQUESTS, type SecondPersonOperation } from '../testing/second-person-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  const { testDatabase, sandbox } = testEnvironment;
  await changeTestSettings(testDatabase.database, sandbox, { 'fourEyes.giveBacksAbove': { GBP: '0' } });
});
afterAll(() => testEnvironment.close());

/** Sends a request of the operation as the portal does for a user, or with the key of a program. */
async function send(id: SecondPersonOperation, by: 'user' | 'program') {
  const { sandbox: scope, testDatabase } = testEnvironment;
  const { path, body } = await SECOND_PERSON_REQUESTS[id](testEnvironment);
  const { method = 'POST' } = API_OPERATIONS.find((operation) => operation.id === id) ?? {};
  const bytes = Buffer.from(JSON.stringify(body));
  const actor = await testDatabase.database.transact(scope, (tx) => tx.newId('portalUser'));
  const subject = { scope, actor, permissions: PERMISSIONS, method, path, body: bytes };
  const authorization = formatPortalToken(subject, toSecret(PORTAL_KEY), Date.now());
  const headers = { idempotencyKey: randomUUID(), ...(by === 'user' && { authorization }) };
  return testEnvironment.sendRequest(method, path, { headers, body: bytes });
}

const OPERATIONS = Object.keys(SECOND_PERSON_REQUESTS) as SecondPersonOperation[];

test.each(OPERATIONS)('%s of a user of the portal needs a second person above the limit', async (id) => {
  const answer = await send(id, 'user');
  expect([answer.status, parseProblem(answer).reason]).toEqual([403, 'second_person_needed']);
});

test.each(OPERATIONS)('%s of a program needs none', async (id) => {
  const answer = await send(id, 'program');
  expect(answer.text).not.toContain('second_person_needed');
});
