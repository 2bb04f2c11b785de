import { randomBytes } from 'node:crypto';
import { SYSTEM_SCOPE } from '@pos/core/administration/audit-entry';
import type { Scope } from '@pos/core/identity/identity';
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
} from '@pos/store/portal/portal-users';
import { verifyPassword } from './password-hash.js';
import { normaliseEmail } from './portal-user-administration.js';
import { recordSignIn, type SignInRecord } from './sign-in-audit.js';

/** How long sessions last. */
export interface PortalSessionLimits {
  readonly ageMs: number;
  readonly idleMs: number;
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
const REAUTHENTICATION_LIMIT = { burst: 10, perSecond: 1 / 30, detail: 'There were too many attempts.' };

/** Signs users of the portal in and out. */
export class PortalSignIn {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly limits: RateLimiter;
      readonly sessions: PortalSessionLimits;
    },
  ) {}

  /** Returns the id of a new session, which only the caller knows. Refuses `sign_in_refused` for any wrong pair. */
  async signIn(request: {
    readonly email: string;
    readonly password: string;
    readonly address: string;
  }): Promise<string> {
    const email = normaliseEmail(request.email);
    await this.countAttempt(request.address);
    await this.#countSignIn(email, findAddressGroup(request.address));
    const { address } = request;
    const found = await this.#authenticate(email, request.password, { action: 'SignInRefused', address });
    return this.#createSession(found, { isPasswordEntered: true, address });
  }

  /**
   * Returns the id of a new session of the user whose address a provider of identities has verified. Refuses
   * `sign_in_refused` for an unknown and a disabled user. Keys and returns of money need the password of the portal.
   */
  async signInVerified(sent: string, address: string): Promise<string> {
    const { database } = this.parts;
    const email = normaliseEmail(sent);
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    if (found === null || found.user.status !== 'Active') {
      const reason = found === null ? 'the provider names no user' : 'the user is disabled';
      await this.#record({ action: 'SignInRefused', userId: found?.user.id ?? null, email, reason, address });
      throw new Refusal('sign_in_refused', 'There is no active user with this e-mail address.');
    }
    return this.#createSession(found, { isPasswordEntered: false, address });
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

  /** Stores that the user has entered the password again. Refuses `sign_in_refused` for a wrong one. */
  async reauthenticate(session: PortalSession, password: string): Promise<void> {
    await this.parts.limits.take(`portal password of ${session.user.id}`, REAUTHENTICATION_LIMIT);
    const { id: userId, email } = session.user;
    await this.#authenticate(email, password, { action: 'ReauthenticationRefused', address: null });
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordReauthentication(tx, session.idHash);
      await recordSignIn(tx, { action: 'Reauthenticate', userId, email, reason: 'by password', address: null });
    });
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

  async #countSignIn(email: string, network: string): Promise<void> {
    const { limits } = this.parts;
    await limits.take(`portal sign-in of ${email} from ${network}`, EMAIL_LIMIT);
    await limits.take(`portal sign-in of ${email}`, EMAIL_TOTAL_LIMIT);
  }

  async #createSession(
    { user: { id: userId, email, memberships }, passwordHash }: PortalCredential,
    { isPasswordEntered, address }: { readonly isPasswordEntered: boolean; readonly address: string },
  ): Promise<string> {
    const id = randomBytes(SESSION_ID_BYTES).toString('base64url');
    const [only, ...others] = memberships;
    const chosen = only !== undefined && others.length === 0 ? toScope(only) : null;
    const { ageMs } = this.parts.sessions;
    const authenticatedMsAgo = isPasswordEntered ? 0 : REAUTHENTICATION_MS + 1_000;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      // A reset of the password ends all sessions. One that began before it must not survive it.
      if (!(await holdPortalCredential(tx, { id: userId, passwordHash }))) {
        throw new Refusal('sign_in_refused', 'The user was changed just now.');
      }
      await insertPortalSession(tx, { id, userId, ageMs, chosen, authenticatedMsAgo });
      const reason = isPasswordEntered ? 'by password' : 'by the identity provider';
      await recordSignIn(tx, { action: 'SignIn', userId, email, reason, address });
    });
    return id;
  }

  async #authenticate(
    email: string,
    password: string,
    refused: Pick<SignInRecord, 'action' | 'address'>,
  ): Promise<PortalCredential> {
    const { database } = this.parts;
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    const isPassword = await verifyPassword(found?.passwordHash ?? null, password);
    if (found === null || !isPassword || found.user.status !== 'Active') {
      const reason = found === null ? 'there is no such user' : isPassword ? 'the user is disabled' : 'wrong password';
      await this.#record({ ...refused, userId: found?.user.id ?? null, email, reason });
      throw new Refusal('sign_in_refused', 'The e-mail address or the password is wrong.');
    }
    return found;
  }
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
