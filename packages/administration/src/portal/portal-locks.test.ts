import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '@pos/core/time';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { FactorProofs } from './factor-proofs.js';
import { PortalSignIn } from './portal-sign-in.js';
import { createPortalUser, listPortalUsers } from './portal-user-administration.js';
import { SignInSteps } from './sign-in-steps.js';

const PASSWORD = 'grey heron lake 7';
const WRONG = 'another heron 7';
const BROWSER = { address: '192.0.2.7', browser: 'Firefox', device: null };

let testDatabase: TestDatabase;
let signIns: PortalSignIn;
let email: string;
let users = 0;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const parts = { database: testDatabase.database, limits: { take: async () => undefined } };
  const proofs = new FactorProofs({ ...parts, party: null });
  const steps = new SignInSteps({ ...parts, proofs, sessionAgeMs: DAY_MS, acceptsPasswords: true });
  const sessions = { ageMs: DAY_MS, idleMs: DAY_MS, passwordMaxAgeMs: null };
  signIns = new PortalSignIn({ ...parts, proofs, steps, sessions, acceptsPasswords: true });
});
afterAll(makeAttemptsCheap());
afterAll(() => testDatabase.close());
beforeEach(async () => {
  email = `user${(users += 1)}@corner.example`;
  const user = { email, name: 'Ann Lee', password: PASSWORD, isOperator: false, isPasswordFinal: true };
  await createPortalUser(testDatabase.database, { actor: 'anna', reason: 'a test' }, user);
});

const signIn = async (password: string) => (await signIns.signIn({ email, password, ...BROWSER })).id;
const readLock = async () =>
  (await listPortalUsers(testDatabase.database)).find((each) => each.email === email)?.lockedUntil;

async function failTimes(times: number, attempt: () => Promise<unknown>): Promise<void> {
  for (let number = 0; number < times; number += 1) {
    await expect(attempt()).rejects.toMatchObject({ code: 'sign_in_refused' });
  }
}

test('an attempt during a lock does not extend it, so that a stranger cannot keep the user out', async () => {
  await failTimes(9, () => signIn(WRONG));
  expect(await readLock()).toBeNull();
  await failTimes(1, () => signIn(WRONG));
  const until = await readLock();
  expect(until).toEqual(expect.any(Date));
  await failTimes(2, () => signIn(WRONG));
  expect(await readLock()).toEqual(until);
});

test('the right password begins the count at zero, at the sign-in and in a session', async () => {
  await failTimes(9, () => signIn(WRONG));
  await signIn(PASSWORD);
  await failTimes(9, () => signIn(WRONG));
  const session = await signIns.findSession(await signIn(PASSWORD));
  const enter = (password: string) => signIns.reauthenticate(session!, { kind: 'password', password });
  await failTimes(9, () => enter(WRONG));
  await enter(PASSWORD);
  await failTimes(9, () => enter(WRONG));
  await enter(PASSWORD);
  expect(await readLock()).toBeNull();
});
