import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IdentityProvider } from '../testing/identity-provider.js';
import { createCode, FactorSignIn, readSetCookie } from '../testing/factor-sign-in.js';
import { PASSWORD, PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

let provider: IdentityProvider;
let environment: PortalTestEnvironment;
let signIns: FactorSignIn;
beforeAll(async () => {
  provider = await IdentityProvider.open();
  environment = await PortalTestEnvironment.openWithoutApi({
    ...provider.settings,
    ...{ OIDC_SECOND_FACTORS: 'mfa,urn:strong', PASSWORD_SIGN_IN: 'off', SECOND_FACTOR: 'required' },
  });
  signIns = new FactorSignIn(environment);
});
afterAll(async () => {
  await environment.close();
  await provider.close();
});
beforeEach(() => {
  provider.changes = {};
});

const now = () => Math.floor(Date.now() / 1_000);

/** Leads to the provider and back, where the user of the address signs in with these claims. */
async function visit(email: string, claims: object, session: string | null = null): Promise<TestAnswer> {
  const start = `/portal/oidc/start${session === null ? '' : '?reauthenticate'}`;
  const begun = await environment.send('GET', start, { cookie: session });
  if (begun.status !== 303) return begun;
  const location = String(begun.headers['location']);
  if (session !== null) expect(location).toContain('prompt=login&max_age=0');
  provider.changes = { claims: { email, ...claims } };
  const query = provider.authorize(location);
  return environment.send('GET', `/portal/oidc/callback${query}`, {
    cookie: readSetCookie(begun),
    headers: { 'sec-fetch-site': 'cross-site', version: null },
  });
}

const administer = (cookie: string) => environment.send('GET', '/portal/administration/users', { cookie });

describe('the provider vouches for a second factor', () => {
  test.each([
    ['by amr', { amr: ['pwd', 'mfa'] }],
    ['by acr', { acr: 'urn:strong' }],
  ])('%s', async (_, claims) => {
    const cookie = readSetCookie(await visit(await environment.createUser('operator'), claims));
    expect((await administer(cookie)).status).toBe(200);
  });

  test.each([
    ['without claims', {}],
    ['by values that the operator has not named', { amr: ['pwd', 'otp'], acr: 'urn:weak' }],
    ['by text in place of a list', { amr: 'mfa' }],
  ])('not %s', async (_, claims) => {
    const cookie = readSetCookie(await visit(await environment.createUser('operator'), claims));
    expect(await administer(cookie)).toMatchObject({ reason: 'second_factor_missing' });
  });
});

test('without such a claim the user gives the factor of the portal, and no session begins before', async () => {
  const email = await environment.createUser('operator');
  const { secret } = await signIns.addCodes(readSetCookie(await visit(email, { auth_time: now() })));
  const answer = await visit(email, { auth_time: now() });
  expect(answer.headers['location']).toBe('/?signIn=secondFactor');
  expect(String(answer.headers['set-cookie'])).not.toContain('__Host-pos-portal=');
  const completed = await signIns.complete(readSetCookie(answer), { code: createCode(secret, 1) });
  expect(completed.status).toBe(200);
  expect((await administer(readSetCookie(completed))).status).toBe(200);
});

describe('with passwords switched off', () => {
  test('no path takes one', async () => {
    const email = await environment.createUser('viewer');
    const off = { status: 403, reason: 'password_sign_in_off' };
    expect(await environment.send('POST', '/portal/session', { body: { email, password: PASSWORD } })).toMatchObject(
      off,
    );
    const cookie = readSetCookie(await visit(email, {}));
    const again = { cookie, body: { password: PASSWORD } };
    expect(await environment.send('POST', '/portal/session/reauthenticate', again)).toMatchObject(off);
    const options = await environment.send('GET', '/portal/sign-in-options');
    expect(readBody(options.text)).toEqual({
      hasProvider: true,
      acceptsPasswords: false,
      passkeyOrigin: 'https://portal.example',
    });
  });

  test.each([
    ['a sign-in that the provider dates now', () => now(), true],
    ['an older one', () => now() - 600, false],
    ['one without a time', () => undefined, false],
  ])('%s counts as recent: %s', async (_, authTime, isRecent) => {
    const cookie = readSetCookie(await visit(await environment.createUser('viewer'), { auth_time: authTime() }));
    const session = await environment.send('GET', '/portal/session', { cookie });
    expect(readBody(session.text)).toMatchObject({ isReauthenticated: isRecent });
  });

  test('the provider confirms an action, if it has asked the same user just now', async () => {
    const [email, other] = [await environment.createUser('viewer'), await environment.createUser('viewer')];
    const cookie = readSetCookie(await visit(email, {}));
    const readRecent = async () =>
      readBody<{ isReauthenticated: boolean }>((await environment.send('GET', '/portal/session', { cookie })).text)
        .isReauthenticated;
    const problem = async (address: string, claims: object) =>
      (await visit(address, claims, cookie)).headers['location'];
    expect(await problem(email, { auth_time: now() - 300 })).toBe('/?signIn=failed');
    expect(await problem(email, {})).toBe('/?signIn=failed');
    expect(await problem(other, { auth_time: now() })).toBe('/?signIn=notAllowed');
    expect(await readRecent()).toBe(false);
    expect(await problem(email, { auth_time: now() })).toBe('/');
    expect(await readRecent()).toBe(true);
  });

  test('a session in which a password was entered before has ended, and so has a sign-in that one began', async () => {
    const email = await environment.createUser('viewer');
    const cookie = readSetCookie(await visit(email, { auth_time: now() }));
    const { secret } = await signIns.addCodes(cookie);
    const step = readSetCookie(await visit(email, { auth_time: now() }));
    const read = () => environment.send('GET', '/portal/session', { cookie });
    expect((await read()).status).toBe(200);
    await environment.change(`update portal_sign_ins set method = 'password'`);
    expect(await signIns.complete(step, { code: createCode(secret, 1) })).toMatchObject({ reason: 'sign_in_expired' });
    await environment.change('update portal_sessions set has_entered_password = true');
    expect(await read()).toMatchObject({ status: 401, reason: 'portal_session_missing' });
    expect(await environment.send('GET', '/portal/events', { cookie })).toMatchObject({ status: 401 });
    const confirmed = await visit(email, { auth_time: now() }, cookie);
    expect(confirmed).toMatchObject({ status: 401 });
  });

  test('nobody without a session begins a confirmation', async () => {
    expect(await visit('ann@corner.example', {}, '__Host-pos-portal=x')).toMatchObject({
      reason: 'portal_session_missing',
    });
  });
});

test('passwords stay on where there is no provider', async () => {
  await expect(PortalTestEnvironment.startPortalBeside(environment, { PASSWORD_SIGN_IN: 'off' })).rejects.toThrow(
    'PASSWORD_SIGN_IN',
  );
});
