import type { AuditAction } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import type { Tx } from '@pos/store/database';
import { insertMail } from '@pos/store/repositories';
import { recordChange } from '@pos/payments/audit';

/** The user whose factors change. */
export interface FactorUser {
  readonly id: PortalUserId;
  readonly email: string;
}

/** A change of the factors of a user, or a refused one. */
export interface FactorRecord {
  readonly action: Extract<
    AuditAction,
    'AddSecondFactor' | 'RemoveSecondFactor' | 'CreateRecoveryCodes' | 'UseRecoveryCode' | 'SecondFactorRefused'
  >;
  /** Which factor, or why it was refused. */
  readonly reason: string;
}

/** Writes what happened to the audit log of the service, as done by the user. */
export async function recordFactor(tx: Tx, { id, email }: FactorUser, { action, reason }: FactorRecord): Promise<void> {
  await recordChange(tx, { actor: id, reason }, { action, subject: email });
}

/** Informs the user by mail: somebody else may have made the change. The mail has no link, so that none is learned. */
export async function mailFactorChange(tx: Tx, email: string, change: string): Promise<void> {
  const subject = 'Your sign-in to the payments portal has changed';
  const lines = [`${change}.`, 'If you did not do this, inform the operator of the portal at once.'];
  await insertMail(tx, {
    ...{ paymentIntentId: null, recipient: email, subject },
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(''),
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
