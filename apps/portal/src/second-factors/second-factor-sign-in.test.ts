import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changePortalUserStatus, resetPortalPassword } from '@pos/administration/portal';
import { createCode, FactorSignIn, PORTAL_URL, readSetCookie } from '../testing/factor-sign-in.js';
import { PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';
import { type AnswerChanges, SoftwareAuthenticator } from '../testing/software-authenticator.js';

let environment: PortalTestEnvironment;
let signIns: FactorSignIn;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open({ PORTAL_BASE_URL: PORTAL_URL });
  signIns = new FactorSignIn(environment);
});
afterAll(() => environment.close());

const OPTIONS = '/portal/session/second-factor/options';
const CHANGE = { actor: 'test', reason: 'a test' };
const REFUSED = { status: 403, reason: 'second_factor_refused' };
const EXPIRED = { status: 401, reason: 'sign_in_expired' };
const read = (cookie: string) => environment.send('GET', '/portal/session', { cookie });

/** A user with one-time codes and a passkey. */
async function createUser() {
  const email = await environment.createUser('support');
  const cookie = await environment.signIn(email);
  const codes = await signIns.addCodes(cookie);
  const passkey = await signIns.addPasskey(cookie);
  return { email, cookie, ...codes, passkey };
}

describe('a second factor completes a sign-in', () => {
  test('by a one-time code', async () => {
    const { email, secret } = await createUser();
    const step = await signIns.begin(email);
    const waiting = await environment.send('GET', '/portal/session/second-factor', { cookie: step });
    expect(readBody(waiting.text)).toEqual({ secondFactor: { passkey: true, code: true, recoveryCode: true } });
    const answer = await signIns.complete(step, { code: createCode(secret) });
    expect(answer.status).toBe(200);
    expect(readBody(answer.text)).toMatchObject({ user: { email }, isReauthenticated: true });
    expect((await read(readSetCookie(answer))).status).toBe(200);
  });

  test('by a passkey, whose next signature counts on', async () => {
    const { email, passkey } = await createUser();
    for (let time = 0; time < 2; time += 1) {
      const step = await signIns.begin(email);
      const options = await signIns.createOptions(OPTIONS, step);
      expect((await signIns.complete(step, { passkey: passkey.sign(options) })).status).toBe(200);
    }
  });

  test('by a recovery code, in any spelling, which does not count as a recent entry for long', async () => {
    const { email, recoveryCodes } = await createUser();
    expect(recoveryCodes).toHaveLength(10);
    const step = await signIns.begin(email);
    const answer = await signIns.complete(step, { recoveryCode: ` ${recoveryCodes[3]?.toUpperCase()}` });
    expect(answer.status).toBe(200);
  });

  test('and a passkey alone is both factors', async () => {
    const { email, passkey } = await createUser();
    const begun = await environment.send('POST', '/portal/session/passkey');
    const { options } = readBody<{ options: { challenge: string } }>(begun.text);
    const answer = await signIns.complete(readSetCookie(begun), { passkey: passkey.sign({ ...options }) });
    expect(answer.status).toBe(200);
    expect(readBody(answer.text)).toMatchObject({ user: { email } });
  });
});

