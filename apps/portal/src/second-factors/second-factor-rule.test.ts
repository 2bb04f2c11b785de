import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { resetSecondFactor } from '@pos/administration/portal';
import { readConfig } from '@pos/service-kit/config';
import { createTestScope } from '@pos/store/testing';
import { Config, readSecondFactorMode } from '../config/config.js';
import { createCode, FactorSignIn, PORTAL_URL } from '../testing/factor-sign-in.js';
import { PASSWORD, PORTAL_KEY, PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
let signIns: FactorSignIn;
let production: Scope;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open({ PORTAL_BASE_URL: PORTAL_URL, SECOND_FACTOR: 'required' });
  signIns = new FactorSignIn(environment);
  production = { ...environment.own, environment: 'production' };
});
afterAll(() => environment.close());

const MISSING = { status: 403, reason: 'second_factor_missing' };
const CHANGE = { actor: 'test', reason: 'a test' };
const read = async (cookie: string) =>
  readBody<{ isSecondFactorMissing: boolean }>((await environment.send('GET', '/portal/session', { cookie })).text);
const signInAs = async (...user: Parameters<PortalTestEnvironment['createUser']>) =>
  environment.signIn(await environment.createUser(...user));

describe('without a second factor', () => {
  test.each([
    ['GET', '/portal/administration/users'],
    ['GET', '/portal/administration/audit-log'],
    ['POST', '/portal/administration/users'],
    ['GET', '/portal/api/terminals'],
    ['GET', '/portal/overview'],
    ['GET', '/portal/events'],
    ['GET', '/portal/account-settings'],
  ])('an operator is refused %s %s, in a sandbox too', async (method, path) => {
    const cookie = await signInAs('operator');
    await environment.send('PUT', '/portal/session/account', { cookie, body: environment.own });
    expect(await environment.send(method, path, { cookie })).toMatchObject(MISSING);
  });

  test.each(['support', 'admin'] as const)('%s does nothing in production, returns of money included', async (role) => {
    const cookie = await signInAs(role, production);
    for (const [method, path] of [
      ['GET', '/portal/overview'],
      ['GET', '/portal/api/payment-intents'],
      ['POST', '/portal/api/payment-intents/pi_x/refunds'],
      ['POST', '/portal/api/payment-intents/pi_x/reversal'],
      ['POST', '/portal/api/terminal-sessions'],
      ['GET', '/portal/events'],
    ] as const) {
      expect([path, await environment.send(method, path, { cookie })]).toMatchObject([path, MISSING]);
    }
    expect(await read(cookie)).toMatchObject({ isSecondFactorMissing: true });
  });

  test.each([
    ['viewer in production', 'viewer', 'production'],
    ['developer in production', 'developer', 'production'],
    ['admin in a sandbox', 'admin', 'sandbox'],
  ] as const)('a %s works', async (_, role, where) => {
    const cookie = await signInAs(role, { ...environment.own, environment: where });
    expect((await environment.send('GET', '/portal/overview', { cookie })).status).toBe(200);
    expect(await read(cookie)).toMatchObject({ isSecondFactorMissing: false });
  });
});

test('an operator sets one up in the session of the first sign-in, and then works', async () => {
  const email = await environment.createUser('operator');
  const [cookie, other] = [await environment.signIn(email), await environment.signIn(email)];
  const { secret } = await signIns.addCodes(cookie);
  expect((await environment.send('GET', '/portal/administration/users', { cookie })).status).toBe(200);
  // It was open when the user had no second factor, perhaps with somebody else.
  expect(await environment.send('GET', '/portal/session', { cookie: other })).toMatchObject({ status: 401 });
  const step = await signIns.begin(email);
  expect((await signIns.complete(step, { code: createCode(secret) })).status).toBe(200);
});

test('an account that requires a second factor is closed to users without one, and no other account is', async () => {
  // Its own account: processes keep settings for two seconds.
  const sandbox = createTestScope();
  await environment.addAccount(sandbox.accountId);
  const admin = await environment.createUser('admin', sandbox);
  const cookie = await environment.signIn(admin);
  await environment.change(
    `update accounts set settings = settings || '{"requiresSecondFactor": true}' where account_id = $1`,
    [sandbox.accountId],
  );
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await environment.send('GET', '/portal/overview', { cookie })).toMatchObject(MISSING);
  const elsewhere = await signInAs('viewer', environment.other);
  expect((await environment.send('GET', '/portal/overview', { cookie: elsewhere })).status).toBe(200);
  await signIns.addCodes(cookie);
  expect((await environment.send('GET', '/portal/overview', { cookie })).status).toBe(200);
  expect(await environment.send('DELETE', '/portal/second-factors/codes', { cookie })).toMatchObject({
    reason: 'second_factor_required',
  });
});

