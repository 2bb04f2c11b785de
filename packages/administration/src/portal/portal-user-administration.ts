import { randomInt } from 'node:crypto';
import { type AuditedChange, SYSTEM_SCOPE } from '@pos/core/administration';
import type { PortalMembership, PortalUserStatus } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import {
  deletePortalMembership,
  deletePortalSessions,
  findPortalCredential,
  insertPortalUser,
  listLockedUsers,
  listPortalUsers as listUsers,
  lockPortalUser,
  type PortalUser,
  schedulePortalUsersUpkeep,
  unlockSignIn,
  updatePortalUserStatus,
  upsertPortalMembership,
} from '@pos/store/portal';
import { recordChange, requireAccount, requireLine } from '@pos/payments/audit';
import { requireSecondOperator } from '@pos/payments/four-eyes';
import { requireGoodPassword, storePassword } from './password-check.js';
import { hashPassword } from './password-hash.js';

/** A user to create. */
export interface NewPortalUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isOperator: boolean;
  /** The user has the password from elsewhere and need not change it, as in a world for developers. */
  readonly isPasswordFinal?: boolean;
}

const EMAIL_FORM = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/;
const EMAIL_LENGTH_MAX = 254;
const NAME_LENGTH_MAX = 100;
/** Without vowels no name or word appears by chance, and without 0, 1 and l nothing is mistyped. */
const PASSWORD_ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';
const PASSWORD_GROUPS = 4;
const PASSWORD_GROUP_LENGTH = 5;
const USERS_MAX = 1_000;

/** The form in which an address is stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A password that nobody can guess, of 95 bits, in characters that can be typed. It has a letter and a digit. */
export function createPassword(): string {
  const groups = Array.from({ length: PASSWORD_GROUPS }, () =>
    Array.from({ length: PASSWORD_GROUP_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(
      '',
    ),
  );
  const password = groups.join('-');
  return /[a-z]/.test(password) && /[0-9]/.test(password) ? password : createPassword();
}

/**
 * Creates a user of the portal, without a role in any account. The user must change the password at the first sign-in.
 * Refuses an address that another user has, and a password that breaks a rule.
 */
export async function createPortalUser(
  database: Database,
  change: AuditedChange,
  request: NewPortalUser,
): Promise<Pick<PortalUser, 'id' | 'email' | 'name' | 'isOperator'>> {
  const email = requireEmail(request.email);
  const { isOperator, isPasswordFinal = false } = request;
  const name = requireLine('name', request.name, NAME_LENGTH_MAX);
  const passwordHash = await hashPassword(requireGoodPassword(request.password, { email, name }));
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    if (isOperator) await requireSecondOperator(tx, change, { operation: 'CreateOperator', target: { email, name } });
    const user = { id: await tx.newId('portalUser'), email, name, isOperator };
    if (!(await insertPortalUser(tx, { ...user, passwordHash, isPasswordTemporary: !isPasswordFinal }))) {
      throw createViolation('validation_failed', 'email', 'belongs to a user already');
    }
    await recordChange(tx, change, {
      ...{ action: 'CreatePortalUser', subject: user.id },
      after: { email, name, isOperator },
    });
    schedulePortalUsersUpkeep(tx);
    return user;
  });
}

/** A user in a list. */
export interface ListedPortalUser extends PortalUser {
  /** Until when the sign-in is locked after wrong passwords; null without a lock. */
  readonly lockedUntil: Date | null;
}

/** All users of the portal by their addresses. */
export function listPortalUsers(database: Database): Promise<ListedPortalUser[]> {
  return database.readSystem(async (reader) => {
    const users = await listUsers(reader, USERS_MAX);
    const locked = await listLockedUsers(reader, USERS_MAX);
    return users.map((user) => ({ ...user, lockedUntil: locked.get(user.id) ?? null }));
  });
}

/** Disables a user, whose sessions end at once, or enables one again. */
export function changePortalUserStatus(
  database: Database,
  change: AuditedChange,
  { email, status }: { readonly email: string; readonly status: PortalUserStatus },
): Promise<PortalUser> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, email);
    if (user.isOperator && status === 'Active') {
      await requireSecondOperator(tx, change, { operation: 'EnableOperator', target: { user: user.id } });
    }
    await updatePortalUserStatus(tx, user.id, status);
    await deletePortalSessions(tx, user.id);
    await recordChange(tx, change, {
      ...{ action: status === 'Active' ? 'EnablePortalUser' : 'DisablePortalUser', subject: user.id },
      ...{ before: { status: user.status }, after: { status } },
    });
    return { ...user, status };
  });
}

