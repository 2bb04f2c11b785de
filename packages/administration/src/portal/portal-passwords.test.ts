import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { DAY_MS } from '@pos/core/time';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import type { PortalSession } from '@pos/store/portal';
import { TimerQueue } from '@pos/store/queues';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { changeOwnPassword } from './own-password.js';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.js';
import { FactorProofs } from './factor-proofs.js';
import { LOCK_MS } from './password-attempts.js';
import { PortalSignIn } from './portal-sign-in.js';
import {
  changePortalUserStatus,
  createPassword,
  createPortalUser,
  endPortalSessions,
  listPortalUsers,
  resetPortalPassword,
  unlockPortalUser,
} from './portal-user-administration.js';
import { SignInSteps } from './sign-in-steps.js';
import { runPortalUsersUpkeep } from './unused-users.js';

const CHANGE = { actor: 'anna', reason: 'a test' };
const PASSWORD = 'grey heron lake 7';
const IDLE_MS = 900_000;
const BROWSER = { address: '192.0.2.7', browser: 'Firefox' };

let testDatabase: TestDatabase;
let owner: Awaited<ReturnType<TestDatabase['open']>>;
let signIns: PortalSignIn;
let email: string;
let users = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = await testDatabase.open({ url: testDatabase.ownerUrl });
  const sessions = { ageMs: DAY_MS, idleMs: IDLE_MS, passwordMaxAgeMs: 90 * DAY_MS };
  // Rates are no subject here: the lock must hold without them.
  const parts = { database: testDatabase.database, limits: { take: async () => undefined } };
  const proofs = new FactorProofs({ ...parts, party: null });
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

const query = (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  owner.dataSource.query(sql, [...values]);
const signIn = async (password = PASSWORD, device: string | null = null): Promise<string> =>
  (await signIns.signIn({ email, password, device, ...BROWSER })).id;
const reauthenticate = (session: PortalSession, password: string) =>
  signIns.reauthenticate(session, { kind: 'password', password });
const refused = { code: 'sign_in_refused' };

async function openSession(password = PASSWORD) {
  const session = await signIns.findSession(await signIn(password));
  if (session === null) throw new Error('the session has ended');
  return session;
}

async function failTimes(times: number, device: string | null = null): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) {
    await expect(signIn('another heron 7', device)).rejects.toMatchObject(refused);
  }
}

const listActions = async () =>
  (await query('select action, reason from audit_entries where subject = $1 order by number', [email])).map(
    ({ action, reason }) => `${String(action)}: ${String(reason)}`,
  );
const listMails = (to = email) =>
  query('select subject, text, state, account_id, environment from mails where recipient = $1', [to]);