describe('a passkey is refused', () => {
  test.each<[string, AnswerChanges]>([
    ['of another origin', { origin: 'https://portal.example.attacker.example' }],
    ['of another port', { origin: 'https://portal.example:8443' }],
    ['of plain HTTP', { origin: 'http://portal.example' }],
    ['of another relying party', { rpId: 'example' }],
    ['for another challenge', { challenge: Buffer.from('another challenge').toString('base64url') }],
    ['whose user was not verified', { isUserVerified: false }],
    ['that counts back', { counter: 0 }],
    ['whose answer is of a registration', { type: 'webauthn.create' }],
  ])('%s, also after a right password', async (_, changes) => {
    const { email, passkey } = await createUser();
    const step = await signIns.begin(email);
    const options = await signIns.createOptions(OPTIONS, step);
    expect(await signIns.complete(step, { passkey: passkey.sign(options, changes) })).toMatchObject(REFUSED);
    // The refused answer has used the challenge up.
    expect(await signIns.complete(step, { passkey: passkey.sign(options) })).toMatchObject(REFUSED);
    const fresh = await signIns.createOptions(OPTIONS, step);
    expect((await signIns.complete(step, { passkey: passkey.sign(fresh) })).status).toBe(200);
  });

  test('whose counter is the one of its last signature', async () => {
    const { email, passkey } = await createUser();
    const first = await signIns.begin(email);
    const signed = passkey.sign(await signIns.createOptions(OPTIONS, first), { counter: 7 });
    expect((await signIns.complete(first, { passkey: signed })).status).toBe(200);
    const second = await signIns.begin(email);
    const copied = passkey.sign(await signIns.createOptions(OPTIONS, second), { counter: 7 });
    expect(await signIns.complete(second, { passkey: copied })).toMatchObject(REFUSED);
  });

  test('of another user, of nobody, and for the challenge of another sign-in', async () => {
    const [own, other] = [await createUser(), await createUser()];
    const [step, foreign] = [await signIns.begin(own.email), await signIns.begin(other.email)];
    const sign = async (passkey: SoftwareAuthenticator, asked: string) =>
      signIns.complete(step, { passkey: passkey.sign(await signIns.createOptions(OPTIONS, asked)) });
    expect(await sign(other.passkey, step)).toMatchObject(REFUSED);
    expect(await sign(new SoftwareAuthenticator(PORTAL_URL), step)).toMatchObject(REFUSED);
    expect(await sign(own.passkey, foreign)).toMatchObject(REFUSED);
  });

  test('of nobody, alone', async () => {
    const begun = await environment.send('POST', '/portal/session/passkey');
    const { options } = readBody<{ options: { challenge: string; rpId: string } }>(begun.text);
    const passkey = new SoftwareAuthenticator(PORTAL_URL).sign(options);
    expect(await signIns.complete(readSetCookie(begun), { passkey })).toMatchObject(REFUSED);
    expect(await signIns.complete(readSetCookie(begun), { code: '123456' })).toMatchObject(REFUSED);
  });

  test('after its five minutes', async () => {
    const { email, passkey } = await createUser();
    const step = await signIns.begin(email);
    const options = await signIns.createOptions(OPTIONS, step);
    await environment.change(`update portal_challenges set expires_at = clock_timestamp()`);
    expect(await signIns.complete(step, { passkey: passkey.sign(options) })).toMatchObject(REFUSED);
  });
});

describe('a code is refused', () => {
  test('that was used, and every earlier one', async () => {
    const { email, secret } = await createUser();
    const code = createCode(secret, 1);
    expect((await signIns.complete(await signIns.begin(email), { code })).status).toBe(200);
    const step = await signIns.begin(email);
    for (const used of [code, createCode(secret), createCode(secret, -1)]) {
      expect(await signIns.complete(step, { code: used })).toMatchObject(REFUSED);
    }
  });

  test('of another user', async () => {
    const [own, other] = [await createUser(), await createUser()];
    const step = await signIns.begin(own.email);
    expect(await signIns.complete(step, { code: createCode(other.secret) })).toMatchObject(REFUSED);
    expect(await signIns.complete(step, { recoveryCode: other.recoveryCodes[0] })).toMatchObject(REFUSED);
  });

  test.each([2, -2, 20])('of %s steps of time from now', async (steps) => {
    const { email, secret } = await createUser();
    const step = await signIns.begin(email);
    expect(await signIns.complete(step, { code: createCode(secret, steps) })).toMatchObject(REFUSED);
  });

  test('of a recovery that was used or replaced', async () => {
    const { email, cookie, recoveryCodes } = await createUser();
    const [used = '', replaced = ''] = recoveryCodes;
    const step = await signIns.begin(email);
    expect((await signIns.complete(step, { recoveryCode: used })).status).toBe(200);
    const again = await signIns.begin(email);
    expect(await signIns.complete(again, { recoveryCode: used })).toMatchObject(REFUSED);
    const renewed = await environment.send('POST', '/portal/second-factors/recovery-codes', { cookie });
    expect(await signIns.complete(again, { recoveryCode: replaced })).toMatchObject(REFUSED);
    const [fresh] = readBody<{ recoveryCodes: string[] }>(renewed.text).recoveryCodes;
    expect((await signIns.complete(again, { recoveryCode: fresh })).status).toBe(200);
  });

  test('after ten attempts from any networks, also the right one', async () => {
    const { email, secret } = await createUser();
    const reasons: (string | null)[] = [];
    // A new sign-in does not give new attempts.
    for (let attempt = 0; attempt < 12; attempt += 1) {
      reasons.push((await signIns.complete(await signIns.begin(email), { code: '000000' })).reason);
    }
    expect(reasons.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'second_factor_refused'));
    expect(reasons.at(-1)).toBe('rate_limited');
    const right = await signIns.complete(await signIns.begin(email), { code: createCode(secret) });
    expect(right).toMatchObject({ status: 429 });
  });

  test.each([{}, { code: '123456', recoveryCode: 'abcde' }, { code: '12345' }, { code: 'abcdef' }])(
    'in the body %j',
    async (body) => {
      const { email } = await createUser();
      const answer = await signIns.complete(await signIns.begin(email), body);
      expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
    },
  );
});

