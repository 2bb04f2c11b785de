import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '@pos/core/time';
import type { Database } from '@pos/store/database';
import { createTestDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { TOTP } from 'otpauth';
import { replaceEncryptionKey } from './key-replacement.js';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { FactorEnrolment } from '../portal/factor-enrolment.js';
import { type FactorProof, FactorProofs } from '../portal/factor-proofs.js';
import { PortalSignIn } from '../portal/portal-sign-in.js';
import { createPortalUser } from '../portal/portal-user-administration.js';
import { SignInSteps } from '../portal/sign-in-steps.js';

const CHANGE = { actor: 'anna', reason: 'a test' };
const PASSWORD = 'grey heron lake 7';
const STEP_MS = 30_000;
const NEXT_KEY = Buffer.alloc(32, 9);
const OLD = TEST_SECRETS;
/** The steps of a replacement, as settings of a process. */
const ACCEPTS_NEXT = { ...OLD, acceptedEncryptionKey: NEXT_KEY };
const SWITCHED = { ...OLD, encryptionKey: NEXT_KEY, acceptedEncryptionKey: OLD.encryptionKey };
const FINISHED = { ...OLD, encryptionKey: NEXT_KEY };

let testDatabase: TestDatabase;
/** The step of time in which the test began: codes of it and of the next one are accepted for 30 seconds at least. */
let begunAt: number;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(makeAttemptsCheap());
afterAll(() => testDatabase.close());
beforeEach(() => {
  begunAt = Date.now();
});

/** The portal of a process with the key of this database. */
function openPortal(database: Database) {
  const parts = { database, limits: { take: async () => undefined } };
  const proofs = new FactorProofs({ ...parts, party: null });
  const steps = new SignInSteps({ ...parts, proofs, sessionAgeMs: DAY_MS, acceptsPasswords: true });
  const sessions = { ageMs: DAY_MS, idleMs: DAY_MS, passwordMaxAgeMs: null };
  const signIns = new PortalSignIn({ ...parts, proofs, steps, sessions, acceptsPasswords: true });
  return { proofs, signIns, enrolment: new FactorEnrolment({ ...parts, party: null }) };
}
type Portal = ReturnType<typeof openPortal>;

async function createSession({ signIns }: Portal, name: string) {
  const email = `${name}@corner.example`;
  await createPortalUser(testDatabase.database, CHANGE, {
    ...{ email, name, password: PASSWORD, isOperator: false, isPasswordFinal: true },
  });
  const browser = { address: '192.0.2.7', browser: 'Firefox', device: null };
  const { id } = await signIns.signIn({ email, password: PASSWORD, ...browser });
  const session = await signIns.findSession(id);
  if (session === null) throw new Error('the session has ended');
  return session;
}

const createCode = (secret: string, steps: number): string =>
  new TOTP({ secret, digits: 6, period: 30 }).generate({ timestamp: begunAt + steps * STEP_MS });

test('second factors are accepted while the key of their secrets is replaced, and without the previous key', async () => {
  const before = openPortal(testDatabase.database);
  const [ann, bob] = [await createSession(before, 'ann'), await createSession(before, 'bob')];
  const { secret } = await before.enrolment.beginCodes(ann);
  const [recoveryCode = ''] = (await before.enrolment.addCodes(ann, createCode(secret, -1))) ?? [];
  const { secret: pending } = await before.enrolment.beginCodes(bob);
  const accept = ({ proofs }: Portal, proof: FactorProof) => proofs.accept(ann.user, ann.idHash, proof);

  await testDatabase.open({ secrets: ACCEPTS_NEXT });
  const database = await testDatabase.open({ secrets: SWITCHED });
  const switched = openPortal(database);
  await accept(switched, { kind: 'code', code: createCode(secret, 0) });
  const result = await replaceEncryptionKey(database, CHANGE, () => undefined);
  expect(result).toMatchObject({ unreadable: [], isPreviousRetired: true });

  const after = openPortal(await testDatabase.open({ secrets: FINISHED }));
  const refused = { code: 'second_factor_refused' };
  // The replacement has not made a used code usable again.
  await expect(accept(after, { kind: 'code', code: createCode(secret, 0) })).rejects.toMatchObject(refused);
  await accept(after, { kind: 'code', code: createCode(secret, 1) });
  await accept(after, { kind: 'recoveryCode', code: recoveryCode });
  // A secret whose first code was not entered yet.
  await after.enrolment.addCodes(bob, createCode(pending, 0));
  expect(await after.proofs.findMethods(bob.user.id)).toMatchObject({ code: true });
  await expect(testDatabase.open({ secrets: OLD })).rejects.toThrow('ENCRYPTION_KEY: is retired');
});
