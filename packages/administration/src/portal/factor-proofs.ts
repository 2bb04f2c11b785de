import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import type { RateLimiter } from '@pos/core/rate-limits';
import { Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import {
  findPasskey,
  findTotpSecret,
  listPasskeys,
  listUnusedRecoveryCodes,
  lockPortalUser,
  putChallenge,
  takeChallenge,
  usePasskey,
  useRecoveryCode,
  useTotpStep,
} from '@pos/store/portal';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { type FactorUser, mailFactorChange, recordFactor } from './factor-records.js';
import { findTotpStep } from './one-time-codes.js';
import { findRecoveryCode } from './recovery-codes.js';
import {
  createAuthenticationOptions,
  type RelyingParty,
  type SignedChallenge,
  verifyAuthentication,
} from './relying-party.js';

/** What a user gives as a second factor. */
export type FactorProof =
  | { readonly kind: 'passkey'; readonly response: SignedChallenge }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recoveryCode'; readonly code: string };

/** The factors that a user has. */
export interface FactorMethods {
  readonly passkey: boolean;
  readonly code: boolean;
  readonly recoveryCode: boolean;
}

/** What the checks of factors need. */
export interface FactorParts {
  readonly database: Database;
  readonly limits: RateLimiter;
  /** Null where browsers offer no passkeys. */
  readonly party: RelyingParty | null;
}

export const CHALLENGE_AGE_MS = 300_000;
/**
 * Of all networks together: who uses it up knows the password. Then three codes of a million are valid at a time, so a
 * guess at this rate succeeds once in three years.
 */
const PROOF_LIMIT = { burst: 10, perSecond: 1 / 300, detail: 'There were too many attempts. Wait five minutes.' };
const REASONS = {
  passkey: 'the passkey was not accepted',
  code: 'the one-time code was not accepted',
  recoveryCode: 'the recovery code was not accepted',
} as const;

/** Checks second factors. Each challenge and each code is accepted once. */
export class FactorProofs {
  constructor(private readonly parts: FactorParts) {}

  /** What the user can give; all false: no second factor is set up. Recovery codes alone are none. */
  async findMethods(userId: PortalUserId): Promise<FactorMethods> {
    const { database, party } = this.parts;
    return database.read(SYSTEM_SCOPE, async (reader) => {
      const hasPasskey = (await listPasskeys(reader, userId)).length > 0;
      const hasCode = (await findTotpSecret(reader, userId, 'Active')) !== null;
      const hasRecovery = (hasPasskey || hasCode) && (await listUnusedRecoveryCodes(reader, userId)).length > 0;
      // A passkey that this portal cannot ask for is still a factor: the sign-in must not pass without one.
      return { passkey: hasPasskey && (party !== null || !hasCode), code: hasCode, recoveryCode: hasRecovery };
    });
  }

  /** Options for a passkey, whose challenge only this session or sign-in can answer, once. Without a user: any passkey. */
  async createOptions(ownerHash: Buffer, userId: PortalUserId | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { database } = this.parts;
    const party = this.requireParty();
    return database.transact(SYSTEM_SCOPE, async (tx) => {
      const passkeys = userId === null ? [] : await listPasskeys(tx, userId);
      const options = await createAuthenticationOptions(party, passkeys);
      const { challenge } = options;
      await putChallenge(tx, { ownerHash, purpose: 'Authenticate' }, { challenge, ageMs: CHALLENGE_AGE_MS });
      return options;
    });
  }

  /** Accepts a factor of the user, which is used up by it. Refuses `second_factor_refused` for any other. */
  async accept(user: FactorUser, ownerHash: Buffer, proof: FactorProof): Promise<void> {
    await this.parts.limits.take(`portal second factor of ${user.id}`, PROOF_LIMIT);
    if (await this.#isAccepted(user, ownerHash, proof)) return;
    await this.parts.database.transact(SYSTEM_SCOPE, (tx) =>
      recordFactor(tx, user, { action: 'SecondFactorRefused', reason: REASONS[proof.kind] }),
    );
    throw createFactorRefusal();
  }

  /** The user of a passkey that was given without a user. Refuses `second_factor_refused`. */
  async identify(response: SignedChallenge): Promise<PortalUserId> {
    const passkey = await this.parts.database.read(SYSTEM_SCOPE, (reader) => findPasskey(reader, response.id));
    if (passkey === null) throw createFactorRefusal();
    return passkey.userId;
  }

  requireParty(): RelyingParty {
    const { party } = this.parts;
    if (party !== null) return party;
    throw new Refusal('second_factor_refused', 'This portal has no address that passkeys could be bound to.');
  }

  #isAccepted(user: FactorUser, ownerHash: Buffer, proof: FactorProof): Promise<boolean> {
    if (proof.kind === 'passkey') return this.#acceptPasskey(user, ownerHash, proof.response);
    return proof.kind === 'code' ? this.#acceptCode(user, proof.code) : this.#acceptRecoveryCode(user, proof.code);
  }

  /** The challenge is used up also by an answer that is refused. */
  async #acceptPasskey(user: FactorUser, ownerHash: Buffer, response: SignedChallenge): Promise<boolean> {
    const { database } = this.parts;
    const party = this.requireParty();
    const challenge = await database.transact(SYSTEM_SCOPE, (tx) =>
      takeChallenge(tx, { ownerHash, purpose: 'Authenticate' }),
    );
    const passkey = await database.read(SYSTEM_SCOPE, (reader) => findPasskey(reader, response.id));
    if (challenge === null || passkey === null || passkey.userId !== user.id) return false;
    const counter = await verifyAuthentication(party, { challenge, passkey }, response);
    return counter !== null && database.transact(SYSTEM_SCOPE, (tx) => usePasskey(tx, passkey, counter));
  }

  #acceptCode({ id }: FactorUser, code: string): Promise<boolean> {
    return this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      const found = await findTotpSecret(tx, id, 'Active');
      const step = found === null ? null : findTotpStep(found.secret, code, tx.databaseNow);
      return step !== null && useTotpStep(tx, id, step);
    });
  }

  async #acceptRecoveryCode(user: FactorUser, code: string): Promise<boolean> {
    const { database } = this.parts;
    const stored = await database.read(SYSTEM_SCOPE, (reader) => listUnusedRecoveryCodes(reader, user.id));
    const label = await findRecoveryCode(stored, code);
    if (label === null) return false;
    return database.transact(SYSTEM_SCOPE, async (tx) => {
      // Codes that are used at once count one after another.
      await lockPortalUser(tx, user.email);
      if (!(await useRecoveryCode(tx, user.id, label))) return false;
      const left = (await listUnusedRecoveryCodes(tx, user.id)).length;
      await recordFactor(tx, user, { action: 'UseRecoveryCode', reason: `${left} are left` });
      await mailFactorChange(tx, user.email, `A recovery code was used to sign in, and ${left} are left`);
      return true;
    });
  }
}

export function createFactorRefusal(): Refusal {
  return new Refusal('second_factor_refused', 'The passkey or the code is wrong, was used before, or came too late.');
}
