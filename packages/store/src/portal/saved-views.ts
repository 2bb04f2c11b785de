import type { PortalUserId } from '@pos/core/identity';
import type { SavedView } from '@pos/core/payment-intents';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

const FIND = defineStatement('list_saved_views', 'select payment_views from portal_users where id = $1');
const LOCK = defineStatement(
  'lock_saved_views',
  'select payment_views from portal_users where id = $1 for no key update',
);
const SET = defineStatement(
  'update_saved_views',
  'update portal_users set payment_views = $2 where id = $1 returning id',
);

interface ViewsRow {
  readonly payment_views: readonly SavedView[];
}

/** The saved views of a user in the order of their creation. */
export async function listSavedViews(reader: SystemReader, userId: PortalUserId): Promise<readonly SavedView[]> {
  const [row] = await reader.query<ViewsRow>(FIND, [userId]);
  return row?.payment_views ?? [];
}

/** The same, locked until the transaction ends. */
export async function lockSavedViews(tx: Tx, userId: PortalUserId): Promise<readonly SavedView[]> {
  const [row] = await tx.query<ViewsRow>(LOCK, [userId]);
  return row?.payment_views ?? [];
}

/** Replaces the saved views of a user. */
export async function updateSavedViews(tx: Tx, userId: PortalUserId, views: readonly SavedView[]): Promise<void> {
  await tx.query(SET, [userId, JSON.stringify(views)]);
}
