import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Environment, PERMISSIONS, type PortalUserId } from '@pos/core/identity';
import { changeTestSettings } from '@pos/payments/testing';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { toSecret } from '@pos/service-kit/config';
import { formatPortalToken } from '@pos/service-kit/portal';
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

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const createUser = () =>
  testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, (tx) => tx.newId('portalUser'));

/** Sends a request as the portal does for a user. */
function sendAs(actor: PortalUserId, { method, path, body }: SentRequest, environment: Environment = 'sandbox') {
  const bytes = Buffer.from(JSON.stringify(body));
  const scope = { ...testEnvironment.sandbox, environment };
  const subject = { scope, actor, permissions: PERMISSIONS, method, path, body: bytes };
  const authorization = formatPortalToken(subject, toSecret(PORTAL_KEY), Date.now());
  return testEnvironment.sendRequest(method, path, {
    headers: { idempotencyKey: randomUUID(), authorization },
    body: bytes,
  });
}

/** Sends a request of the operation as the portal does for a user, or with the key of a program. */
async function send(id: SecondPersonOperation, by: 'user' | 'program') {
  const { path, body } = await SECOND_PERSON_REQUESTS[id](testEnvironment);
  const { method = 'POST' } = API_OPERATIONS.find((operation) => operation.id === id) ?? {};
  if (by === 'user') return sendAs(await createUser(), { method, path, body });
  const bytes = Buffer.from(JSON.stringify(body));
  return testEnvironment.sendRequest(method, path, { headers: { idempotencyKey: randomUUID() }, body: bytes });
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

test('refunds of a user without a payment count together', async () => {
  const { testDatabase, sandbox } = testEnvironment;
  await changeTestSettings(testDatabase.database, sandbox, { 'fourEyes.giveBacksAbove': { GBP: '3000' } });
  const user = await createUser();
  const giveBack = async () => {
    const { path, body } = await SECOND_PERSON_REQUESTS.createTerminalSession(testEnvironment);
    return sendAs(user, { method: 'POST', path, body });
  };
  expect((await giveBack()).status).toBe(200);
  expect(parseProblem(await giveBack())).toMatchObject({ status: 403, reason: 'second_person_needed' });
});

test('a user creates no production key that gives money back in an account with a limit', async () => {
  const user = await createUser();
  const create = (permissions: readonly string[], environment: Environment) =>
    sendAs(user, { method: 'POST', path: '/api-keys', body: { label: 'till', permissions } }, environment);
  const refused = await create(['payments.read', 'payments.refund'], 'production');
  expect(parseProblem(refused)).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect((await create(['payments.read'], 'production')).status).toBe(200);
  expect((await create(['payments.refund'], 'sandbox')).status).toBe(200);
});
