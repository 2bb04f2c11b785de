import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PORTAL_PERMISSIONS, type PortalUserId } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import { createPortalUser } from '@pos/administration/portal';
import { toSecret } from '@pos/service-kit/config';
import { formatPortalToken, type PortalTokenSubject } from '@pos/service-kit/portal';
import { listAuditEntries } from '@pos/store/repositories';
import { RUNS_AT_ONCE_MAX } from './runs/run-service.js';
import { type Restaurant, TESTER_PORTAL_KEY, TesterTestEnvironment } from './testing/tester-environment.js';

let testEnvironment: TesterTestEnvironment;
let restaurant: Restaurant;
let other: Restaurant;
let actor: PortalUserId;

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
  restaurant = await testEnvironment.createRestaurant('dialled');
  other = await testEnvironment.createRestaurant('dialled');
  const user = { email: 'ann@corner.example', password: 'a heron for 7 tests', name: 'Ann Lee', isOperator: false };
  const change = { actor: 'test', reason: 'a test' };
  actor = (await createPortalUser(testEnvironment.store.database, change, user)).id;
}, 60_000);

afterAll(() => testEnvironment.close());

const FLOW = { flow: 'ListSessions' };

/** Sends a request with a token of the portal, which may be for something else. */
async function send(
  method: 'GET' | 'POST',
  { path = '/flows', body, signed = {}, key = TESTER_PORTAL_KEY }: PortalSent = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const permissions = PORTAL_PERMISSIONS.developer;
  const subject = { scope: restaurant.scope, actor, permissions, method, path, body: bytes, ...signed };
  const authorization = formatPortalToken(subject, toSecret(key), Date.now());
  return testEnvironment.request(method, path, { headers: { authorization }, ...(body !== undefined && { body }) });
}

interface PortalSent {
  readonly path?: string;
  readonly body?: object;
  readonly signed?: Partial<PortalTokenSubject>;
  readonly key?: string;
}

test('a developer of the portal starts a run of the own account and reads it, and the audit log names the user', async () => {
  const started = await send('POST', { body: FLOW });
  expect(started.status).toBe(200);
  const path = `/flows/${String(started.body)}`;
  expect(await testEnvironment.waitForEnd(restaurant, String(started.body))).toMatchObject({ status: 'SUCCESS' });
  expect(await send('GET', { path })).toMatchObject({ status: 200, body: { flowName: 'ListSessions' } });
  const entries = await testEnvironment.store.database.read(restaurant.scope, (reader) =>
    listAuditEntries(reader, { before: null, limit: 20 }),
  );
  expect(entries.filter(({ action }) => action === 'PortalRequest')).toMatchObject([{ actor, subject: 'POST /flows' }]);
});

test('the user of another account reads nothing of this one', async () => {
  const started = await send('POST', { body: FLOW });
  const path = `/flows/${String(started.body)}`;
  expect(await send('GET', { path, signed: { scope: other.scope } })).toMatchObject({
    status: 404,
    body: { reason: 'flow_not_found' },
  });
  await testEnvironment.waitForEnd(restaurant, String(started.body));
});

test.each([
  ['with the key of nobody', { key: 'another key of the portal, which is long enough' }],
  ['for another path', { signed: { path: '/flows?x=1' } }],
  ['for another method', { signed: { method: 'GET' } }],
  ['for another body', { signed: { body: Buffer.from('{"flow":"SearchReservations"}') } }],
  [
    'for an unknown account',
    { signed: { scope: { accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA', environment: 'sandbox' } } },
  ],
] as const)('a token %s starts nothing', async (_, sent) => {
  expect(await send('POST', { body: FLOW, ...sent })).toMatchObject({
    status: 401,
    body: { reason: 'unauthenticated' },
  });
});

test('a token that arrives twice starts one run', async () => {
  const body = Buffer.from(JSON.stringify(FLOW));
  const subject = { scope: restaurant.scope, actor, permissions: PORTAL_PERMISSIONS.developer };
  const authorization = formatPortalToken(
    { ...subject, method: 'POST', path: '/flows', body },
    toSecret(TESTER_PORTAL_KEY),
    Date.now(),
  );
  const sendAgain = () => testEnvironment.request('POST', '/flows', { headers: { authorization }, body: FLOW });
  const first = await sendAgain();
  expect(first.status).toBe(200);
  expect(await sendAgain()).toMatchObject({ status: 401 });
  await testEnvironment.waitForEnd(restaurant, String(first.body));
});

test.each(['viewer', 'support'] as const)('a %s may neither start nor list flows', async (role) => {
  const signed = { permissions: PORTAL_PERMISSIONS[role] };
  expect(await send('POST', { body: FLOW, signed })).toMatchObject({
    status: 403,
    body: { reason: 'permission_missing' },
  });
  expect(await send('GET', { signed })).toMatchObject({ status: 403 });
});

test('production has no runs', async () => {
  const signed = { scope: { ...restaurant.scope, environment: 'production' as const } };
  expect(await send('POST', { body: FLOW, signed })).toMatchObject({
    status: 403,
    body: { reason: 'permission_missing' },
  });
});

test('one run more than an account may have at once is refused', async () => {
  const busy = await testEnvironment.createRestaurant('dialled');
  busy.epos.faults.replaceFaults([{ effect: 'slow', method: 'ListSessions', delayMs: 2_000 }]);
  const start = () => send('POST', { body: FLOW, signed: { scope: busy.scope } });
  const started: string[] = [];
  for (let at = 0; at < RUNS_AT_ONCE_MAX; at += 1) started.push(String((await start()).body));
  expect(await start()).toMatchObject({ body: { reason: 'flow_runs_exhausted' } });
  for (const id of started) await testEnvironment.waitForEnd(busy, id);
  expect((await start()).status).toBe(200);
});

test('a disabled account starts no run', async () => {
  const disabled = await testEnvironment.createRestaurant('dialled');
  const change = { actor: 'test', reason: 'a test' };
  const scope = { ...disabled.scope, environment: 'production' as const };
  await testEnvironment.store.database.transact(scope, (tx) => disableAccount(tx, change));
  expect(await send('POST', { body: FLOW, signed: { scope: disabled.scope } })).toMatchObject({ status: 401 });
});
