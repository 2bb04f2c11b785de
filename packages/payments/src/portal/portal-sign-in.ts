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
  findPortalSessionByHash,
  type PortalSession,
  recordReauthentication,
  recordSecondFactor,
  touchPortalSession,
  updateChosenAccount,
} from '@pos/store/portal/portal-sessions';
import { claimPortalNonce } from '@pos/store/portal/portal-nonces';
import { findPortalCredential, type PortalCredential, type PortalUser } from '@pos/store/portal/portal-users';
import type { FactorProof, FactorProofs } from './factor-proofs.js';
import { verifyPassword } from './password-hash.js';
import { normaliseEmail } from './portal-user-administration.js';
import { recordSignIn, type SignInRecord } from './sign-in-audit.js';
import type { FirstStep, SignInSteps } from './sign-in-steps.js';

/** How long sessions last. */
export interface PortalSessionLimits {
  readonly ageMs: number;
  readonly idleMs: number;
}

/** The user that a provider of identities has verified. */
export interface VerifiedIdentity {
  readonly email: string;
  /** Of the browser. */
  readonly address: string;
  /** When the user was authenticated there; null where the provider does not state it. */
  readonly authenticatedAt: Date | null;
  /** Whether the provider states that the user gave a second factor. */
  readonly isBothFactors: boolean;
}

/** What a user enters again for an action that needs it. A recovery code is none: it replaces a lost factor only. */
export type ReauthenticationProof =
  | { readonly kind: 'password'; readonly password: string }
  | Exclude<FactorProof, { readonly kind: 'recoveryCode' }>;

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
      readonly proofs: FactorProofs;
      readonly steps: SignInSteps;
      /** Without it users sign in at the identity provider or by a passkey. */
      readonly acceptsPasswords: boolean;
    },
  ) {}

  /** The first step of a sign-in by a password. Refuses `sign_in_refused` for any wrong pair. */
  async signIn(request: {
    readonly email: string;
    readonly password: string;
    readonly address: string;
  }): Promise<FirstStep> {
    this.#requirePasswords();
    const email = normaliseEmail(request.email);
    await this.countAttempt(request.address);
    await this.#countSignIn(email, findAddressGroup(request.address));
    const { address } = request;
    const found = await this.#authenticate(email, request.password, { action: 'SignInRefused', address });
    const { database, steps } = this.parts;
    const authenticatedAt = await database.now();
    return steps.continue(found, { method: 'password', address, authenticatedAt, isBothFactors: false });
  }

  /**
   * The first step of a sign-in of the user whose address a provider of identities has verified. Refuses
   * `sign_in_refused` for an unknown and a disabled user. Where passwords are accepted, keys and returns of money need
   * one, or a second factor: the session at the provider may be old.
   */
  async signInVerified({ email: sent, address, authenticatedAt, isBothFactors }: VerifiedIdentity): Promise<FirstStep> {
    const { database } = this.parts;
    const email = normaliseEmail(sent);
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    if (found === null || found.user.status !== 'Active') {
      const reason = found === null ? 'the provider names no user' : 'the user is disabled';
      await this.#record({ action: 'SignInRefused', userId: found?.user.id ?? null, email, reason, address });
      throw new Refusal('sign_in_refused', 'There is no active user with this e-mail address.');
    }
    return this.parts.steps.continue(found, {
      ...{ method: 'provider', address, isBothFactors },
      authenticatedAt: this.parts.acceptsPasswords ? null : authenticatedAt,
    });
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

  /**
   * Stores that the user has entered the password again, or given a second factor. Refuses `sign_in_refused` for a wrong
   * password and `second_factor_refused` for a wrong factor.
   */
  async reauthenticate(session: PortalSession, proof: ReauthenticationProof): Promise<void> {
    if (proof.kind === 'password') return this.#reauthenticateByPassword(session, proof.password);
    await this.parts.proofs.accept(session.user, session.idHash, proof);
    const { idHash, user } = session;
    const reason = proof.kind === 'passkey' ? 'by passkey' : 'by one-time code';
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordSecondFactor(tx, idHash);
      await recordSignIn(tx, { action: 'Reauthenticate', userId: user.id, email: user.email, reason, address: null });
    });
  }

  async #reauthenticateByPassword(session: PortalSession, password: string): Promise<void> {
    this.#requirePasswords();
    await this.parts.limits.take(`portal password of ${session.user.id}`, REAUTHENTICATION_LIMIT);
    await this.#authenticate(session.user.email, password, { action: 'ReauthenticationRefused', address: null });
    await this.#recordReauthentication(session, 'by password');
  }

  /** Stores that the provider has authenticated the user of the session again. Refuses another user. */
  async reauthenticateVerified(idHash: Buffer, { email: sent, address }: VerifiedIdentity): Promise<void> {
    const { database, sessions } = this.parts;
    const session = await database.readSystem((reader) =>
      findPortalSessionByHash(reader, { idHash, idleMs: sessions.idleMs }),
    );
    if (session?.user.email === normaliseEmail(sent)) {
      await this.#recordReauthentication(session, 'by the identity provider');
      return;
    }
    const [userId, email] = [session?.user.id ?? null, normaliseEmail(sent)];
    const reason = 'the provider names another user';
    await this.#record({ action: 'ReauthenticationRefused', userId, email, reason, address });
    throw new Refusal('sign_in_refused', 'The provider names another user than the one of the session.');
  }

  async #recordReauthentication({ idHash, user }: PortalSession, reason: string): Promise<void> {
    const { id: userId, email } = user;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordReauthentication(tx, idHash);
      await recordSignIn(tx, { action: 'Reauthenticate', userId, email, reason, address: null });
    });
  }

  #requirePasswords(): void {
    if (this.parts.acceptsPasswords) return;
    throw new Refusal('password_sign_in_off', 'Passwords are switched off. Use a passkey, or your organisation.');
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