describe('ten wrong passwords lock the sign-in', () => {
  test('the right password is refused then, with the same sentence, and a mail and the audit log say so', async () => {
    await failTimes(9);
    await signIn();
    await failTimes(10);
    const wrong = await signIn('another heron 7').catch((error: unknown) => String(error));
    expect(await signIn().catch((error: unknown) => String(error))).toBe(wrong);
    const actions = await listActions();
    expect(actions.filter((each) => each.startsWith('LockPortalUser'))).toEqual([
      'LockPortalUser: 10 wrong passwords from unknown browsers',
    ]);
    expect(actions.slice(-2)).toEqual(Array.from({ length: 2 }, () => 'SignInRefused: the sign-in is locked'));
    expect(await listMails()).toMatchObject([
      { subject: expect.stringContaining('locked'), text: expect.stringContaining('192.0.2.7'), state: 'Waiting' },
    ]);
    expect((await listPortalUsers(testDatabase.database)).find((user) => user.email === email)?.lockedUntil).toEqual(
      expect.any(Date),
    );
  });

  test('a browser that is known still signs in, is locked for itself, and locks nobody else', async () => {
    await failTimes(10);
    await signIn(PASSWORD, 'known');
    await failTimes(10, 'stolen');
    await expect(signIn(PASSWORD, 'stolen')).rejects.toMatchObject(refused);
    await signIn(PASSWORD, 'known');
  });

  test('attempts at the same time are counted, too', async () => {
    const attempts = Array.from({ length: 14 }, () => signIn('another heron 7').catch(() => undefined));
    await Promise.all(attempts);
    const actions = await listActions();
    expect(actions.filter((each) => each === 'SignInRefused: wrong password')).toHaveLength(10);
    expect(actions.filter((each) => each === 'SignInRefused: the sign-in is locked')).toHaveLength(4);
    expect(actions.filter((each) => each.startsWith('LockPortalUser'))).toHaveLength(1);
    await expect(signIn()).rejects.toMatchObject(refused);
  });

  test('a lock ends after 30 minutes and begins at zero; attempts do not extend it', async () => {
    await failTimes(11);
    const [lock] = await query(
      `select extract(epoch from locked_until - clock_timestamp()) * 1000 as ms from portal_sign_in_attempts
       where locked_until is not null and user_id = (select id from portal_users where email = $1)`,
      [email],
    );
    expect(Number(lock?.['ms'])).toBeLessThanOrEqual(LOCK_MS);
    expect(Number(lock?.['ms'])).toBeGreaterThan(LOCK_MS - 60_000);
    await query(`update portal_sign_in_attempts set locked_until = clock_timestamp()`);
    await failTimes(9);
    await signIn();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['unlocks', () => unlockPortalUser(testDatabase.database, CHANGE, email)],
    [
      'resets the password',
      async () => {
        await resetPortalPassword(testDatabase.database, CHANGE, { email, password: 'blue heron lake 8' });
        await query(
          `update portal_users set password_hash =
          (select password_hash from portal_password_history h where h.user_id = portal_users.id) where email = $1`,
          [email],
        );
      },
    ],
  ])(
    'an operator %s, which ends the lock',
    async (_, end) => {
      await failTimes(10);
      await end();
      await signIn();
    },
    30_000,
  );

  test('nobody is unlocked without a lock', async () => {
    await failTimes(9);
    await expect(unlockPortalUser(testDatabase.database, CHANGE, email)).rejects.toMatchObject({
      members: { email: ['is not locked'] },
    });
  });

  test('the sessions of a user are locked for themselves after ten wrong passwords', async () => {
    const session = await openSession();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(reauthenticate(session, 'another heron 7')).rejects.toMatchObject(refused);
    }
    await expect(reauthenticate(session, PASSWORD)).rejects.toMatchObject({ code: 'password_locked' });
    const change = { presentPassword: PASSWORD, password: 'blue heron lake 8', address: '192.0.2.7' };
    await expect(
      changeOwnPassword({ database: testDatabase.database, signIns }, session, change),
    ).rejects.toMatchObject({ code: 'password_locked' });
    await signIn();
  });
});

describe('a password that somebody else has set', () => {
  test('is required to be changed, at creation and after a reset', async () => {
    const { database } = testDatabase;
    const other = `other${users}@corner.example`;
    await createPortalUser(database, CHANGE, { email: other, name: 'Bob', password: PASSWORD, isOperator: false });
    const { id } = await signIns.signIn({ email: other, password: PASSWORD, device: null, ...BROWSER });
    const session = await signIns.findSession(id);
    expect(session && signIns.findRequiredChange(session)).toBe('firstUse');
    expect(signIns.findRequiredChange(await openSession())).toBeNull();
    await resetPortalPassword(database, CHANGE, { email, password: 'blue heron lake 8' });
    expect(signIns.findRequiredChange(await openSession('blue heron lake 8'))).toBe('firstUse');
  });

  test.each([
    ['89 days', null],
    ['91 days', 'age'],
  ])('one of %s is asked for a change: %s', async (age, reason) => {
    await query(`update portal_users set password_changed_at = clock_timestamp() - $2::interval where email = $1`, [
      email,
      age,
    ]);
    expect(signIns.findRequiredChange(await openSession())).toBe(reason);
  });

  test('does not stop a session by an identity provider until it is entered', async () => {
    await resetPortalPassword(testDatabase.database, CHANGE, { email, password: 'blue heron lake 8' });
    const identity = { email, ...BROWSER, authenticatedAt: null, isBothFactors: false };
    const { id } = await signIns.signInVerified(identity);
    const session = await signIns.findSession(id);
    if (session === null) throw new Error('there is no session');
    expect(signIns.findRequiredChange(session)).toBeNull();
    await reauthenticate(session, 'blue heron lake 8');
    const entered = await signIns.findSession(id);
    expect(entered && signIns.findRequiredChange(entered)).toBe('firstUse');
  });
});

