import { type AuditedChange, SYSTEM_SCOPE } from '@pos/core/administration';
import { createViolation } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import {
  deletePasskeys,
  deletePortalSessions,
  deleteRecoveryCodes,
  deleteTotpSecret,
  endSignInsOfUser,
  listPasskeys,
  lockPortalUser,
  type PortalUser,
} from '@pos/store/portal';
import { requireSecondOperator } from '@pos/payments/four-eyes';
import { recordChange } from '@pos/payments/audit';
import { normaliseEmail } from './portal-user-administration.js';
import { mailFactorChange } from './factor-records.js';

/**
 * Removes all second factors and recovery codes of a user, and ends all sessions: for a user who has lost them. Where a
 * second factor is required, the user sets one up at the next sign-in.
 */
export function resetSecondFactor(database: Database, change: AuditedChange, email: string): Promise<PortalUser> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const user = await lockPortalUser(tx, normaliseEmail(email));
    if (user === null) throw createViolation('validation_failed', 'email', 'is not a user of the portal');
    if (user.isOperator) {
      await requireSecondOperator(tx, change, { operation: 'ResetOperatorFactors', target: { user: user.id } });
    }
    const passkeys = (await listPasskeys(tx, user.id)).map(({ name }) => name);
    await deletePasskeys(tx, user.id);
    const hadCodes = await deleteTotpSecret(tx, user.id, 'Active');
    await deleteTotpSecret(tx, user.id, 'Pending');
    await deleteRecoveryCodes(tx, user.id);
    await deletePortalSessions(tx, user.id);
    await endSignInsOfUser(tx, user.id);
    await recordChange(tx, change, {
      ...{ action: 'ResetSecondFactor', subject: user.id },
      before: { passkeys, hasOneTimeCodes: hadCodes },
    });
    await mailFactorChange(tx, user.email, 'An operator has removed all second factors of your user');
    return user;
  });
}
