import { SYSTEM_SCOPE } from '@pos/core/administration';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import {
  deleteOtherPortalSessions,
  deletePasskey,
  deleteRecoveryCodes,
  deleteTotpSecret,
  findTotpSecret,
  holdPortalSession,
  insertPasskey,
  listPasskeys,
  listUnusedRecoveryCodes,
  lockPortalUser,
  type Passkey,
  type PortalSession,
  type PortalUser,
  putChallenge,
  putTotpSecret,
  recordSecondFactor,
  replaceRecoveryCodes,
  takeChallenge,
} from '@pos/store/portal';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { requireLine } from '@pos/payments/audit';
import { CHALLENGE_AGE_MS, createFactorRefusal, type FactorParts, FactorProofs } from './factor-proofs.js';
import { mailFactorChange, recordFactor } from './factor-records.js';
import { createTotpSecret, findTotpStep, formatTotpUri } from './one-time-codes.js';
import { createRecoveryCodes } from './recovery-codes.js';
import { type CreatedPasskey, createRegistrationOptions, verifyRegistration } from './relying-party.js';

/** The second factors of a user. */
export interface FactorOverview {
  readonly passkeys: readonly Passkey[];
  /** When one-time codes were set up; null: they are not. */
  readonly codesSince: Date | null;
  readonly recoveryCodesLeft: number;
  /** The origin whose pages can use passkeys; null where none can. */
  readonly passkeyOrigin: string | null;
}

/** Null: the user has recovery codes already. They are shown once. */
type NewCodes = readonly string[] | null;

const PASSKEYS_MAX = 20;
const NAME_LENGTH_MAX = 100;
const PENDING_AGE_MS = 600_000;
/** The limit of a user who is signed in and has entered a credential. */
const CONFIRM_LIMIT = { burst: 10, perSecond: 1 / 30, detail: 'There were too many attempts.' };

/** Sets up, lists and removes the second factors of the user of a session. The caller checks that the sign-in is recent. */
export class FactorEnrolment {
  readonly #proofs: FactorProofs;

  constructor(private readonly parts: FactorParts) {
    this.#proofs = new FactorProofs(parts);
  }

  async read({ user: { id } }: PortalSession): Promise<FactorOverview> {
    return this.parts.database.read(SYSTEM_SCOPE, async (reader) => ({
      passkeys: await listPasskeys(reader, id),
      codesSince: (await findTotpSecret(reader, id, 'Active'))?.createdAt ?? null,
      recoveryCodesLeft: (await listUnusedRecoveryCodes(reader, id)).length,
      passkeyOrigin: this.parts.party?.origin ?? null,
    }));
  }