describe('a user changes the own password', () => {
  const change = async (presentPassword: string, password: string) => {
    const session = await openSession(presentPassword);
    const request = { presentPassword, password, address: '192.0.2.8' };
    await changeOwnPassword({ database: testDatabase.database, signIns }, session, request);
    return session;
  };

  test('which ends all other sessions, and is in the audit log and in a mail', async () => {
    const other = await signIn();
    await query('update portal_users set password_is_temporary = true where email = $1', [email]);
    const { idHash } = await change(PASSWORD, 'blue heron lake 8');
    expect(await signIns.findSession(other)).toBeNull();
    const rows = await query(
      'select id_hash from portal_sessions where user_id = (select id from portal_users where email = $1)',
      [email],
    );
    expect(rows).toEqual([{ id_hash: idHash }]);
    await expect(signIn()).rejects.toMatchObject(refused);
    expect(signIns.findRequiredChange(await openSession('blue heron lake 8'))).toBeNull();
    expect(await listActions()).toContain('ChangePortalPassword: by the user');
    expect(await listMails()).toMatchObject([
      { text: expect.stringContaining('192.0.2.8'), account_id: SYSTEM_SCOPE.accountId, environment: 'production' },
    ]);
  });

  test('with the present one only', async () => {
    const session = await openSession();
    const request = { presentPassword: 'another heron 7', password: 'blue heron lake 8', address: '192.0.2.8' };
    await expect(
      changeOwnPassword({ database: testDatabase.database, signIns }, session, request),
    ).rejects.toMatchObject(refused);
    await signIn();
  });

  // oxfmt-ignore
  test.each([
    ['a sequence',                '123456789012a',     'must not be mostly a sequence or a repetition'],
    ['the own address',           'user corner 772',   'must not contain your name or your e-mail address'],
    ['short',                     'g3y la h9',         'must be 12 to 200 characters'],
    ['the present one',           PASSWORD,            'is one of the last 4 passwords'],
  ])('to none that is %s', async (_, password, message) => {
    await expect(change(PASSWORD, password)).rejects.toMatchObject({ code: 'validation_failed', members: { password: [message] } });
    await signIn();
  });

  test('to none of the last four, also not by a reset, and to the fifth', async () => {
    const passwords = [PASSWORD, 'blue heron lake 1', 'blue heron lake 2', 'blue heron lake 3', 'blue heron lake 4'];
    for (const [at, next] of passwords.slice(1).entries()) await change(passwords[at] ?? '', next);
    for (const last of passwords.slice(1)) {
      await expect(change('blue heron lake 4', last)).rejects.toMatchObject({ code: 'validation_failed' });
      await expect(resetPortalPassword(testDatabase.database, CHANGE, { email, password: last })).rejects.toMatchObject(
        { members: { password: ['is one of the last 4 passwords'] } },
      );
    }
    await change('blue heron lake 4', PASSWORD);
    const sql = 'select 1 from portal_password_history join portal_users on id = user_id where email = $1';
    expect(await query(sql, [email])).toHaveLength(3);
  });
});

test('a made password is accepted for everybody', () => {
  const made = Array.from({ length: 200 }, createPassword);
  for (const password of made)
    expect(password).toMatch(/^(?=.*[a-z])(?=.*[0-9])([b-df-hj-kmnp-tv-xz2-9]{5}-){3}[b-df-hj-kmnp-tv-xz2-9]{5}$/);
  expect(new Set(made).size).toBe(200);
});

