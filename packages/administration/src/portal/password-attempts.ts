import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { Database, Tx } from '@pos/store/database';
import {
  type AttemptSource,
  countSignInAttempt,
  deleteSignInAttempts,
  lockSignInSource,
  type PortalUser,
} from '@pos/store/portal';
import { insertPortalNotice } from './portal-notices.js';
import { recordSignIn } from './sign-in-audit.js';

/** How many wrong passwords lock their source. */
const ATTEMPTS_MAX = 10;
/** How long a lock lasts if no operator ends it. */
export const LOCK_MS = 1_800_000;

/** Whose password is tried, and from where. */
export interface PasswordAttempt {
  readonly user: Pick<PortalUser, 'id' | 'email'>;
  readonly source: AttemptSource;
  /** The network address of the browser; null where it is not known. */
  readonly address: string | null;
}

/**
 * Counts an attempt before the password is compared. False: the source is locked, or others try at the same time, and
 * the attempt must be refused even if the password is right.
 */
export function countAttempt(database: Database, { user, source }: PasswordAttempt): Promise<boolean> {
  return database.transact(SYSTEM_SCOPE, (tx) =>
    countSignInAttempt(tx, { userId: user.id, source, max: ATTEMPTS_MAX }),
  );
}

/** Locks the source after its tenth refused attempt; the audit log and a mail to the user say so. */
export async function lockAfterRefusal(tx: Tx, { user, source, address }: PasswordAttempt): Promise<void> {
  const lock = { userId: user.id, source, max: ATTEMPTS_MAX, lockMs: LOCK_MS };
  if (!(await lockSignInSource(tx, lock))) return;
  const reason = `${ATTEMPTS_MAX} wrong passwords from ${SOURCE_NAMES[source] ?? 'a known browser'}`;
  await recordSignIn(tx, { action: 'LockPortalUser', userId: user.id, email: user.email, reason, address });
  const untilAt = new Date(tx.databaseNow.getTime() + LOCK_MS);
  await insertPortalNotice(tx, user.email, { kind: 'locked', untilAt, networkAddress: address });
}

const SOURCE_NAMES: Readonly<Record<string, string>> = { any: 'unknown browsers', session: 'open sessions' };

/** The password was right: the source begins at zero. */
export function forgetAttempts(tx: Tx, { user, source }: PasswordAttempt): Promise<void> {
  return deleteSignInAttempts(tx, user.id, source);
}
