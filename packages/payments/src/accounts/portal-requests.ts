import { type AuditedChange, PORTAL_KEY_ID } from '@pos/core/administration';
import type { Caller } from '@pos/core/accounts';
import type { Permission, PortalUserId, Scope } from '@pos/core/identity';
import type { Database, Tx } from '@pos/store/database';
import { claimPortalNonce } from '@pos/store/portal';
import { findAccount, hasAuditEntrySince } from '@pos/store/repositories';
import { recordChange } from '../audit/audited-change.js';

/** A request that the portal makes for one of its users. */
export interface PortalRequest {
  readonly scope: Scope;
  readonly actor: PortalUserId;
  readonly permissions: readonly Permission[];
  readonly nonce: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

/** Longer than a token is valid, clocks that differ included. */
const NONCE_KEPT_MS = 120_000;
const SUBJECT_LENGTH_MAX = 200;

/**
 * Admits a request of the portal once, and writes it to the audit log if it may change something or reads personal data.
 * Null: it was admitted before, or the account is unknown or disabled.
 */
export async function admitPortalRequest(
  database: Database,
  { scope, actor, permissions, nonce, method, path }: PortalRequest,
): Promise<(Pick<Caller, 'scope' | 'keyId' | 'permissions'> & { readonly actor: PortalUserId }) | null> {
  const isAdmitted = await database.transact(scope, async (tx) => {
    const account = await findAccount(tx);
    if (account === null || account.status === 'Disabled' || !(await claimPortalNonce(tx, nonce, NONCE_KEPT_MS)))
      return false;
    const subject = `${method} ${path}`.slice(0, SUBJECT_LENGTH_MAX);
    const change = { actor, reason: 'by the portal' };
    if (!isRead(method, path)) await recordChange(tx, change, { action: 'PortalRequest', subject });
    else if (readsPersonalData(path)) await recordRead(tx, change, subject);
    return true;
  });
  return isAdmitted ? { scope, keyId: PORTAL_KEY_ID, permissions: new Set(permissions), actor } : null;
}

/** Pages read again after each change. One entry covers all reads of a user in this time. */
const READ_INTERVAL_MS = 600_000;

async function recordRead(tx: Tx, change: AuditedChange, subject: string): Promise<void> {
  const since = new Date(tx.databaseNow.getTime() - READ_INTERVAL_MS);
  const entry = { actor: change.actor, action: 'ReadPersonalData', subject } as const;
  if (await hasAuditEntrySince(tx, entry, since)) return;
  await recordChange(tx, change, entry);
}

/**
 * Customers with their saved cards, payments and setups with the names and addresses of payers, and bookings with the
 * names and requests of guests.
 */
const PERSONAL_DATA =
  /^\/(customers|payment-intents|setup-intents|transactions|epos\/reservations|epos\/parties)(\/|\?|$)/;

function readsPersonalData(path: string): boolean {
  return PERSONAL_DATA.test(path);
}

/** A search has a body, and changes nothing. The query does not count: its sender chooses any text. */
function isRead(method: string, path: string): boolean {
  const [pathOnly = ''] = path.split('?', 1);
  return method === 'GET' || (method === 'POST' && pathOnly.endsWith('/search'));
}
