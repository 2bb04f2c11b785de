import { randomBytes } from 'node:crypto';
import type { AuditedChange } from '@pos/core/administration/audit-entry';
import { SYSTEM_SCOPE } from '@pos/core/administration/audit-entry';
import type { PortalMembership, PortalUserStatus } from '@pos/core/identity/portal-role';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Database, Tx } from '@pos/store/database/database';
import { deletePortalSessions } from '@pos/store/portal/portal-sessions';
import {
  deletePortalMembership,
  insertPortalUser,
  listPortalUsers as listUsers,
  lockPortalUser,
  type PortalUser,
  updatePortalPassword,
  updatePortalUserStatus,
  upsertPortalMembership,
} from '@pos/store/portal/portal-users';
import { recordChange, requireAccount, requireLine } from '../administration/audited-change.js';
import { hashPassword } from './password-hash.js';

/** A user to create. */
export interface NewPortalUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isOperator: boolean;
}

const EMAIL_FORM = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/;
const EMAIL_LENGTH_MAX = 254;
const NAME_LENGTH_MAX = 100;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;
const PASSWORD_BYTES = 15;
const USERS_MAX = 1_000;

/** The form in which an address is stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A password that nobody can guess, in characters that can be typed. */
export function createPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/** Creates a user of the portal, without a role in any account. Refuses an address that another user has. */
export async function createPortalUser(
  database: Database,
  change: AuditedChange,
  request: NewPortalUser,
): Promise<Pick<PortalUser, 'id' | 'email' | 'name' | 'isOperator'>> {
  const email = requireEmail(request.email);
  const { isOperator } = request;
  const name = requireLine('name', request.name, NAME_LENGTH_MAX);
  const passwordHash = await hashPassword(requirePassword(request.password));
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = { id: await tx.newId('portalUser'), email, name, isOperator };
    if (!(await insertPortalUser(tx, { ...user, passwordHash }))) {
      throw createViolation('validation_failed', 'email', 'belongs to a user already');
    }
    await recordChange(tx, change, {
      ...{ action: 'CreatePortalUser', subject: user.id },
      after: { email, name, isOperator },
    });
    return user;
  });
}

/** All users of the portal by their addresses. */
export function listPortalUsers(database: Database): Promise<PortalUser[]> {
  return database.readSystem((reader) => listUsers(reader, USERS_MAX));
}

/** Disables a user, whose sessions end at once, or enables one again. */
export function changePortalUserStatus(
  database: Database,
  change: AuditedChange,
  { email, status }: { readonly email: string; readonly status: PortalUserStatus },
): Promise<PortalUser> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, email);
    await updatePortalUserStatus(tx, user.id, status);
    await deletePortalSessions(tx, user.id);
    await recordChange(tx, change, {
      ...{ action: status === 'Active' ? 'EnablePortalUser' : 'DisablePortalUser', subject: user.id },
      ...{ before: { status: user.status }, after: { status } },
    });
    return { ...user, status };
  });
}

/** Gives a user another password, and ends all sessions. */
export async function resetPortalPassword(
  database: Database,
  change: AuditedChange,
  request: { readonly email: string; readonly password: string },
): Promise<PortalUser> {
  const passwordHash = await hashPassword(requirePassword(request.password));
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await requireUser(tx, request.email);
    await updatePortalPassword(tx, user.id, passwordHash);
    await deletePortalSessions(tx, user.id);
    await recordChange(tx, change, { action: 'ResetPortalPassword', subject: user.id });
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

function requirePassword(password: string): string {
  if (password.length >= PASSWORD_LENGTH_MIN && password.length <= PASSWORD_LENGTH_MAX) return password;
  throw createViolation(
    'validation_failed',
    'password',
    `must be ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  );
}
