import { createPortalMail, type PortalNotice } from '@pos/core/receipts';
import type { Tx } from '@pos/store/database';
import { insertMail } from '@pos/store/repositories';

/** Queues the mail about a notice to a user of the portal. The transaction is in the scope of the service. */
export async function insertPortalNotice(tx: Tx, recipient: string, notice: PortalNotice): Promise<void> {
  await insertMail(tx, { ...createPortalMail(notice), recipient, paymentIntentId: null });
}