  /** Options to create a passkey with. Only this session can answer the challenge, once. */
  async beginPasskey({ idHash, user }: PortalSession): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const party = this.#proofs.requireParty();
    return this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      const existing = await listPasskeys(tx, user.id);
      if (existing.length >= PASSKEYS_MAX) throw createViolation('validation_failed', 'name', 'are too many passkeys');
      const options = await createRegistrationOptions(party, user, existing);
      const { challenge } = options;
      await putChallenge(tx, { ownerHash: idHash, purpose: 'Register' }, { challenge, ageMs: CHALLENGE_AGE_MS });
      return options;
    });
  }

  /** Stores a passkey under a name. Refuses `second_factor_refused` for one that was not created by these options. */
  async addPasskey(session: PortalSession, text: string, response: CreatedPasskey): Promise<NewCodes> {
    const { idHash, user } = session;
    const party = this.#proofs.requireParty();
    const name = requireLine('name', text, NAME_LENGTH_MAX);
    const { database } = this.parts;
    const challenge = await database.transact(SYSTEM_SCOPE, (tx) =>
      takeChallenge(tx, { ownerHash: idHash, purpose: 'Register' }),
    );
    const passkey = challenge === null ? null : await verifyRegistration(party, challenge, response);
    if (passkey === null) throw createFactorRefusal();
    return this.#add(session, `the passkey ${name}`, async (tx) => {
      if (!(await insertPasskey(tx, { ...passkey, userId: user.id, name }))) throw createFactorRefusal();
    });
  }

  /** A new secret for an app of one-time codes. It counts once a code of it was entered, within ten minutes. */
  async beginCodes({ user }: PortalSession): Promise<{ readonly secret: string; readonly uri: string }> {
    const secret = createTotpSecret();
    await this.parts.database.transact(SYSTEM_SCOPE, (tx) =>
      putTotpSecret(tx, { userId: user.id, state: 'Pending', secret, lastStep: 0 }),
    );
    return { secret, uri: formatTotpUri(secret, user.email) };
  }

  /** Accepts the first code of the secret, which replaces the previous one. Refuses `second_factor_refused`. */
  async addCodes(session: PortalSession, code: string): Promise<NewCodes> {
    const userId = session.user.id;
    await this.parts.limits.take(`portal codes of ${userId}`, CONFIRM_LIMIT);
    return this.#add(session, 'one-time codes', async (tx) => {
      const pending = await findTotpSecret(tx, userId, 'Pending');
      const isFresh = pending !== null && tx.databaseNow.getTime() - pending.createdAt.getTime() <= PENDING_AGE_MS;
      const step = isFresh ? findTotpStep(pending.secret, code, tx.databaseNow) : null;
      if (pending === null || step === null) throw createFactorRefusal();
      await deleteTotpSecret(tx, userId, 'Pending');
      await putTotpSecret(tx, { userId, state: 'Active', secret: pending.secret, lastStep: step });
    });
  }

  /** New recovery codes, which replace the previous ones. Refuses a user without a second factor. */
  async renewRecoveryCodes(session: PortalSession): Promise<readonly string[]> {
    const { user } = session;
    const { codes, stored } = await createRecoveryCodes();
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      if ((await lockFactors(tx, session)) === 0) {
        throw new Refusal('second_factor_missing', 'Recovery codes replace a second factor. Set one up first.');
      }
      await replaceRecoveryCodes(tx, user.id, stored);
      await recordFactor(tx, user, { action: 'CreateRecoveryCodes', reason: 'by the user' });
      await mailFactorChange(tx, user.email, 'New recovery codes replace the previous ones');
    });
    return codes;
  }

  /** Refuses `passkey_not_found`, and `second_factor_required` for the last factor of a user who needs one. */
  async removePasskey(session: PortalSession, credentialId: string, isNeeded: boolean): Promise<void> {
    const { user } = session;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await lockFactors(tx, session);
      const name = await deletePasskey(tx, user.id, credentialId);
      if (name === null) throw new Refusal('passkey_not_found', 'You have no such passkey.');
      await finishRemoval(tx, user, { what: `the passkey ${name}`, isNeeded });
    });
  }

  /** Refuses `second_factor_required` for the last factor of a user who needs one. */
  async removeCodes(session: PortalSession, isNeeded: boolean): Promise<void> {
    const { user } = session;
    await this.parts.database.transact(SYSTEM_SCOPE, async (tx) => {
      await lockFactors(tx, session);
      if (await deleteTotpSecret(tx, user.id, 'Active')) {
        await finishRemoval(tx, user, { what: 'one-time codes', isNeeded });
      }
    });
  }

  /**
   * Stores a factor. The session has then given it; other sessions of the user end, because they have not. With the first
   * factor come recovery codes.
   */
  async #add(session: PortalSession, what: string, store: (tx: Tx) => Promise<void>): Promise<NewCodes> {
    const { idHash, user } = session;
    const { database } = this.parts;
    // Before the transaction, because their hashes take long.
    const hasNone = (await database.read(SYSTEM_SCOPE, (reader) => countFactors(reader, user))) === 0;
    const recovery = hasNone ? await createRecoveryCodes() : null;
    return database.transact(SYSTEM_SCOPE, async (tx) => {
      const isFirst = (await lockFactors(tx, session)) === 0;
      await store(tx);
      await recordSecondFactor(tx, idHash);
      await recordFactor(tx, user, { action: 'AddSecondFactor', reason: what });
      await mailFactorChange(tx, user.email, `A second factor was added: ${what}`);
      if (!isFirst) return null;
      await deleteOtherPortalSessions(tx, user.id, idHash);
      if (recovery !== null) await replaceRecoveryCodes(tx, user.id, recovery.stored);
      return recovery?.codes ?? null;
    });
  }
}

/**
 * The number of factors of the user, locked: two removals at a time do not remove the last two. Refuses a session that
 * has not given one of them, and one that has ended since the request began: a thief must not add a factor that outlives
 * the session which the user has just ended.
 */
async function lockFactors(tx: Tx, { idHash, user: { email }, hasSecondFactor }: PortalSession): Promise<number> {
  const user = await lockPortalUser(tx, email);
  if (user?.status !== 'Active' || !(await holdPortalSession(tx, idHash))) {
    throw new Refusal('portal_session_missing', 'The session has ended just now.');
  }
  const factors = await countFactors(tx, user);
  if (factors === 0 || hasSecondFactor) return factors;
  throw new Refusal('second_factor_missing', 'Give a second factor first: sign in again.');
}

async function countFactors(reader: Reader, { id }: PortalUser): Promise<number> {
  const passkeys = await listPasskeys(reader, id);
  return passkeys.length + ((await findTotpSecret(reader, id, 'Active')) === null ? 0 : 1);
}

async function finishRemoval(
  tx: Tx,
  user: PortalUser,
  { what, isNeeded }: { readonly what: string; readonly isNeeded: boolean },
): Promise<void> {
  const left = await countFactors(tx, user);
  if (left === 0 && isNeeded) throw new Refusal('second_factor_required', 'Add another second factor first.');
  if (left === 0) await deleteRecoveryCodes(tx, user.id);
  await recordFactor(tx, user, { action: 'RemoveSecondFactor', reason: what });
  await mailFactorChange(tx, user.email, `A second factor was removed: ${what}`);
}
