import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '@pos/rest-contracts/operation';
import {
  ADMINISTRATION_OPERATIONS,
  PORTAL_OPERATIONS,
  PORTAL_SIMULATOR_OPERATIONS,
  readSignInOptions,
  readTestClock,
  SIGN_IN_STEP_OPERATIONS,
  signIn,
} from '@pos/rest-contracts/portal';
import { PortalTestEnvironment, type TestRequest } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
});
afterAll(() => environment.close());

/** A sign-in needs no session; it has none yet. */
const OPENING: readonly Operation[] = [signIn, ...SIGN_IN_STEP_OPERATIONS];
const CLOSED = PORTAL_OPERATIONS.filter((each) => each.id !== readSignInOptions.id && !OPENING.includes(each));
const named = (operations: readonly Operation[]): [string, Operation][] => operations.map((each) => [each.id, each]);

/** A request whose form every operation refuses: its query or its body. */
function sendUnreadable({ method, path }: Operation, request: TestRequest) {
  const concrete = path.replaceAll(/\{\w+\}/g, 'x');
  if (method === 'GET') return environment.send(method, `${concrete}?limit=x&account=x&environment=x`, request);
  return environment.send(method, concrete, { body: '{', ...request });
}

describe('a sender who may not call is refused before the body and the query are read', () => {
  test.each(named(CLOSED))('%s needs a session', async (_, operation) => {
    expect(await sendUnreadable(operation, {})).toMatchObject({ status: 401, reason: 'portal_session_missing' });
  });

  test.each(named([...CLOSED, ...OPENING]))('%s is refused to pages of another origin', async (_, operation) => {
    const cookie = await environment.signInAs('admin');
    const request = { cookie, headers: { 'sec-fetch-site': 'cross-site' } };
    expect(await sendUnreadable(operation, request)).toMatchObject({ status: 403, reason: 'cross_site_request' });
  });

  test.each(named(ADMINISTRATION_OPERATIONS))('%s is refused to who is no operator', async (_, operation) => {
    const cookie = await environment.signInAs('admin');
    expect(await sendUnreadable(operation, { cookie })).toMatchObject({ status: 403, reason: 'permission_missing' });
  });

  test.each(named([readTestClock, ...PORTAL_SIMULATOR_OPERATIONS]))(
    '%s is refused in production',
    async (_, operation) => {
      const production = { ...environment.own, environment: 'production' } as const;
      const cookie = await environment.signIn(await environment.createUser('admin', production));
      expect(await sendUnreadable(operation, { cookie })).toMatchObject({ status: 403, reason: 'permission_missing' });
    },
  );

  test.each([
    ['viewer', 'PATCH', '/portal/account-settings'],
    ['viewer', 'PUT', '/portal/simulator/acquirer'],
    ['support', 'PUT', '/portal/simulator/epos'],
  ] as const)('a %s may not %s %s', async (role, method, path) => {
    const cookie = await environment.signInAs(role);
    const answer = await environment.send(method, path, { cookie, body: '{' });
    expect(answer).toMatchObject({ status: 403, reason: 'permission_missing' });
  });
});
