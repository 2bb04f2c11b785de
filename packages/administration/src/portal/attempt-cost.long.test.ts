import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@pos/core/time';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { TOTP } from 'otpauth';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { getAttemptCost, PRODUCTION_COST } from './attempt-cost.js';
import { FactorEnrolment } from './factor-enrolment.js';
import { FactorProofs } from './factor-proofs.js';
import { isWeakerHash } from './password-hash.js';
import { PortalSignIn } from './portal-sign-in.js';
import { changePortalUserStatus, createPortalUser } from './portal-user-administration.js';
import { SignInSteps } from './sign-in-steps.js';

const CHANGE = { actor: 'anna', reason: 'a test' };
const PASSWORD = 'grey heron lake 7';
const BROWSER = { address: '192.0.2.7', browser: 'Firefox', device: null };
const PRODUCTION_FORM = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
const CHEAP_FORM = /^\$argon2id\$v=19\$m=8,t=1,p=1\$/;

let testDatabase: TestDatabase;
let owner: Awaited<ReturnType<TestDatabase['open']>>;
let signIns: PortalSignIn;
let steps: SignInSteps;
let enrolment: FactorEnrolment;
let email: string;
let users = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = await testDatabase.open({ url: testDatabase.ownerUrl });
  const parts = { database: testDatabase.database, limits: { take: async () => undefined } };
  const proofs = new FactorProofs({ ...parts, party: null });
  enrolment = new FactorEnrolment({ ...parts, party: null });
  steps = new SignInSteps({ ...parts, proofs, sessionAgeMs: DAY_MS, acceptsPasswords: true });
  const sessions = { ageMs: DAY_MS, idleMs: DAY_MS, passwordMaxAgeMs: null };
  signIns = new PortalSignIn({ ...parts, proofs, steps, sessions, acceptsPasswords: true });
});
afterAll(() => testDatabase.close());
beforeEach(() => {
  email = `user${(users += 1)}@corner.example`;
});

const signIn = (password = PASSWORD) => signIns.signIn({ email, password, ...BROWSER });
const createUser = () =>
  createPortalUser(testDatabase.database, CHANGE, { email, name: 'Ann Lee', password: PASSWORD, isOperator: false });

async function createCheapUser(): Promise<void> {
  const restoreCost = makeAttemptsCheap();
  await createUser();
  restoreCost();
  expect((await readUser())['password_hash']).toMatch(CHEAP_FORM);
}

async function readUser(): Promise<Record<string, unknown>> {
  const sql = 'select * from portal_users where email = $1';
  const [user = {}] = await owner.dataSource.query<Record<string, unknown>[]>(sql, [email]);
  return user;
}

async function openSession() {
  const session = await signIns.findSession((await signIn()).id);
  if (session === null) throw new Error('the session has ended');
  return session;
}

describe('the cost of an attempt in production', () => {
  test('is the default, and is in the stored hash', async () => {
    expect(getAttemptCost()).toBe(PRODUCTION_COST);
    await createUser();
    expect((await readUser())['password_hash']).toMatch(PRODUCTION_FORM);
    expect(PRODUCTION_COST.refusalMs).toBe(400);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a wrong password', async () => (await createUser(), signIn('another heron 7'))],
    ['an unknown address', () => signIns.signIn({ email: 'nobody@x.example', password: PASSWORD, ...BROWSER })],
    [
      'a disabled user',
      async () => {
        await createUser();
        await changePortalUserStatus(testDatabase.database, CHANGE, { email, status: 'Disabled' });
        return signIn();
      },
    ],
  ])('the answer to %s does not come early', async (_, attempt) => {
    const startedAt = performance.now();
    await expect(attempt()).rejects.toMatchObject({ code: 'sign_in_refused' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(PRODUCTION_COST.refusalMs - 5);
  });

  test.each([
    ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=19455,t=2,p=1$c2FsdA$aGFzaA', true],
    ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA', true],
    ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', true],
    ['$argon2id$v=16$m=19456,t=2,p=1$c2FsdA$aGFzaA', true],
  ])('%s is weaker: %s', (stored, isWeaker) => {
    expect(isWeakerHash(stored)).toBe(isWeaker);
  });
});

describe('a stored hash that is weaker', () => {
  test('is replaced at the next sign-in, once, and nothing else of the user changes', async () => {
    await createCheapUser();
    const before = await readUser();
    await openSession();
    const after = await readUser();
    expect(after['password_hash']).toMatch(PRODUCTION_FORM);
    expect(after).toEqual({ ...before, password_hash: expect.any(String), last_sign_in_at: expect.any(Date) });
    await openSession();
    expect((await readUser())['password_hash']).toBe(after['password_hash']);
  });

  test('stays after a wrong password', async () => {
    await createCheapUser();
    await expect(signIn('another heron 7')).rejects.toMatchObject({ code: 'sign_in_refused' });
    expect((await readUser())['password_hash']).toMatch(CHEAP_FORM);
  });

  test('is replaced by one of two sign-ins at the same time, and both give a session', async () => {
    await createCheapUser();
    const ids = await Promise.all([signIn(), signIn(), signIn()]);
    for (const { id } of ids) expect(await signIns.findSession(id)).not.toBeNull();
  });

  test('is replaced before the second factor, which completes the same sign-in', async () => {
    await createCheapUser();
    const { password_hash: cheapHash } = await readUser();
    const secret = await addCodes();
    await owner.dataSource.query('update portal_users set password_hash = $2 where email = $1', [email, cheapHash]);
    const { id } = await signIn();
    expect((await readUser())['password_hash']).toMatch(PRODUCTION_FORM);
    const code = new TOTP({ secret, digits: 6, period: 30 }).generate();
    const session = await steps.complete(id, { kind: 'code', code }, BROWSER);
    expect(await signIns.findSession(session)).not.toBeNull();
  });
});

/** Sets one-time codes up, and returns their secret. A code of the present step of time is usable again. */
async function addCodes(): Promise<string> {
  const session = await openSession();
  const { secret } = await enrolment.beginCodes(session);
  await enrolment.addCodes(session, new TOTP({ secret, digits: 6, period: 30 }).generate());
  await owner.dataSource.query('update portal_totp_secrets set last_step = 0');
  return secret;
}
