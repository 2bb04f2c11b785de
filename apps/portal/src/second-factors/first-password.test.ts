import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPortalUser } from '@pos/administration/portal';
import { createCode, FactorSignIn, PORTAL_URL, readSetCookie } from '../testing/factor-sign-in.js';
import { PASSWORD, PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
let signIns: FactorSignIn;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi({ PORTAL_BASE_URL: PORTAL_URL, SECOND_FACTOR: 'required' });
  signIns = new FactorSignIn(environment);
});
afterAll(() => environment.close());

const FIRST = 'first heron of 9';
const CHANGE = { actor: 'test', reason: 'a test' };
const CHANGE_NEEDED = { status: 403, reason: 'password_change_needed' };
const FACTOR_MISSING = { status: 403, reason: 'second_factor_missing' };

const listUsers = (cookie: string) => environment.send('GET', '/portal/administration/users', { cookie });
const beginCodes = (cookie: string) => environment.send('POST', '/portal/second-factors/codes/secret', { cookie });
const signIn = (email: string, cookie: string | null = null) =>
  environment.send('POST', '/portal/session', { cookie, body: { email, password: PASSWORD } });
const readSession = async (cookie: string) =>
  readBody<object>((await environment.send('GET', '/portal/session', { cookie })).text);
const agePassword = (email: string) =>
  environment.change(
    `update portal_users set password_changed_at = clock_timestamp() - interval '91 days' where email = $1`,
    [email],
  );

/** The names of the cookies that an answer sets, without what differs between users. */
function readCookieNames({ headers }: TestAnswer): readonly string[] {
  const cookies = [headers['set-cookie'] ?? []].flat().map((each) => each.split('=', 1)[0] ?? '');
  return cookies.map((name) => name.replace(/-[0-9a-f]{12}$/, '-USER')).sort();
}

const SESSION = '__Host-pos-portal';
const DEVICE = '__Host-pos-portal-device-USER';

test('an operator with a first password changes it, then sets a second factor up, and then works', async () => {
  const email = 'new@corner.example';
  const { database } = environment.testDatabase;
  await createPortalUser(database, CHANGE, { email, name: 'Ann Lee', password: FIRST, isOperator: true });
  const cookie = await environment.signIn(email, FIRST);
  expect(await readSession(cookie)).toMatchObject({ passwordChange: 'firstUse', isSecondFactorMissing: true });
  // Who holds the first password only must not add a factor of their own.
  expect([await listUsers(cookie), await beginCodes(cookie)]).toMatchObject([CHANGE_NEEDED, CHANGE_NEEDED]);

  const body = { presentPassword: FIRST, password: PASSWORD };
  expect((await environment.send('PUT', '/portal/session/password', { cookie, body })).status).toBe(204);
  expect(await listUsers(cookie)).toMatchObject(FACTOR_MISSING);
  const { secret } = await signIns.addCodes(cookie);
  expect((await listUsers(cookie)).status).toBe(200);

  const answer = await signIns.complete(await signIns.begin(email), { code: createCode(secret) });
  expect((await listUsers(readSetCookie(answer))).status).toBe(200);
});

describe('a password that has become too old', () => {
  test('is changed before the first second factor is set up', async () => {
    const email = await environment.createUser('operator');
    const cookie = await environment.signIn(email);
    await agePassword(email);
    expect(await readSession(cookie)).toMatchObject({ passwordChange: 'age' });
    expect(await beginCodes(cookie)).toMatchObject(CHANGE_NEEDED);
  });

  test('is not asked of a user with a second factor', async () => {
    const email = await environment.createUser('operator');
    const cookie = await environment.signIn(email);
    const { secret } = await signIns.addCodes(cookie);
    await agePassword(email);
    expect((await listUsers(cookie)).status).toBe(200);
    const answer = await signIns.complete(await signIns.begin(email), { code: createCode(secret) });
    expect(readBody(answer.text)).not.toHaveProperty('passwordChange');
    expect((await listUsers(readSetCookie(answer))).status).toBe(200);
  });
});

test('the cookie of a known browser is set when the sign-in is complete, and not by a passkey alone', async () => {
  const email = await environment.createUser('viewer');
  const first = await signIn(email);
  expect(readCookieNames(first)).toEqual([SESSION, DEVICE]);
  const cookie = readSetCookie(first);
  const { secret } = await signIns.addCodes(cookie);
  const passkey = await signIns.addPasskey(cookie);

  const step = await signIn(email);
  expect(readBody(step.text)).toHaveProperty('secondFactor');
  expect(readCookieNames(step)).toEqual([expect.not.stringMatching(/session|device/)]);
  const wrong = await signIns.complete(readSetCookie(step), { code: '000000' });
  expect([wrong.status, readCookieNames(wrong)]).toEqual([403, []]);
  const complete = await signIns.complete(readSetCookie(step), { code: createCode(secret) });
  expect([complete.status, readCookieNames(complete)]).toEqual([200, [SESSION, DEVICE]]);

  const begun = await environment.send('POST', '/portal/session/passkey');
  const { options } = readBody<{ options: { challenge: string } }>(begun.text);
  const alone = await signIns.complete(readSetCookie(begun), { passkey: passkey.sign({ ...options }) });
  expect([alone.status, readCookieNames(alone)]).toEqual([200, [SESSION]]);
});
