import { randomBytes } from 'node:crypto';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import {
  endSignIn,
  findTotpSecret,
  holdPortalCredential,
  insertPortalSession,
  listPasskeys,
  type PortalCredential,
  recordLastSignIn,
} from '@pos/store/portal';
import { recordSignIn } from './sign-in-audit.js';

/** The browser of a sign-in. */
export interface SignInBrowser {
  readonly address: string;
  /** The header `user-agent`, on one line; null without one. */
  readonly browser: string | null;
}

/** How a session begins. */
export interface SessionStart extends SignInBrowser {
  readonly ageMs: number;
  /** When the user entered a credential here or at the provider; null where that is not known. */
  readonly authenticatedAt: Date | null;
  /** Whether the user has given a second factor, or the provider has vouched for one. */
  readonly hasSecondFactor: boolean;
  readonly hasEnteredPassword: boolean;
  /** The open sign-in that ends with it; null for one of a single step. */
  readonly signInHash: Buffer | null;
  /** For the audit log: `by password`. */
  readonly reason: string;
}

const SESSION_ID_BYTES = 32;
/** Long ago: what needs a recent entry of a credential asks for one. */
const LONG_AGO_MS = 86_400_000;

/**
 * Creates a session and returns its id, which only the caller knows. Refuses a user who was changed, or set up a second
 * factor, since the first step.
 */
export async function createPortalSession(
  database: Database,
  { user, passwordHash }: PortalCredential,
  start: SessionStart,
): Promise<string> {
  const { id: userId, email, memberships } = user;
  const id = randomBytes(SESSION_ID_BYTES).toString('base64url');
  const [only, ...others] = memberships;
  const chosen = only !== undefined && others.length === 0 ? toScope(only) : null;
  const { ageMs, hasSecondFactor, authenticatedAt, signInHash, reason, address, browser, hasEnteredPassword } = start;
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    // A reset of the password ends all sessions. One that began before it must not survive it.
    const isSame = await holdPortalCredential(tx, { id: userId, passwordHash });
    if (!isSame || (!hasSecondFactor && (await hasFactor(tx, user)))) {
      throw new Refusal('sign_in_refused', 'The user was changed just now.');
    }
    if (signInHash !== null && !(await endSignIn(tx, signInHash))) {
      throw new Refusal('sign_in_expired', 'The sign-in has ended. Begin again.');
    }
    const at = authenticatedAt?.getTime() ?? tx.databaseNow.getTime() - LONG_AGO_MS;
    const authenticatedMsAgo = Math.max(0, tx.databaseNow.getTime() - at);
    await recordLastSignIn(tx, userId);
    const came = { hasEnteredPassword, browser, networkAddress: address };
    await insertPortalSession(tx, { id, userId, ageMs, chosen, authenticatedMsAgo, hasSecondFactor, ...came });
    await recordSignIn(tx, { action: 'SignIn', userId, email, reason, address });
  });
  return id;
}

async function hasFactor(tx: Tx, { id }: PortalCredential['user']): Promise<boolean> {
  return (await listPasskeys(tx, id)).length > 0 || (await findTotpSecret(tx, id, 'Active')) !== null;
}

function toScope({ accountId, environment }: Scope): Scope {
  return { accountId, environment };
}
