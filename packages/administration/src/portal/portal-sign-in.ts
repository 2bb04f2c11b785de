import { setTimeout as pause } from 'node:timers/promises';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { findPasswordChangeReason, findPortalRole, type PasswordChangeReason, type Scope } from '@pos/core/identity';
import { findAddressGroup, type RateLimiter } from '@pos/core/rate-limits';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import {
  claimPortalNonce,
  deletePortalSession,
  deletePortalSessions,
  findPortalCredential,
  findPortalSession,
  findPortalSessionByHash,
  type PortalCredential,
  type PortalSession,
  recordReauthentication,
  recordSecondFactor,
  touchPortalSession,
  updateChosenAccount,
} from '@pos/store/portal';
import { getAttemptCost } from './attempt-cost.js';
import type { FactorProof, FactorProofs } from './factor-proofs.js';
import { countAttempt, forgetAttempts, lockAfterRefusal, type PasswordAttempt } from './password-attempts.js';
import { strengthenHash } from './password-check.js';
import { verifyPassword } from './password-hash.js';
import { normaliseEmail } from './portal-user-administration.js';
import type { SignInBrowser } from './session-creation.js';
import { recordSignIn, type SignInRecord } from './sign-in-audit.js';
import type { FirstStep, SignInSteps } from './sign-in-steps.js';

/** How long sessions last, and the passwords that open them. */
export interface PortalSessionLimits {
  readonly ageMs: number;
  readonly idleMs: number;
  /** Null: passwords have no age. */
  readonly passwordMaxAgeMs: number | null;
}

/** The user that a provider of identities has verified. */
export interface VerifiedIdentity extends SignInBrowser {
  readonly email: string;
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
/** The limit of all networks together. It is high, because a stranger who reaches it locks the user out. */
const EMAIL_TOTAL_LIMIT = { burst: 100, perSecond: 1 / 6, detail: TOO_MANY };
const ADDRESS_LIMIT = { burst: 30, perSecond: 1 / 5, detail: 'There were too many attempts from your network.' };
/** The limit of a signed-in user, which strangers cannot reach. */
const REAUTHENTICATION_LIMIT = { burst: 20, perSecond: 1 / 30, detail: 'There were too many attempts.' };

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

  /**
   * The first step of a sign-in by a password. Refuses `sign_in_refused` for any wrong pair, and for a source that ten
   * wrong passwords have locked. `device` names a browser in which this user has signed in before: it is locked for
   * itself, so that strangers cannot keep the user out.
   */
  async signIn(
    request: SignInBrowser & { readonly email: string; readonly password: string; readonly device: string | null },
  ): Promise<FirstStep> {
    this.#requirePasswords();
    const startedAt = performance.now();
    const email = normaliseEmail(request.email);
    const { address, browser, device } = request;
    await this.#limitSignIn(email, request);
    const source: PasswordAttempt['source'] = device === null ? 'any' : `device_${device}`;
    const { database, steps } = this.parts;
    try {
      const found = await this.#authenticate(email, request.password, { action: 'SignInRefused', source, address });
      const attempt: PasswordAttempt = { user: found.user, source, address };
      const authenticatedAt = await database.now();
      const first = { method: 'password', address, browser, attempt, authenticatedAt, isBothFactors: false } as const;
      return await steps.continue(await strengthenHash(database, found, request.password), first);
    } catch (error) {
      await pause(Math.max(0, startedAt + getAttemptCost().refusalMs - performance.now()));
      throw error;
    }
  }

