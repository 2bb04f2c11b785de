import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { changePortalUserStatus } from '@pos/administration/portal';
import { IdentityProvider } from '../testing/identity-provider.js';
import { testPaymentViews } from '../testing/payment-view-cases.js';
import { testProviderSignIn } from '../testing/provider-sign-in-cases.js';
import { PASSWORD, PortalTestEnvironment, readBody, type TestRequest } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await IdentityProvider.open();
  environment = await PortalTestEnvironment.open(provider.settings);
});
afterAll(async () => {
  await environment.close();
  await provider.close();
});

testPaymentViews(() => environment);
testProviderSignIn(() => ({ environment, provider }));

const read = (cookie: string | null) => environment.send('GET', '/portal/session', { cookie });
const signIn = (email: string, password: string, more: TestRequest = {}) =>
  environment.send('POST', '/portal/session', { body: { email, password }, ...more });

test('a user signs in, and the cookie is bound to the origin and out of reach of scripts', async () => {
  const email = await environment.createUser('support');
  const answer = await signIn(` ${email.toUpperCase()} `, PASSWORD);
  expect(answer.status).toBe(200);
  const [session, device] = [answer.headers['set-cookie'] ?? []].flat();
  expect(session).toMatch(/^__Host-pos-portal=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  expect(device).toMatch(
    /^__Host-pos-portal-device-[0-9a-f]{12}=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(JSON.parse(answer.text)).toMatchObject({
    user: { email, isOperator: false },
    current: { accountId: environment.own.accountId, role: 'support' },
    isReauthenticated: true,
  });
});

test('no row contains the id of a session or a password', async () => {
  const cookie = await environment.signInAs('viewer');
  const id = cookie.split('=')[1] ?? 'none';
  const rows = await environment.change(
    'select encode(id_hash, $1) as hash, u.password_hash from portal_sessions s join portal_users u on u.id = s.user_id',
    ['base64'],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(id);
  for (const row of rows) expect(row['password_hash']).toMatch(/^\$argon2id\$v=19\$m=/);
});

test.each<[string, (email: string) => Promise<unknown>, (email: string) => readonly [string, string]]>([
  ['a wrong password', async () => undefined, (email) => [email, 'another password']],
  ['the password in other letter case', async () => undefined, (email) => [email, PASSWORD.toUpperCase()]],
  ['an unknown user', async () => undefined, () => ['nobody@corner.example', PASSWORD]],
  [
    'a disabled user',
    (email) =>
      changePortalUserStatus(
        environment.testDatabase.database,
        { actor: 'test', reason: 'a test' },
        { email, status: 'Disabled' },
      ),
    (email) => [email, PASSWORD],
  ],
])('%s is refused with the same sentence', async (_, prepare, choose) => {
  const email = await environment.createUser('viewer');
  await prepare(email);
  const answer = await signIn(...choose(email));
  expect(answer).toMatchObject({ status: 401, reason: 'sign_in_refused' });
  expect(answer.text).toContain('The e-mail address or the password is wrong.');
  // A browser would ask for a password of its own.
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test.each([
  ['email', { password: PASSWORD }],
  ['password', { email: 'ann@corner.example' }],
  ['password', { email: 'ann@corner.example', password: 'x'.repeat(201) }],
])('a sign-in with a missing or too long %s names the member', async (member, body) => {
  const answer = await environment.send('POST', '/portal/session', { body });
  expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual([member]);
});

test.each<[string, string | null]>([
  ['another site', 'cross-site'],
  ['another host of the same site', 'same-site'],
  ['no page', 'none'],
  ['a program without the header', null],
])('a request of %s is refused, with and without a session', async (_, site) => {
  const cookie = await environment.signInAs('admin');
  const headers = { 'sec-fetch-site': site };
  expect(await signIn('ann@corner.example', PASSWORD, { headers })).toMatchObject({
    status: 403,
    reason: 'cross_site_request',
  });
  for (const [method, path] of [
    ['GET', '/portal/session'],
    ['DELETE', '/portal/session'],
    ['POST', '/portal/api/payment-intents'],
    ['GET', '/portal/api/terminals'],
    ['GET', '/portal/events'],
    ['GET', '/portal/overview'],
  ] as const) {
    expect(await environment.send(method, path, { cookie, headers })).toMatchObject({ reason: 'cross_site_request' });
  }
  expect((await read(cookie)).status).toBe(200);
});

test.each([
  ['no cookie', null],
  ['an empty cookie', '__Host-pos-portal='],
  ['an id that was never given', `__Host-pos-portal=${'a'.repeat(43)}`],
  ['two cookies of the name', `__Host-pos-portal=${'a'.repeat(43)}; __Host-pos-portal=${'b'.repeat(43)}`],
])('%s is no session', async (_, cookie) => {
  expect(await read(cookie)).toMatchObject({ status: 401, reason: 'portal_session_missing' });
});

test.each([
  ['expired', `update portal_sessions set expires_at = clock_timestamp() - interval '1 second'`],
  ['not used for 15 minutes', `update portal_sessions set used_at = clock_timestamp() - interval '16 minutes'`],
])('a session that has %s is refused', async (_, sql) => {
  const cookie = await environment.signInAs('viewer');
  expect((await read(cookie)).status).toBe(200);
  await environment.change(sql);
  expect(await read(cookie)).toMatchObject({ status: 401, reason: 'portal_session_missing' });
});

test('a session that is used stays, and its use is stored', async () => {
  const cookie = await environment.signInAs('viewer');
  await environment.change(`update portal_sessions set used_at = clock_timestamp() - interval '14 minutes'`);
  expect((await read(cookie)).status).toBe(200);
  const [row] = await environment.change(
    `select max(used_at) > clock_timestamp() - interval '1 minute' as is_fresh from portal_sessions`,
  );
  expect(row).toEqual({ is_fresh: true });
});

test.each([
  ['/portal/session', { 'portal-background': 'true' }],
  ['/portal/overview', { 'portal-background': 'true' }],
  ['/portal/api/terminals', { 'portal-background': 'true' }],
])('what a page requests by itself of %s does not keep its session', async (path, headers) => {
  const cookie = await environment.signInAs('viewer');
  await environment.change(`update portal_sessions set used_at = clock_timestamp() - interval '14 minutes'`);
  const [before] = await environment.change('select max(used_at) as used from portal_sessions');
  expect((await environment.send('GET', path, { cookie, headers })).status).toBe(200);
  expect(await environment.change('select max(used_at) as used from portal_sessions')).toEqual([before]);
  await environment.change(`update portal_sessions set used_at = clock_timestamp() - interval '16 minutes'`);
  expect(await environment.send('GET', path, { cookie, headers })).toMatchObject({ reason: 'portal_session_missing' });
});

test('a cookie that was copied is of no use after its user signs out', async () => {
  const cookie = await environment.signInAs('viewer');
  const answer = await environment.send('DELETE', '/portal/session', { cookie });
  expect(answer.status).toBe(204);
  expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
  expect(await read(cookie)).toMatchObject({ reason: 'portal_session_missing' });
});

test.each([
  ['the password is reset', `update portal_users set password_hash = password_hash || 'x' where email = $1`],
  ['the user is disabled', `update portal_users set status = 'Disabled' where email = $1`],
])('a sign-in that runs while %s gets no session', async (_, sql) => {
  const email = await environment.createUser('viewer');
  const owner = await environment.testDatabase.open({ url: environment.testDatabase.ownerUrl });
  const runner = owner.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(sql, [email]);
  const pending = signIn(email, PASSWORD);
  const isWaiting = async (): Promise<boolean> =>
    (await environment.change(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'portal'`))
      .length > 0;
  for (let look = 0; look < 30 && !(await isWaiting()); look += 1) await pause(50);
  await runner.commitTransaction();
  await runner.release();
  await owner.close();
  expect(await pending).toMatchObject({ status: 401, reason: 'sign_in_refused' });
});

test('signing out everywhere ends the sessions of the user, and of nobody else', async () => {
  const email = await environment.createUser('viewer');
  const [first, second, other] = [
    await environment.signIn(email),
    await environment.signIn(email),
    await environment.signInAs('viewer'),
  ];
  expect((await environment.send('DELETE', '/portal/sessions', { cookie: first })).status).toBe(204);
  expect([(await read(first)).status, (await read(second)).status, (await read(other)).status]).toEqual([
    401, 401, 200,
  ]);
});

test('disabling a user ends the sessions at once', async () => {
  const email = await environment.createUser('admin');
  const cookie = await environment.signIn(email);
  const change = { actor: 'test', reason: 'a test' };
  await changePortalUserStatus(environment.testDatabase.database, change, { email, status: 'Disabled' });
  expect(await read(cookie)).toMatchObject({ reason: 'portal_session_missing' });
});

test('a user chooses among the own accounts only', async () => {
  const cookie = await environment.signIn(await environment.createUser('viewer'));
  const choose = (body: unknown) => environment.send('PUT', '/portal/session/account', { cookie, body });
  for (const scope of [
    environment.other,
    { ...environment.own, environment: 'production' },
    { ...environment.own, accountId: 'acc_x' },
  ]) {
    const answer = await choose(scope);
    expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
    expect(readBody<{ errors: object }>(answer.text).errors).toHaveProperty('accountId');
  }
  expect((await choose(environment.own)).status).toBe(200);
});

test('an operator works in every account', async () => {
  const cookie = await environment.signIn(await environment.createUser('operator'));
  const answer = await environment.send('PUT', '/portal/session/account', { cookie, body: environment.other });
  expect(JSON.parse(answer.text)).toMatchObject({
    current: { accountId: environment.other.accountId, role: 'operator' },
  });
});

test('after ten attempts from one network an address waits there, and its user signs in by a known browser', async () => {
  const [email, other] = [await environment.createUser('viewer'), await environment.createUser('viewer')];
  const headers = { 'x-forwarded-for': '192.0.2.20' };
  const [session = '', device = ''] = [(await signIn(email, PASSWORD)).headers['set-cookie'] ?? []]
    .flat()
    .map((each) => each.split(';', 1)[0] ?? '');
  const reasons: (string | null)[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) reasons.push((await signIn(email, 'wrong', { headers })).reason);
  expect(reasons.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'sign_in_refused'));
  expect(reasons.at(-1)).toBe('rate_limited');
  expect(await signIn(email, PASSWORD, { headers })).toMatchObject({ status: 429 });
  expect((await signIn(other, PASSWORD, { headers })).status).toBe(200);
  // A stranger who guesses does not keep the user out, also from the same network.
  expect((await signIn(email, PASSWORD, { headers, cookie: device })).status).toBe(200);
  const again = { cookie: session, headers, body: { password: PASSWORD } };
  expect((await environment.send('POST', '/portal/session/reauthenticate', again)).status).toBe(204);
});

test('the sessions of a user guess the password ten times, and are locked', async () => {
  const cookie = await environment.signInAs('viewer');
  const reasons = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const sent = { cookie, body: { password: 'wrong' } };
    reasons.push((await environment.send('POST', '/portal/session/reauthenticate', sent)).reason);
  }
  expect(reasons).toEqual([...Array.from({ length: 10 }, () => 'sign_in_refused'), 'password_locked']);
});

test('one network guesses for many addresses, and waits', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.7' };
  const reasons = [];
  for (let attempt = 0; attempt < 34; attempt += 1)
    reasons.push((await signIn(`guess${attempt}@corner.example`, 'wrong', { headers })).reason);
  expect(reasons.at(-1)).toBe('rate_limited');
}, 60_000);
