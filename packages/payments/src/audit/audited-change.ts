import {
  AUDIT_ACTOR_LENGTH_MAX,
  AUDIT_REASON_LENGTH_MAX,
  type AuditAction,
  type AuditedChange,
  type AuditState,
} from '@pos/core/administration';
import { createViolation, Violations } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import {
  type AdministeredAccount,
  findAdministeredAccount,
  insertAuditEntry,
  lockAccount,
} from '@pos/store/repositories';

/** What the audit log stores of a change beside who made it and why. */
export interface ChangeRecord {
  readonly action: AuditAction;
  readonly subject: string;
  readonly before?: AuditState | null;
  readonly after?: AuditState | null;
}

const ONE_LINE = /^[^\p{Cc}\p{Surrogate}]+$/u;

/** Writes a change to the audit log, in its own transaction. Refuses a change without an actor or a reason. */
export async function recordChange(
  tx: Tx,
  change: AuditedChange,
  { action, subject, before = null, after = null }: ChangeRecord,
): Promise<void> {
  requireReason(change);
  const { actor, reason, operatingSystemUser = null } = change;
  await insertAuditEntry(tx, { actor, reason, operatingSystemUser, action, subject, before, after });
}

/** Refuses a change without an actor or a reason. */
export function requireReason(change: AuditedChange): AuditedChange {
  const { actor, reason } = change;
  const violations = new Violations();
  if (!isLine(actor, AUDIT_ACTOR_LENGTH_MAX)) {
    violations.add('actor', `must be 1 to ${AUDIT_ACTOR_LENGTH_MAX} characters of one line`);
  }
  if (!isLine(reason, AUDIT_REASON_LENGTH_MAX)) {
    violations.add('reason', `must be 1 to ${AUDIT_REASON_LENGTH_MAX} characters of one line`);
  }
  violations.throwIfAny('every change needs an actor and a reason');
  return change;
}

function isLine(text: string, lengthMax: number): boolean {
  return text.trim() !== '' && text.length <= lengthMax && ONE_LINE.test(text);
}

/** Refuses a text that does not fit on one line of at most so many characters. */
export function requireLine(member: string, text: string, lengthMax: number): string {
  if (isLine(text, lengthMax)) return text;
  throw createViolation('validation_failed', member, `must be 1 to ${lengthMax} characters of one line`);
}

/** The account of the scope. Refuses an unknown one. */
export async function requireAccount(reader: Reader): Promise<AdministeredAccount> {
  const account = await findAdministeredAccount(reader);
  if (account === null) throw createUnknownAccountRefusal();
  return account;
}

/** The account of the scope, locked until the transaction ends. Refuses an unknown one. */
export async function requireLockedAccount(tx: Tx): Promise<AdministeredAccount> {
  const account = await lockAccount(tx);
  if (account === null) throw createUnknownAccountRefusal();
  return account;
}

/** The same, and refuses a disabled one. */
export async function requireActiveAccount(tx: Tx): Promise<AdministeredAccount> {
  const account = await requireLockedAccount(tx);
  if (account.status === 'Active') return account;
  throw createViolation('validation_failed', 'account', 'is disabled: enable it first');
}

function createUnknownAccountRefusal() {
  return createViolation('validation_failed', 'account', 'is not an account');
}
