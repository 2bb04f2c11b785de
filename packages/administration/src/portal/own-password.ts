import { SYSTEM_SCOPE } from '@pos/core/administration';
import { Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import {
  deleteOtherPortalSessions,
  holdPortalCredential,
  type PortalSession,
  recordReauthentication,
} from '@pos/store/portal';
import { requireGoodPassword, storePassword } from './password-check.js';
import { hashPassword } from './password-hash.js';
import { insertPortalNotice } from './portal-notices.js';
import type { PortalSignIn } from './portal-sign-in.js';
import { recordSignIn } from './sign-in-audit.js';

/**
 * Sets another password for the user of a session, who enters the present one. All other sessions of the user end, and
 * a mail says so. Refuses `sign_in_refused` for a wrong password, and a new one that breaks a rule or is one of the last
 * four.
 */
export async function changeOwnPassword(
  { database, signIns }: { readonly database: Database; readonly signIns: PortalSignIn },
  session: PortalSession,
  request: { readonly presentPassword: string; readonly password: string; readonly address: string },
): Promise<void> {
  const { user } = session;
  const { passwordHash } = await signIns.verifyPasswordOf(session, request.presentPassword);
  const text = requireGoodPassword(request.password, user);
  const hash = await hashPassword(text);
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    // An operator may have set another one, or disabled the user, meanwhile.
    if (!(await holdPortalCredential(tx, { id: user.id, passwordHash }))) {
      throw new Refusal('sign_in_refused', 'The user was changed just now.');
    }
    await storePassword(tx, user.id, { text, hash, isTemporary: false });
    await deleteOtherPortalSessions(tx, user.id, session.idHash);
    await recordReauthentication(tx, session.idHash, { isByPassword: true });
    const { address } = request;
    await recordSignIn(tx, {
      ...{ action: 'ChangePortalPassword', userId: user.id, email: user.email, reason: 'by the user', address },
    });
    const notice = { kind: 'passwordChanged', at: tx.databaseNow, networkAddress: address } as const;
    await insertPortalNotice(tx, user.email, notice);
  });
}
