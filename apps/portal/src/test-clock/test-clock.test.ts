import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { grantPortalRole } from '@pos/administration/portal';
import { PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
});
afterAll(() => environment.close());

const readClock = async (cookie: string | null): Promise<TestAnswer & { readonly reason: string | null }> => {
  const answer = await environment.send('GET', '/portal/test-clock', cookie === null ? {} : { cookie });
  return { ...answer, reason: readBody<{ reason?: string }>(answer.text).reason ?? null };
};

test('a viewer reads the time of the sandbox, as it was moved forward', async () => {
  const cookie = await environment.signInAs('viewer');
  const read = async () => Date.parse(readBody<{ now: string }>((await readClock(cookie)).text).now);
  const before = await read();
  await environment.change(
    `update sandbox_clocks set offset_ms = offset_ms + 86400000, standing_at = standing_at + interval '1 day'`,
  );
  expect((await read()) - before).toBeGreaterThanOrEqual(86_400_000);
});

test('production has no test clock', async () => {
  const email = await environment.createUser('viewer');
  const production = { ...environment.own, environment: 'production' as const };
  await grantPortalRole(
    environment.testDatabase.database,
    { actor: 'test', reason: 'a test' },
    { email, membership: { ...production, role: 'viewer' } },
  );
  const cookie = await environment.signIn(email);
  await environment.send('PUT', '/portal/session/account', { cookie, body: production });
  expect(await readClock(cookie)).toMatchObject({ status: 403, reason: 'permission_missing' });
});

test('nobody reads a test clock without a session', async () => {
  expect(await readClock(null)).toMatchObject({ status: 401, reason: 'portal_session_missing' });
});