describe('sessions', () => {
  test('are listed with browser and address, and end one by one or all others', async () => {
    const { database } = testDatabase;
    const session = await openSession();
    const other = await openSession();
    await openSession();
    const listed = await listOwnSessions(database, session, IDLE_MS);
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { browser: 'Firefox', networkAddress: '192.0.2.7' },
    ]);
    const [named] = (await listOwnSessions(database, other, IDLE_MS)).filter(({ isCurrent }) => isCurrent);
    await endOwnSession(database, session, named?.id ?? '');
    expect(await listOwnSessions(database, session, IDLE_MS)).toHaveLength(2);
    await endOtherSessions(database, session);
    expect(await listOwnSessions(database, session, IDLE_MS)).toMatchObject([{ isCurrent: true }]);
    expect((await listActions()).filter((each) => each.startsWith('EndPortalSessions'))).toHaveLength(2);
  });

  test('of another user cannot be ended', async () => {
    const { database } = testDatabase;
    const [stranger] = await listOwnSessions(database, await openSession(), IDLE_MS);
    const mine = `mine${users}@corner.example`;
    await createPortalUser(database, CHANGE, { email: mine, name: 'Bob', password: PASSWORD, isOperator: false });
    email = mine;
    const session = await openSession();
    for (const id of [stranger?.id ?? '', '', 'x', '%']) {
      await expect(endOwnSession(database, session, id)).rejects.toMatchObject({
        members: { sessionId: ['is none of your sessions'] },
      });
    }
  });

  test('end by an operator, and the user signs in again', async () => {
    const id = await signIn();
    await endPortalSessions(testDatabase.database, CHANGE, email);
    expect(await signIns.findSession(id)).toBeNull();
    await signIn();
  });
});

describe('users who do not sign in for 90 days', () => {
  const runUpkeep = async (unusedUserDays: number) => {
    const { database } = testDatabase;
    const queue = new TimerQueue(database);
    await query(
      `update timers set due_at = clock_timestamp() - interval '1 minute', leased_until = null where kind = 'portal-users'`,
    );
    const [claimed] = await queue.claim(SYSTEM_SCOPE, ['portal-users'], { limit: 1, leaseMs: 60_000 });
    if (claimed === undefined) throw new Error('no upkeep is due');
    await runPortalUsersUpkeep({ database, queue, unusedUserDays }, claimed);
  };
  const age = (columns: string, days: number) =>
    query(
      `update portal_users set ${columns
        .split(',')
        .map((each) => `${each} = clock_timestamp() - $2 * interval '1 day'`)
        .join(', ')} where email = $1`,
      [email, days],
    );
  const readStatus = async () =>
    (await query('select status from portal_users where email = $1', [email]))[0]?.['status'];

  // oxfmt-ignore
  test.each<[string, string, number, number, string]>([
    ['created and never used for',           'created_at',                           91, 90, 'Disabled'],
    ['not used for',                         'created_at,last_sign_in_at',           91, 90, 'Disabled'],
    ['enabled and not used for',             'created_at,last_sign_in_at,enabled_at', 91, 90, 'Disabled'],
    ['not used for',                         'created_at,last_sign_in_at,enabled_at', 31, 30, 'Disabled'],
    ['not used for',                         'created_at,last_sign_in_at',           89, 90, 'Active'],
    ['not used, without a limit, for',       'created_at,last_sign_in_at',           900, 0, 'Active'],
  ])('a user who was %s (%s) %i days of %i is %s', async (_, columns, days, limit, status) => {
    await age(columns, days);
    await runUpkeep(limit);
    expect(await readStatus()).toBe(status);
  });

  test('have no sessions any more, are in the audit log, and stay enabled once an operator has enabled them', async () => {
    await signIn();
    await age('created_at,last_sign_in_at', 91);
    await runUpkeep(90);
    const sessions = 'select 1 from portal_sessions where user_id = (select id from portal_users where email = $1)';
    expect(await query(sessions, [email])).toEqual([]);
    const entries = await query(
      `select action, actor, reason from audit_entries where subject = (select id from portal_users where email = $1)
       and action = 'DisablePortalUser'`,
      [email],
    );
    expect(entries).toEqual([
      { action: 'DisablePortalUser', actor: 'webhook-worker', reason: 'no sign-in for 90 days' },
    ]);
    await changePortalUserStatus(testDatabase.database, CHANGE, { email, status: 'Active' });
    await runUpkeep(90);
    expect(await readStatus()).toBe('Active');
    await signIn();
    expect((await listPortalUsers(testDatabase.database)).find((user) => user.email === email)?.lastSignInAt).toEqual(
      expect.any(Date),
    );
  });
});
