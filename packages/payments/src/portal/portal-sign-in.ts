import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SYSTEM_SCOPE } from '@pos/core/administration/audit-entry';
import type { Scope } from '@pos/core/identity/identity';
import { findPasswordChangeReason, type PasswordChangeReason } from '@pos/core/identity/password-rules';
import type { PortalRole } from '@pos/core/identity/portal-role';
import { findAddressGroup } from '@pos/core/rate-limits/address-group';
import type { RateLimiter } from '@pos/core/rate-limits/rate-limit';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import type { Database } from '@pos/store/database/database';
import {
  deletePortalSession,
  deletePortalSessions,
  findPortalSession,
  insertPortalSession,
  type PortalSession,
  recordReauthentication,
  touchPortalSession,
  updateChosenAccount,
} from '@pos/store/portal/portal-sessions';
import { claimPortalNonce } from '@pos/store/portal/portal-nonces';
import {
  findPortalCredential,
  holdPortalCredential,
  type PortalCredential,
  type PortalUser,
  recordLastSignIn,
} from '@pos/store/portal/portal-users';
import { countAttempt, forgetAttempts, lockAfterRefusal, type PasswordAttempt } from './password-attempts.js';
import { verifyPassword } from './password-hash.js';
import { normaliseEmail } from './portal-user-administration.js';
import { recordSignIn, type SignInRecord } from './sign-in-audit.js';

/** How long sessions last, and the passwords that open them. */
export interface PortalSessionLimits {
  readonly ageMs: number;
  readonly idleMs: number;
  /** Null: passwords have no age. */
  readonly passwordMaxAgeMs: number | null;
}

/** The browser of a sign-in. */
export interface SignInBrowser {
  readonly address: string;
  /** The header `user-agent`, on one line; null without one. */
  readonly browser: string | null;
}

const SESSION_ID_BYTES = 32;
const SESSION_ID_FORM = /^[A-Za-z0-9_-]{43}$/;
const USE_RECORD_INTERVAL_MS = 60_000;
/** What needs the password again accepts it for this long. */
export const REAUTHENTICATION_MS = 300_000;
const TOO_MANY = 'There were too many attempts for this address.';
/** A person mistypes a few times; a program in one network gets one attempt in 30 seconds. */
const EMAIL_LIMIT = { burst: 10, perSecond: 1 / 30, detail: TOO_MANY };
/** Of all networks together. It is wide, because a stranger who uses it up locks the user out. */
const EMAIL_TOTAL_LIMIT = { burst: 100, perSecond: 1 / 6, detail: TOO_MANY };
const ADDRESS_LIMIT = { burst: 30, perSecond: 1 / 5, detail: 'There were too many attempts from your network.' };
/** Of a user who is signed in: strangers cannot use it up. */
const REAUTHENTICATION_LIMIT = { burst: 20, perSecond: 1 / 30, detail: 'There were too many attempts.' };
/** No refused sign-in ends earlier: the time of the answer does not reveal what was done for it. */
export const REFUSAL_MS = 400;

