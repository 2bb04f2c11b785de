import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { DAY_MS } from '@pos/core/time';
import { listUnusedRecoveryCodes, useRecoveryCode } from '@pos/store/portal';
import { searchAuditEntries } from '@pos/store/repositories';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { TOTP } from 'otpauth';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { getOutcome } from '@pos/payments/testing';
import { FactorEnrolment } from './factor-enrolment.js';
import { FactorProofs } from './factor-proofs.js';
import { resetSecondFactor } from './factor-reset.js';
import { endOtherSessions } from './own-sessions.js';
import { PortalSignIn } from './portal-sign-in.js';
import { createPortalUser } from './portal-user-administration.js';
import { SignInSteps } from './sign-in-steps.js';

const CHANGE = { actor: 'anna', reason: 'a test' };
const PASSWORD = 'grey heron lake 7';
const BROWSER = { address: '192.0.2.7', browser: 'Firefox' };

let testDatabase: TestDatabase;
let signIns: PortalSignIn;
let enrolment: FactorEnrolment;
let proofs: FactorProofs;
let email: string;
let users = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const parts = { database: testDatabase.database, limits: { take: async () => undefined } };
  proofs = new FactorProofs({ ...parts, party: null });
  enrolment = new FactorEnrolment({ ...parts, party: null });
  const sessions = { ageMs: DAY_MS, idleMs: DAY_MS, passwordMaxAgeMs: null };
  const steps = new SignInSteps({ ...parts, proofs, sessionAgeMs: DAY_MS, acceptsPasswords: true });
  signIns = new PortalSignIn({ ...parts, proofs, steps, sessions, acceptsPasswords: true });
});
afterAll(makeAttemptsCheap());
afterAll(() => testDatabase.close());
beforeEach(async () => {
  email = `user${(users += 1)}@corner.example`;
  const user = { email, name: 'Ann Lee', password: PASSWORD, isOperator: false, isPasswordFinal: true };
  await createPortalUser(testDatabase.database, CHANGE, user);
});

async function openSession() {
  const { id } = await signIns.signIn({ email, password: PASSWORD, device: null, ...BROWSER });
  const session = await signIns.findSession(id);
  if (session === null) throw new Error('the session has ended');
  return session;
}

const createCode = (secret: string): string => new TOTP({ secret, digits: 6, period: 30 }).generate();

test.each<[string, () => Promise<unknown>]>([
  ['its user', async () => endOtherSessions(testDatabase.database, await openSession())],
  ['an operator', () => resetSecondFactor(testDatabase.database, CHANGE, email)],
])('a session that %s ends during the request adds no second factor that outlives it', async (_, end) => {
  // The request of a thief has read its session, and is about to store the factor.
  const stolen = await openSession();
  const { secret } = await enrolment.beginCodes(stolen);
  await end();
  const { secret: renewed } = await enrolment.beginCodes(stolen);
  expect(renewed).not.toBe(secret);
  await expect(enrolment.addCodes(stolen, createCode(renewed))).rejects.toMatchObject({
    code: 'portal_session_missing',
  });
  expect(await proofs.findMethods(stolen.user.id)).toEqual({ passkey: false, code: false, recoveryCode: false });
});

describe('recovery codes', () => {
  type Session = Awaited<ReturnType<typeof openSession>>;
  let session: Session;
  let codes: readonly string[];
  beforeEach(async () => {
    session = await openSession();
    const { secret } = await enrolment.beginCodes(session);
    codes = (await enrolment.addCodes(session, createCode(secret))) ?? [];
  });

  const accept = (code = '') => getOutcome(proofs.accept(session.user, session.idHash, { kind: 'recoveryCode', code }));

  async function listUses(): Promise<string[]> {
    const search = { accountId: null, actors: [session.user.id], action: 'UseRecoveryCode', subject: null } as const;
    const entries = await testDatabase.database.readSystem((reader) =>
      searchAuditEntries(reader, { ...search, from: null, to: null, after: null, limit: 20 }),
    );
    return entries.map(({ reason }) => reason).toSorted();
  }

  test('a code that is entered several times at once is accepted once', async () => {
    const [code] = codes;
    const outcomes = await Promise.all([accept(code), accept(code), accept(code)]);
    expect(outcomes.toSorted()).toEqual(['done', 'second_factor_refused', 'second_factor_refused']);
    expect(await listUses()).toHaveLength(1);
  });

  test('a code that another request has used since it was read is not used again', async () => {
    const { database } = testDatabase;
    const [read] = await database.read(SYSTEM_SCOPE, (reader) => listUnusedRecoveryCodes(reader, session.user.id));
    const use = () => database.transact(SYSTEM_SCOPE, (tx) => useRecoveryCode(tx, session.user.id, read?.label ?? ''));
    expect([await use(), await use()]).toEqual([true, false]);
  });

  test('two codes at once are both accepted, and each use is stored with how many are left', async () => {
    const [first, second] = codes;
    expect(await Promise.all([accept(first), accept(second)])).toEqual(['done', 'done']);
    expect(await listUses()).toEqual(['8 are left', '9 are left']);
  });
});
