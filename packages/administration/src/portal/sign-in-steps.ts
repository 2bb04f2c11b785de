import { createHash, randomBytes } from 'node:crypto';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { isSameHash } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import {
  findPortalCredentialById,
  findSignIn,
  hashSignInId,
  insertSignIn,
  type OpenSignIn,
  type PortalCredential,
  type SignInMethod,
} from '@pos/store/portal';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { createFactorRefusal, type FactorMethods, type FactorProof, type FactorProofs } from './factor-proofs.js';
import { forgetAttempts, type PasswordAttempt } from './password-attempts.js';
import { createPortalSession, type SignInBrowser } from './session-creation.js';
import { recordSignIn } from './sign-in-audit.js';

/** The result of a first step: a session, or a sign-in that waits for a second factor. Only the caller knows the id. */
export type FirstStep =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'secondFactor'; readonly id: string; readonly methods: FactorMethods };

/** A first factor that was accepted. */
export interface FirstFactor extends SignInBrowser {
  readonly method: Exclude<SignInMethod, 'passkey'>;
  /** The attempt with the right password; null for a provider. */
  readonly attempt: PasswordAttempt | null;
  /** When the user gave it; null where that is not known. */
  readonly authenticatedAt: Date | null;
  /** Whether the provider has vouched for a second factor. */
  readonly isBothFactors: boolean;
}

export const SIGN_IN_AGE_MS = 600_000;
const ID_BYTES = 32;
const ID_FORM = /^[A-Za-z0-9_-]{43}$/;
const METHOD_NAMES = { password: 'by password', provider: 'by the identity provider', passkey: 'by passkey' } as const;
const PROOF_NAMES = { passkey: 'passkey', code: 'one-time code', recoveryCode: 'recovery code' } as const;

/** The steps of a sign-in after its first factor. A sign-in that is not complete is no session. */
export class SignInSteps {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly proofs: FactorProofs;
      readonly sessionAgeMs: number;
      /** Without it a sign-in that a password has begun does not continue. */
      readonly acceptsPasswords: boolean;
    },
  ) {}

  /** A session for a user without a second factor; otherwise a sign-in that waits for it. */
  async continue(found: PortalCredential, first: FirstFactor): Promise<FirstStep> {
    const { database, proofs, sessionAgeMs: ageMs } = this.parts;
    const { method, attempt, address, browser, authenticatedAt, isBothFactors } = first;
    if (attempt !== null) await database.transact(SYSTEM_SCOPE, (tx) => forgetAttempts(tx, attempt));
    const methods = await proofs.findMethods(found.user.id);
    if (isBothFactors || (!methods.passkey && !methods.code)) {
      const reason = METHOD_NAMES[method];
      const start = { ageMs, authenticatedAt, hasSecondFactor: isBothFactors, signInHash: null, reason };
      const hasEnteredPassword = method === 'password';
      const id = await createPortalSession(database, found, { ...start, address, browser, hasEnteredPassword });
      return { kind: 'session', id };
    }
    const id = randomBytes(ID_BYTES).toString('base64url');
    const credentialHash = hashCredential(found);
    const signIn = { idHash: hashSignInId(id), userId: found.user.id, credentialHash, method, authenticatedAt };
    await database.transact(SYSTEM_SCOPE, (tx) => insertSignIn(tx, signIn, SIGN_IN_AGE_MS));
    return { kind: 'secondFactor', id, methods };
  }

  /** Begins a sign-in by a passkey alone, which verifies its user and so is both factors. */
  async beginPasskey(): Promise<{ readonly id: string; readonly options: PublicKeyCredentialRequestOptionsJSON }> {
    const { database, proofs } = this.parts;
    const id = randomBytes(ID_BYTES).toString('base64url');
    const signIn = { idHash: hashSignInId(id), userId: null, credentialHash: null, method: 'passkey' } as const;
    await database.transact(SYSTEM_SCOPE, (tx) =>
      insertSignIn(tx, { ...signIn, authenticatedAt: null }, SIGN_IN_AGE_MS),
    );
    return { id, options: await proofs.createOptions(signIn.idHash, null) };
  }

  /** What the user of a waiting sign-in can give. Refuses `sign_in_expired`. */
  async findMethods(id: string | null): Promise<FactorMethods> {
    const { userId } = await this.#require(id);
    if (userId === null) return { passkey: true, code: false, recoveryCode: false };
    return this.parts.proofs.findMethods(userId);
  }

  /** Options for a passkey of the user of a waiting sign-in. Refuses `sign_in_expired`. */
  async createOptions(id: string | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { idHash, userId } = await this.#require(id);
    return this.parts.proofs.createOptions(idHash, userId);
  }

  /** Returns the id of the session. Refuses `sign_in_expired`, and `second_factor_refused` for a wrong factor. */
  async complete(id: string | null, proof: FactorProof, { address, browser }: SignInBrowser): Promise<string> {
    const { database, proofs, sessionAgeMs: ageMs } = this.parts;
    const signIn = await this.#require(id);
    const found = await this.#findUser(signIn, proof);
    if (found.user.status !== 'Active' || !isUnchanged(found, signIn)) {
      await this.#recordChanged(found, address);
      throw createExpiredRefusal();
    }
    await proofs.accept(found.user, signIn.idHash, proof);
    const { idHash: signInHash, method } = signIn;
    const second = method === 'passkey' ? '' : ` and ${PROOF_NAMES[proof.kind]}`;
    return createPortalSession(database, found, {
      ...{ address, browser, hasEnteredPassword: method === 'password' },
      ...{ ageMs, hasSecondFactor: true, signInHash, reason: `${METHOD_NAMES[method]}${second}` },
      // A recovery code is a second factor only: what needs a recent credential counts from the first one.
      authenticatedAt: proof.kind === 'recoveryCode' ? signIn.authenticatedAt : await database.now(),
    });
  }

  async #require(id: string | null): Promise<OpenSignIn> {
    if (id === null || !ID_FORM.test(id)) throw createExpiredRefusal();
    const found = await this.parts.database.read(SYSTEM_SCOPE, (reader) => findSignIn(reader, hashSignInId(id)));
    if (found === null) throw createExpiredRefusal();
    if (found.method === 'password' && !this.parts.acceptsPasswords) throw createExpiredRefusal();
    return found;
  }

  /** The passkey names the user of a sign-in by a passkey alone. */
  async #findUser({ userId }: OpenSignIn, proof: FactorProof): Promise<PortalCredential> {
    const { database, proofs } = this.parts;
    if (userId === null && proof.kind !== 'passkey') throw createFactorRefusal();
    const id = userId ?? (proof.kind === 'passkey' ? await proofs.identify(proof.response) : null);
    const found = id === null ? null : await database.readSystem((reader) => findPortalCredentialById(reader, id));
    if (found === null) throw createExpiredRefusal();
    return found;
  }

  #recordChanged({ user: { id: userId, email } }: PortalCredential, address: string): Promise<void> {
    const reason = 'the user is disabled or was changed';
    return this.parts.database.transact(SYSTEM_SCOPE, (tx) =>
      recordSignIn(tx, { action: 'SignInRefused', userId, email, reason, address }),
    );
  }
}

/** Whether the password is still the one of the first step. */
function isUnchanged(found: PortalCredential, { credentialHash }: OpenSignIn): boolean {
  return credentialHash === null || isSameHash(credentialHash, hashCredential(found));
}

function hashCredential({ passwordHash }: PortalCredential): Buffer {
  return createHash('sha256').update(passwordHash).digest();
}

function createExpiredRefusal(): Refusal {
  return new Refusal('sign_in_expired', 'The sign-in has ended. Begin again.');
}
