import { AUDIT_ACTOR_LENGTH_MAX, type AuditAction } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import { escapeControls } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { recordChange } from '@pos/payments/audit';

/** The actor of an attempt by an address that no user has. */
const NOBODY = 'nobody';

/** The stored facts of a sign-in, a refused sign-in or a sign-out. */
export interface SignInRecord {
  readonly action: Extract<
    AuditAction,
    | 'SignIn'
    | 'SignInRefused'
    | 'SignOut'
    | 'SignOutEverywhere'
    | 'Reauthenticate'
    | 'ReauthenticationRefused'
    | 'ChangePortalPassword'
    | 'LockPortalUser'
    | 'EndPortalSessions'
  >;
  /** Null: the address is that of no user. */
  readonly userId: PortalUserId | null;
  readonly email: string;
  /** How, or why it was refused. */
  readonly reason: string;
  /** The network address of the browser; null where it is not known. */
  readonly address: string | null;
}

/** Writes who has signed in or out, or was refused. The address that a stranger enters may be any text. */
export async function recordSignIn(tx: Tx, { action, userId, email, reason, address }: SignInRecord): Promise<void> {
  const subject = escapeControls(email).slice(0, AUDIT_ACTOR_LENGTH_MAX);
  const after = address === null ? null : { address };
  await recordChange(tx, { actor: userId ?? NOBODY, reason }, { action, subject, after });
}