/**
 * Gives a user another password, which must be changed at the next sign-in. It ends all sessions and locks. Refuses a
 * password that breaks a rule, and one of the last four.
 */
export async function resetPortalPassword(
  database: Database,
  change: AuditedChange,
  request: { readonly email: string; readonly password: string },
): Promise<PortalUser> {
  const email = normaliseEmail(request.email);
  const found = await database.readSystem((reader) => findPortalCredential(reader, email));
  const owner = found === null ? { email, name: '' } : found.user;
  const text = requireGoodPassword(request.password, owner);
  const hash = await hashPassword(text);
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, email);
    if (user.isOperator) {
      await requireSecondOperator(tx, change, { operation: 'ResetOperatorPassword', target: { user: user.id } });
    }
    await storePassword(tx, user.id, { text, hash, isTemporary: true });
    await deletePortalSessions(tx, user.id);
    await unlockSignIn(tx, user.id);
    await recordChange(tx, change, { action: 'ResetPortalPassword', subject: user.id });
    return user;
  });
}

/** Ends the locks of a user after wrong passwords. Refuses a user without one. */
export async function unlockPortalUser(database: Database, change: AuditedChange, email: string): Promise<PortalUser> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, email);
    if (!(await unlockSignIn(tx, user.id))) throw createViolation('validation_failed', 'email', 'is not locked');
    await recordChange(tx, change, { action: 'UnlockPortalUser', subject: user.id });
    return user;
  });
}

/** Ends all sessions of a user, who may sign in again. */
export async function endPortalSessions(database: Database, change: AuditedChange, email: string): Promise<PortalUser> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, email);
    await deletePortalSessions(tx, user.id);
    await recordChange(tx, change, { action: 'EndPortalSessions', subject: user.id });
    return user;
  });
}

/** Gives a user a role in the account and environment of the transaction; it replaces the previous one. */
export async function grantPortalRole(
  database: Database,
  change: AuditedChange,
  { email, membership }: { readonly email: string; readonly membership: PortalMembership },
): Promise<PortalUser> {
  const { accountId, environment, role } = membership;
  return database.transact({ accountId, environment }, async (tx) => {
    await requireAccount(tx);
    const user = await requireUser(tx, email);
    if (environment === 'production') {
      const target = { user: user.id, account: accountId, role };
      await requireSecondOperator(tx, change, { operation: 'GrantProductionRole', target });
    }
    await upsertPortalMembership(tx, user.id, membership);
    await recordChange(tx, change, {
      ...{ action: 'GrantPortalRole', subject: user.id },
      ...{ before: findRole(user, membership), after: { email: user.email, role } },
    });
    return user;
  });
}

/** Takes the role of a user in an account away. Refuses a user without one. */
export async function revokePortalRole(
  database: Database,
  change: AuditedChange,
  { email, scope }: { readonly email: string; readonly scope: Omit<PortalMembership, 'role'> },
): Promise<PortalUser> {
  return database.transact(scope, async (tx) => {
    await requireAccount(tx);
    const user = await requireUser(tx, email);
    if (!(await deletePortalMembership(tx, user.id, scope))) {
      throw createViolation('validation_failed', 'email', 'has no role in this account');
    }
    await recordChange(tx, change, {
      ...{ action: 'RevokePortalRole', subject: user.id },
      before: findRole(user, scope),
    });
    return user;
  });
}

function findRole({ email, memberships }: PortalUser, scope: Omit<PortalMembership, 'role'>) {
  const found = memberships.find(
    ({ accountId, environment }) => accountId === scope.accountId && environment === scope.environment,
  );
  return found === undefined ? null : { email, role: found.role };
}

async function requireUser(tx: Tx, email: string): Promise<PortalUser> {
  const user = await lockPortalUser(tx, normaliseEmail(email));
  if (user === null) throw createViolation('validation_failed', 'email', 'is not a user of the portal');
  return user;
}

function requireEmail(text: string): string {
  const email = normaliseEmail(text);
  if (email.length <= EMAIL_LENGTH_MAX && EMAIL_FORM.test(email)) return email;
  throw createViolation('validation_failed', 'email', 'must be an e-mail address');
}