  /**
   * The first step of a sign-in of the user whose address a provider of identities has verified. Refuses
   * `sign_in_refused` for an unknown and a disabled user. Where passwords are accepted, keys and returns of money need
   * one, or a second factor: the session at the provider may be old.
   */
  async signInVerified(identity: VerifiedIdentity): Promise<FirstStep> {
    const { email: sent, address, browser, authenticatedAt, isBothFactors } = identity;
    const { database } = this.parts;
    const email = normaliseEmail(sent);
    const found = await database.readSystem((reader) => findPortalCredential(reader, email));
    if (found === null || found.user.status !== 'Active') {
      const reason = found === null ? 'the provider names no user' : 'the user is disabled';
      await this.#record({ action: 'SignInRefused', userId: found?.user.id ?? null, email, reason, address });
      throw new Refusal('sign_in_refused', 'There is no active user with this e-mail address.');
    }
    return this.parts.steps.continue(found, {
      ...{ method: 'provider', address, browser, attempt: null, isBothFactors },
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
    const session = await database.readSystem((reader) => findPortalSession(reader, { id, idleMs: sessions.idleMs }));
    return session !== null && this.#accepts(session) ? session : null;
  }

  /** With passwords switched off, a session in which one was entered has ended: it began before that. */
  #accepts({ password }: PortalSession): boolean {
    return this.parts.acceptsPasswords || !password.wasEntered;
  }

  /**
   * Why the user of the session must change the password before anything else; null if they need not. A password grows
   * too old only where it is the one factor.
   */
  findRequiredChange({ password, hasSecondFactor }: PortalSession): PasswordChangeReason | null {
    if (!password.wasEntered) return null;
    return findPasswordChangeReason(password, hasSecondFactor ? null : this.parts.sessions.passwordMaxAgeMs);
  }

  /**
   * Stores that the user has entered the password again, or given a second factor. Refuses `sign_in_refused` for a wrong
   * password and `second_factor_refused` for a wrong factor.
   */
  async reauthenticate(session: PortalSession, proof: ReauthenticationProof): Promise<void> {
    if (proof.kind === 'password') {
      await this.verifyPasswordOf(session, proof.password);
      await this.#recordReauthentication(session, { isByPassword: true });
      return;
    }
    await this.parts.proofs.accept(session.user, session.idHash, proof);
    const { idHash, user } = session;
    const reason = proof.kind === 'passkey' ? 'by passkey' : 'by one-time code';
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordSecondFactor(tx, idHash);
      await recordSignIn(tx, { action: 'Reauthenticate', userId: user.id, email: user.email, reason, address: null });
    });
  }

  /** Stores that the provider has authenticated the user of the session again. Refuses another user. */
  async reauthenticateVerified(idHash: Buffer, { email: sent, address }: VerifiedIdentity): Promise<void> {
    const { database, sessions } = this.parts;
    const session = await database.readSystem((reader) =>
      findPortalSessionByHash(reader, { idHash, idleMs: sessions.idleMs }),
    );
    if (session?.user.email === normaliseEmail(sent) && this.#accepts(session)) {
      await this.#recordReauthentication(session, { isByPassword: false });
      return;
    }
    if (session !== null && !this.#accepts(session))
      throw new Refusal('portal_session_missing', 'the session has ended');
    const [userId, email] = [session?.user.id ?? null, normaliseEmail(sent)];
    const reason = 'the provider names another user';
    await this.#record({ action: 'ReauthenticationRefused', userId, email, reason, address });
    throw new Refusal('sign_in_refused', 'The provider names another user than the one of the session.');
  }

  async #recordReauthentication(
    { idHash, user }: PortalSession,
    by: { readonly isByPassword: boolean },
  ): Promise<void> {
    const { id: userId, email } = user;
    const reason = by.isByPassword ? 'by password' : 'by the identity provider';
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await recordReauthentication(tx, idHash, by);
      await recordSignIn(tx, { action: 'Reauthenticate', userId, email, reason, address: null });
    });
  }

  #requirePasswords(): void {
    if (this.parts.acceptsPasswords) return;
    throw new Refusal('password_sign_in_off', 'Passwords are switched off. Use a passkey, or your organisation.');
  }

  /**
   * The user of the session with the hash of the password that was entered. Refuses `sign_in_refused` for a wrong one,
   * and `password_locked` after ten wrong ones in all sessions of the user.
   */
  async verifyPasswordOf({ user }: PortalSession, password: string): Promise<PortalCredential> {
    this.#requirePasswords();
    const { database, limits } = this.parts;
    await limits.take(`portal password of ${user.id}`, REAUTHENTICATION_LIMIT);
    const attempt = { user, source: 'session', address: null } as const;
    const found = await this.#authenticate(user.email, password, { action: 'ReauthenticationRefused', ...attempt });
    await database.transact(SYSTEM_SCOPE, (tx) => forgetAttempts(tx, attempt));
    return found;
  }

  /** Works in another account from now on. Refuses one in which the user has no role. */
  async chooseAccount(session: PortalSession, scope: Scope): Promise<void> {
    if (findPortalRole(session.user, scope) === null) {
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