describe('the factors of a user', () => {
  const remove = (cookie: string, passkey: string) =>
    environment.send('DELETE', `/portal/second-factors/passkeys/${passkey}`, { cookie });

  test('the last one stays where a role needs it', async () => {
    const cookie = await signInAs('operator');
    const passkey = await signIns.addPasskey(cookie);
    expect(await remove(cookie, passkey.credentialId)).toMatchObject({ status: 409, reason: 'second_factor_required' });
    await signIns.addCodes(cookie);
    expect((await remove(cookie, passkey.credentialId)).status).toBe(204);
    expect(await environment.send('DELETE', '/portal/second-factors/codes', { cookie })).toMatchObject({ status: 409 });
  });

  test('two removals at a time leave one', async () => {
    const cookie = await signInAs('operator');
    const [first, second] = [await signIns.addPasskey(cookie), await signIns.addPasskey(cookie, 'Key')];
    const answers = await Promise.all([remove(cookie, first.credentialId), remove(cookie, second.credentialId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('all may be removed where none is needed, and their recovery codes with them', async () => {
    const email = await environment.createUser('viewer');
    const cookie = await environment.signIn(email);
    const passkey = await signIns.addPasskey(cookie);
    expect((await remove(cookie, passkey.credentialId)).status).toBe(204);
    const read = await environment.send('GET', '/portal/second-factors', { cookie });
    expect(readBody(read.text)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0, isNeeded: false });
    expect(await environment.signIn(email)).toContain('__Host-pos-portal=');
  });

  test('those of another user are not found', async () => {
    const [own, other] = [await signInAs('viewer'), await signInAs('viewer')];
    const [passkey] = [await signIns.addPasskey(other), await signIns.addPasskey(own)];
    expect(await remove(own, passkey.credentialId)).toMatchObject({ status: 404, reason: 'passkey_not_found' });
  });

  test.each([
    ['POST', '/portal/second-factors/passkeys/options'],
    ['POST', '/portal/second-factors/codes/secret'],
    ['DELETE', '/portal/second-factors/codes'],
    ['DELETE', '/portal/second-factors/passkeys/x'],
    ['POST', '/portal/second-factors/recovery-codes'],
  ])('%s %s needs a credential within five minutes', async (method, path) => {
    const cookie = await signInAs('viewer');
    await environment.change(`update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`);
    expect(await environment.send(method, path, { cookie })).toMatchObject({ reason: 'reauthentication_needed' });
  });

  test('are not changed by a session that has not given one', async () => {
    const email = await environment.createUser('viewer');
    const cookie = await environment.signIn(email);
    await signIns.addCodes(cookie);
    await environment.change('update portal_sessions set second_factor_at = null');
    for (const [method, path] of [
      ['DELETE', '/portal/second-factors/codes'],
      ['POST', '/portal/second-factors/recovery-codes'],
    ] as const) {
      expect(await environment.send(method, path, { cookie })).toMatchObject(MISSING);
    }
    await expect(signIns.addPasskey(cookie)).rejects.toThrow('second_factor_missing');
  });

  test.each([
    ['of another origin', { origin: 'https://other.example' }],
    ['of another relying party', { rpId: 'other.example' }],
    ['without a verified user', { isUserVerified: false }],
    ['for another challenge', { challenge: 'AAAA' }],
  ])('a passkey %s is not registered', async (_, changes) => {
    const { SoftwareAuthenticator } = await import('../testing/software-authenticator.js');
    const cookie = await signInAs('viewer');
    const options = await signIns.createOptions('/portal/second-factors/passkeys/options', cookie);
    const passkey = new SoftwareAuthenticator(PORTAL_URL);
    const add = (created: object) =>
      environment.send('POST', '/portal/second-factors/passkeys', { cookie, body: { name: 'Key', passkey: created } });
    expect(await add(passkey.create(options, changes))).toMatchObject({ reason: 'second_factor_refused' });
    // The challenge is used up.
    expect(await add(passkey.create(options))).toMatchObject({ reason: 'second_factor_refused' });
  });

  test('a passkey is registered for one user', async () => {
    const [own, other] = [await signInAs('viewer'), await signInAs('viewer')];
    const passkey = await signIns.addPasskey(own);
    const options = await signIns.createOptions('/portal/second-factors/passkeys/options', other);
    const body = { name: 'Key', passkey: passkey.create(options) };
    const answer = await environment.send('POST', '/portal/second-factors/passkeys', { cookie: other, body });
    expect(answer).toMatchObject({ reason: 'second_factor_refused' });
  });

  test('a secret whose code was not entered within ten minutes does not count', async () => {
    const cookie = await signInAs('viewer');
    const begun = await environment.send('POST', '/portal/second-factors/codes/secret', { cookie });
    await environment.change(`update portal_totp_secrets set created_at = clock_timestamp() - interval '11 minutes'`);
    const body = { code: createCode(readBody<{ secret: string }>(begun.text).secret) };
    const answer = await environment.send('POST', '/portal/second-factors/codes', { cookie, body });
    expect(answer).toMatchObject({ reason: 'second_factor_refused' });
  });
});

describe('in place of the password', () => {
  const reauthenticate = (cookie: string, body: object) =>
    environment.send('POST', '/portal/session/reauthenticate', { cookie, body });
  const age = () =>
    environment.change(`update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`);
  const refund = (cookie: string) =>
    environment.send('POST', '/portal/api/payment-intents/pi_x/refunds', { cookie, body: {} });

  test('a passkey or a code opens returns of money', async () => {
    const cookie = await signInAs('support', production);
    const { secret } = await signIns.addCodes(cookie);
    const passkey = await signIns.addPasskey(cookie);
    for (const prove of [
      () => ({ code: createCode(secret, 1) }),
      async () => {
        const options = await signIns.createOptions('/portal/session/reauthenticate/options', cookie);
        return { passkey: passkey.sign(options) };
      },
    ]) {
      await age();
      expect(await refund(cookie)).toMatchObject({ reason: 'reauthentication_needed' });
      expect((await reauthenticate(cookie, await prove())).status).toBe(204);
      expect((await refund(cookie)).reason).not.toBe('reauthentication_needed');
    }
  });

  test('a recovery code, a used code and the passkey of another user do not', async () => {
    const [cookie, other] = [await signInAs('support', production), await signInAs('viewer')];
    const { secret, recoveryCodes } = await signIns.addCodes(cookie);
    const passkey = await signIns.addPasskey(other);
    const code = createCode(secret, 1);
    expect((await reauthenticate(cookie, { code })).status).toBe(204);
    await age();
    const options = await signIns.createOptions('/portal/session/reauthenticate/options', cookie);
    expect(await reauthenticate(cookie, { recoveryCode: recoveryCodes[0] })).toMatchObject({ status: 400 });
    expect(await reauthenticate(cookie, { code })).toMatchObject({ reason: 'second_factor_refused' });
    const stolen = { passkey: passkey.sign(options) };
    expect(await reauthenticate(cookie, stolen)).toMatchObject({ reason: 'second_factor_refused' });
    expect(await refund(cookie)).toMatchObject({ reason: 'reauthentication_needed' });
  });
});

test('an operator resets the factors of a user, whose sessions end and who sets one up again', async () => {
  const email = await environment.createUser('operator');
  const cookie = await environment.signIn(email);
  const { secret } = await signIns.addCodes(cookie);
  await signIns.addPasskey(cookie);
  const step = await signIns.begin(email);
  await resetSecondFactor(environment.testDatabase.database, CHANGE, email);
  expect(await environment.send('GET', '/portal/session', { cookie })).toMatchObject({ status: 401 });
  expect(await signIns.complete(step, { code: createCode(secret, 1) })).toMatchObject({ reason: 'sign_in_expired' });
  const again = await environment.signIn(email, PASSWORD);
  expect(await environment.send('GET', '/portal/administration/users', { cookie: again })).toMatchObject(MISSING);
  const entries = await environment.change(`select state_before from audit_entries where action = 'ResetSecondFactor'`);
  expect(entries).toEqual([{ state_before: { passkeys: ['Laptop'], hasOneTimeCodes: true } }]);
});

test.each([
  ['production', undefined, 'required'],
  ['production', 'optional', 'optional'],
  ['development', undefined, 'optional'],
  ['test', 'required', 'required'],
] as const)('in %s with %s it is %s', (NODE_ENV, SECOND_FACTOR, mode) => {
  const config = readConfig(Config, {
    ...{ DATABASE_URL: 'postgres://service_app@localhost/pos?sslmode=verify-full', PORTAL_KEY },
    ...{ ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'), KEY_PEPPER: 'p'.repeat(32) },
    ...{ API_URL: 'https://api.example', NODE_ENV: 'test', ...(SECOND_FACTOR !== undefined && { SECOND_FACTOR }) },
  });
  expect(readSecondFactorMode({ ...config, NODE_ENV })).toBe(mode);
});