/** Signs users of the portal in and out. */
export class PortalSignIn {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly limits: RateLimiter;
      readonly sessions: PortalSessionLimits;
    },
  ) {}

  /**
   * Returns the id of a new session, which only the caller knows. Refuses `sign_in_refused` for any wrong pair, and for
   * a source that ten wrong passwords have locked. `device` names a browser in which this user has signed in before: it
   * is locked for itself, so that strangers cannot keep the user out.
   */
  async signIn(
    request: SignInBrowser & { readonly email: string; readonly password: string; readonly device: string | null },
  ): Promise<string> {
    const startedAt = performance.now();
    const email = normaliseEmail(request.email);
    const { address, device } = request;
    await this.#limitSignIn(email, request);
    const source = device === null ? 'any' : (`device_${device}` as const);
    try {
      const found = await this.#authenticate(email, request.password, { action: 'SignInRefused', source, address });
      return await this.#createSession(found, { ...request, attempt: { user: found.user, source, address } });
    } catch (error) {
      await pause(Math.max(0, startedAt + REFUSAL_MS - performance.now()));
      throw error;
    }
  }

  /**
   * Returns the id of a new session of the user whose address a provider of identities has verified. Refuses
   * `sign_in_refused` for an unknown and a disabled user. Keys and returns of money need the password of the portal.
   */
  async signInVerified(sent: string, { address, browser }: SignInBrowser): Promise<string> {
    const { database } = this.parts;
    const email = normaliseEmail(sent);
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    if (found === null || found.user.status !== 'Active') {
      const reason = found === null ? 'the provider names no user' : 'the user is disabled';
      await this.#record({ action: 'SignInRefused', userId: found?.user.id ?? null, email, reason, address });
      throw new Refusal('sign_in_refused', 'There is no active user with this e-mail address.');
    }
    return this.#createSession(found, { address, browser, attempt: null });
  }

  /** Whether nobody has used this text before; it is kept until `keptMs` have passed. */
  claimOnce(text: string, keptMs: number): Promise<boolean> {
    return this.parts.database.transact(SYSTEM_SCOPE, (tx) => claimPortalNonce(tx, text, keptMs));
  }

  /** Counts an attempt to sign in from this network. Refuses `rate_limited`. */
  async countAttempt(address: string): Promise<void> {
    await this.parts.limits.take(`portal sign-in from ${findAddressGroup(address)}`, ADDRESS_LIMIT);
  }

  /** The session of this id, which counts as used now; null when there is none that is usable. */
  async findSession(id: string): Promise<PortalSession | null> {
    const { database } = this.parts;
    const session = await this.peekSession(id);
    if (session !== null && session.usedMsAgo > USE_RECORD_INTERVAL_MS) {
      await database.transact(SYSTEM_SCOPE, (tx) => touchPortalSession(tx, session.idHash));
    }
    return session;
  }

  /** The same, without an effect on when the session ends: for what the service does by itself. */
  async peekSession(id: string): Promise<PortalSession | null> {
    if (!SESSION_ID_FORM.test(id)) return null;
    const { database, sessions } = this.parts;
    return database.readSystem((reader) => findPortalSession(reader, { id, idleMs: sessions.idleMs }));
  }

  /** Why the user of the session must change the password before anything else; null if they need not. */
  findRequiredChange({ password }: PortalSession): PasswordChangeReason | null {
    const { passwordMaxAgeMs } = this.parts.sessions;
    return password.wasEntered ? findPasswordChangeReason(password, passwordMaxAgeMs) : null;
  }

  /** Stores that the user has entered the password again. Refuses `sign_in_refused` for a wrong one. */
  async reauthenticate(session: PortalSession, password: string): Promise<void> {
    await this.verifyPasswordOf(session, password);
    const { id: userId, email } = session.user;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordReauthentication(tx, session.idHash);
      await recordSignIn(tx, { action: 'Reauthenticate', userId, email, reason: 'by password', address: null });
    });
  }

  /**
   * The user of the session with the hash of the password that was entered. Refuses `sign_in_refused` for a wrong one,
   * and `password_locked` after ten wrong ones in all sessions of the user.
   */
  async verifyPasswordOf({ user }: PortalSession, password: string): Promise<PortalCredential> {
    const { database, limits } = this.parts;
    await limits.take(`portal password of ${user.id}`, REAUTHENTICATION_LIMIT);
    const attempt = { user, source: 'session', address: null } as const;
    const found = await this.#authenticate(user.email, password, { action: 'ReauthenticationRefused', ...attempt });
    await database.transact(SYSTEM_SCOPE, (tx) => forgetAttempts(tx, attempt));
    return found;
  }

  /** Works in another account from now on. Refuses one in which the user has no role. */
  async chooseAccount(session: PortalSession, scope: Scope): Promise<void> {
    if (findRole(session.user, scope) === null) {
      throw createViolation('validation_failed', 'accountId', 'is no account in which you have a role');
    }
    await this.parts.database.transact(SYSTEM_SCOPE, (tx) => updateChosenAccount(tx, session.idHash, scope));
  }

  async signOut({ idHash, user: { id: userId, email } }: PortalSession): Promise<void> {
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await deletePortalSession(tx, idHash);
      await recordSignIn(tx, { action: 'SignOut', userId, email, reason: 'by the user', address: null });
    });
  }

  /** Ends all sessions of the user. */
  async signOutEverywhere({ user: { id: userId, email } }: PortalSession): Promise<void> {
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await deletePortalSessions(tx, userId);
      await recordSignIn(tx, { action: 'SignOutEverywhere', userId, email, reason: 'by the user', address: null });
    });
  }

  /** In a transaction of its own, for what changes nothing else. */
  #record(record: SignInRecord): Promise<void> {
    return this.parts.database.transact(SYSTEM_SCOPE, (tx) => recordSignIn(tx, record));
  }

  /** A known browser has a limit of its own: what strangers do in its network, or with the address, is not its matter. */
  async #limitSignIn(
    email: string,
    { address, device }: { readonly address: string; readonly device: string | null },
  ): Promise<void> {
    const { limits } = this.parts;
    if (device !== null) return limits.take(`portal sign-in of ${email} by ${device}`, EMAIL_LIMIT);
    await this.countAttempt(address);
    await limits.take(`portal sign-in of ${email} from ${findAddressGroup(address)}`, EMAIL_LIMIT);
    await limits.take(`portal sign-in of ${email}`, EMAIL_TOTAL_LIMIT);
  }

  async #createSession(
    { user: { id: userId, email, memberships }, passwordHash }: PortalCredential,
    { address, browser, attempt }: SignInBrowser & { readonly attempt: PasswordAttempt | null },
  ): Promise<string> {
    const id = randomBytes(SESSION_ID_BYTES).toString('base64url');
    const [only, ...others] = memberships;
    const chosen = only !== undefined && others.length === 0 ? toScope(only) : null;
    const { ageMs } = this.parts.sessions;
    const hasEnteredPassword = attempt !== null;
    const authenticatedMsAgo = hasEnteredPassword ? 0 : REAUTHENTICATION_MS + 1_000;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      // A reset of the password ends all sessions. One that began before it must not survive it.
      if (!(await holdPortalCredential(tx, { id: userId, passwordHash }))) {
        throw new Refusal('sign_in_refused', 'The user was changed just now.');
      }
      if (attempt !== null) await forgetAttempts(tx, attempt);
      await recordLastSignIn(tx, userId);
      const came = { hasEnteredPassword, browser, networkAddress: address };
      await insertPortalSession(tx, { id, userId, ageMs, chosen, authenticatedMsAgo, ...came });
      const reason = hasEnteredPassword ? 'by password' : 'by the identity provider';
      await recordSignIn(tx, { action: 'SignIn', userId, email, reason, address });
    });
    return id;
  }

  /** Counts the attempt and compares the password. Every refusal costs the same work. */
  async #authenticate(
    email: string,
    password: string,
    { action, source, address }: Pick<SignInRecord, 'action'> & Pick<PasswordAttempt, 'source' | 'address'>,
  ): Promise<PortalCredential> {
    const { database } = this.parts;
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    const attempt = found === null ? null : { user: found.user, source, address };
    const isAdmitted = attempt === null || (await countAttempt(database, attempt));
    const isPassword = await verifyPassword(found?.passwordHash ?? null, password);
    if (found !== null && isAdmitted && isPassword && found.user.status === 'Active') return found;
    const reason = describeRefusal({ found, isAdmitted, isPassword });
    await database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordSignIn(tx, { action, userId: found?.user.id ?? null, email, reason, address });
      if (attempt !== null) await lockAfterRefusal(tx, attempt);
    });
    // Only to the user, who is signed in: a stranger must not learn that the address exists.
    if (!isAdmitted && source === 'session') {
      throw new Refusal('password_locked', 'There were ten wrong passwords. Wait 30 minutes, or ask your operator.');
    }
    throw new Refusal('sign_in_refused', 'The e-mail address or the password is wrong.');
  }
}

/** What the audit log says and the answer does not. */
function describeRefusal({
  found,
  isAdmitted,
  isPassword,
}: {
  readonly found: PortalCredential | null;
  readonly isAdmitted: boolean;
  readonly isPassword: boolean;
}): string {
  if (found === null) return 'there is no such user';
  if (!isAdmitted) return 'the sign-in is locked';
  return isPassword ? 'the user is disabled' : 'wrong password';
}

/** The role of a user in one environment of one account; null for none. */
export function findRole(user: PortalUser, scope: Scope): PortalRole | null {
  if (user.isOperator) return 'operator';
  const isThere = ({ accountId, environment }: Scope): boolean =>
    accountId === scope.accountId && environment === scope.environment;
  return user.memberships.find(isThere)?.role ?? null;
}

function toScope({ accountId, environment }: Scope): Scope {
  return { accountId, environment };
}
