import { createPortalMail, type PortalNotice } from '@pos/core/receipts/portal-mail';
import type { Tx } from '@pos/store/database/database';
import { insertMail } from '@pos/store/repositories/mails';

/** Queues the mail about a notice to a user of the portal. The transaction is in the scope of the service. */
export async function insertPortalNotice(tx: Tx, recipient: string, notice: PortalNotice): Promise<void> {
  await insertMail(tx, { ...createPortalMail(notice), recipient, paymentIntentId: null });
}
