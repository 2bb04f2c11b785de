import { findPasswordFaults, type PasswordOwner, PASSWORDS_REMEMBERED, type PortalUserId } from '@pos/core/identity';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { Refusal } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import {
  findPortalCredentialById,
  listRememberedPasswords,
  type PortalCredential,
  replacePasswordHash,
  updatePortalPassword,
} from '@pos/store/portal';
import { getCommonPasswords } from './common-passwords.js';
import { hashPassword, isWeakerHash, verifyPassword } from './password-hash.js';

/** Refuses a password that breaks a rule. The refusal lists everything that is wrong, by the member `password`. */
export function requireGoodPassword(password: string, owner: PasswordOwner): string {
  const faults = findPasswordFaults(password, owner, getCommonPasswords());
  if (faults.length > 0) throw createPasswordRefusal(faults);
  return password;
}

/** Sets a password that was checked. Refuses one of the last four of the user, who is locked. */
export async function storePassword(
  tx: Tx,
  userId: PortalUserId,
  password: { readonly text: string; readonly hash: string; readonly isTemporary: boolean },
): Promise<void> {
  for (const remembered of await listRememberedPasswords(tx, userId, PASSWORDS_REMEMBERED)) {
    if (await verifyPassword(remembered, password.text)) {
      throw createPasswordRefusal([`is one of the last ${PASSWORDS_REMEMBERED} passwords`]);
    }
  }
  const { hash, isTemporary } = password;
  // The new one is the first of those that are remembered.
  await updatePortalPassword(tx, userId, { hash, isTemporary, kept: PASSWORDS_REMEMBERED - 1 });
}

/**
 * Replaces the stored hash of the password that a user has just entered, if it is weaker than those of new passwords:
 * only now the service knows the password. Returns the credential as it is stored then.
 */
export async function strengthenHash(
  database: Database,
  found: PortalCredential,
  password: string,
): Promise<PortalCredential> {
  const { user, passwordHash } = found;
  if (!isWeakerHash(passwordHash)) return found;
  const hash = await hashPassword(password);
  const isReplaced = await database.transact(SYSTEM_SCOPE, (tx) =>
    replacePasswordHash(tx, user.id, { from: passwordHash, to: hash }),
  );
  if (isReplaced) return { ...found, passwordHash: hash };
  // Another sign-in at the same time has replaced it, or the password was changed.
  const stored = await database.readSystem((reader) => findPortalCredentialById(reader, user.id));
  return stored !== null && (await verifyPassword(stored.passwordHash, password)) ? stored : found;
}

function createPasswordRefusal(faults: readonly string[]): Refusal {
  return new Refusal('validation_failed', `the password ${faults[0]}`, { members: { password: [...faults] } });
}