describe('half a sign-in', () => {
  test.each([
    ['GET', '/portal/session'],
    ['GET', '/portal/overview'],
    ['GET', '/portal/api/terminals'],
    ['GET', '/portal/events'],
    ['GET', '/portal/second-factors'],
    ['POST', '/portal/second-factors/codes/secret'],
    ['POST', '/portal/second-factors/recovery-codes'],
    ['POST', '/portal/session/reauthenticate/options'],
    ['POST', '/portal/api/payment-intents'],
  ])('is no session for %s %s, by its own cookie and under the name of a session', async (method, path) => {
    const { email } = await createUser();
    const step = await signIns.begin(email);
    const id = step.split('=')[1] ?? '';
    for (const cookie of [step, `__Host-pos-portal=${id}`]) {
      expect(await environment.send(method, path, { cookie })).toMatchObject({ reason: 'portal_session_missing' });
    }
  });

  test('gives one session', async () => {
    const { email, secret } = await createUser();
    const step = await signIns.begin(email);
    expect((await signIns.complete(step, { code: createCode(secret) })).status).toBe(200);
    expect(await signIns.complete(step, { code: createCode(secret, 1) })).toMatchObject(EXPIRED);
  });

  test.each([
    ['a session in its place', '__Host-pos-portal-step=session'],
    ['no cookie', null],
    ['an id that was never given', `__Host-pos-portal-step=${'a'.repeat(43)}`],
  ])('is not continued with %s', async (_, cookie) => {
    const { secret } = await createUser();
    const answer = await environment.send('POST', '/portal/session/second-factor', {
      ...{ cookie, body: { code: createCode(secret) } },
    });
    expect(answer).toMatchObject(EXPIRED);
  });

  test('ends after ten minutes', async () => {
    const { email, secret } = await createUser();
    const step = await signIns.begin(email);
    await environment.change(`update portal_sign_ins set expires_at = clock_timestamp()`);
    expect(await signIns.complete(step, { code: createCode(secret) })).toMatchObject(EXPIRED);
  });

  test('ends when the password is reset, and when the user is disabled', async () => {
    const { database } = environment.testDatabase;
    for (const change of [
      (email: string) => resetPortalPassword(database, CHANGE, { email, password: 'another heron 9' }),
      (email: string) => changePortalUserStatus(database, CHANGE, { email, status: 'Disabled' }),
    ]) {
      const { email, secret } = await createUser();
      const step = await signIns.begin(email);
      await change(email);
      expect(await signIns.complete(step, { code: createCode(secret) })).toMatchObject(EXPIRED);
    }
  });
});

test('a repeated request of a passkey or a code gives no second session', async () => {
  const { email, passkey } = await createUser();
  const step = await signIns.begin(email);
  const body = { passkey: passkey.sign(await signIns.createOptions(OPTIONS, step)) };
  const answers = await Promise.all([signIns.complete(step, body), signIns.complete(step, body)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('factors, refusals and used recovery codes are in the audit log, and the user gets mails', async () => {
  const { email, secret, recoveryCodes } = await createUser();
  await signIns.complete(await signIns.begin(email), { code: '000000' });
  await signIns.complete(await signIns.begin(email), { code: createCode(secret) });
  await signIns.complete(await signIns.begin(email), { recoveryCode: recoveryCodes[0] });
  const entries = await environment.change(
    `select action, reason from audit_entries where subject = $1 and action <> 'CreatePortalUser' order by number`,
    [email],
  );
  expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
    ['SignIn', 'by password'],
    ['AddSecondFactor', 'one-time codes'],
    ['AddSecondFactor', 'the passkey Laptop'],
    ['SecondFactorRefused', 'the one-time code was not accepted'],
    ['SignIn', 'by password and one-time code'],
    ['UseRecoveryCode', '9 are left'],
    ['SignIn', 'by password and recovery code'],
  ]);
  const mails = await environment.change('select text from mails where recipient = $1 order by created_at', [email]);
  expect(mails.map(({ text }) => String(text).split('.')[0])).toEqual([
    'A second factor was added: one-time codes',
    'A second factor was added: the passkey Laptop',
    'A recovery code was used to sign in, and 9 are left',
  ]);
});
