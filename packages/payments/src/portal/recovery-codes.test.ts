import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SYSTEM_SCOPE } from '@pos/core/administration/audit-entry';
import { DAY_MS } from '@pos/core/time/timespan';
import { listUnusedRecoveryCodes, useRecoveryCode } from '@pos/store/portal/recovery-codes';
import { searchAuditEntries } from '@pos/store/repositories/audit-entries';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing/test-database';
import { TOTP } from 'otpauth';
import { getOutcome } from '../testing/test-environment.js';
import { FactorEnrolment } from './factor-enrolment.js';
import { FactorProofs } from './factor-proofs.js';
import { PortalSignIn } from './portal-sign-in.js';
import { createPortalUser } from './portal-user-administration.js';
import { SignInSteps } from './sign-in-steps.js';

const CHANGE = { actor: 'anna', reason: 'a test' };
const PASSWORD = 'grey heron lake 7';

let testDatabase: TestDatabase;
let proofs: FactorProofs;
let openSession: (email: string) => Promise<Awaited<ReturnType<PortalSignIn['findSession']>>>;
let enrolment: FactorEnrolment;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const parts = { database: testDatabase.database, limits: { take: async () => undefined } };
  proofs = new FactorProofs({ ...parts, party: null });
  enrolment = new FactorEnrolment({ ...parts, party: null });
  const steps = new SignInSteps({ ...parts, proofs, sessionAgeMs: DAY_MS, acceptsPasswords: true });
  const sessions = { ageMs: DAY_MS, idleMs: DAY_MS, passwordMaxAgeMs: null };
  const signIns = new PortalSignIn({ ...parts, proofs, steps, sessions, acceptsPasswords: true });
  openSession = async (email) => {
    const browser = { address: '192.0.2.7', browser: 'Firefox', device: null };
    const { id } = await signIns.signIn({ email, password: PASSWORD, ...browser });
    return signIns.findSession(id);
  };
});
afterAll(() => testDatabase.close());

let users = 0;
let session: NonNullable<Awaited<ReturnType<typeof openSession>>>;
let codes: readonly string[];
beforeEach(async () => {
  const email = `user${(users += 1)}@corner.example`;
  const user = { email, name: 'Ann Lee', password: PASSWORD, isOperator: false, isPasswordFinal: true };
  await createPortalUser(testDatabase.database, CHANGE, user);
  const opened = await openSession(email);
  if (opened === null) throw new Error('the session has ended');
  session = opened;
  const { secret } = await enrolment.beginCodes(session);
  codes = (await enrolment.addCodes(session, new TOTP({ secret, digits: 6, period: 30 }).generate())) ?? [];
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
