import { type PaymentIntent, requireReceipt } from '@pos/core/payment-intents';
import {
  createReceiptCopy,
  createReceiptMail,
  isCompletion,
  markCopyStatus,
  type Receipt,
  type ReceiptCopy,
  type ReceiptHeading,
} from '@pos/core/receipts';
import { isUuid } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import { findAcquirerCall, findIntent, lockIntent } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import { countMailsSince, insertMail, listMails, type Mail, readTimeZoneOfIntent } from '@pos/store/repositories';
import { listSessionsOfIntent } from '@pos/store/terminals';
import type { AccountCache } from '../accounts/account-cache.js';
import { findProvenAttempt } from '../payment-intents/payer-proof.js';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import { buildReceiptHeading } from './receipt-heading.js';
import { OutboxBatch } from '../webhooks/outbox-batch.js';

const PAYER_MAILS_MAX = 3;

/** The copies of a payment's receipt: returned to be printed, or sent to the customer. */
export class Receipts {
  constructor(private readonly accounts: AccountCache) {}

  /**
   * Queues one mail with the copy to each address, and publishes the request. Refused before money was held or
   * taken.
   */
  async send(tx: Tx, id: string, emails: readonly string[]): Promise<void> {
    await this.#send(tx, id, { emails, isCardHidden: false });
  }

  async #send(
    tx: Tx,
    id: string,
    { emails, isCardHidden }: { readonly emails: readonly string[]; readonly isCardHidden: boolean },
  ): Promise<void> {
    const locked = await lockIntent(tx, id);
    if (locked === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    const { intent } = locked;
    requireReceipt(intent);
    const { tradingName } = await this.accounts.get(tx);
    const mail = createReceiptMail(intent, await this.#buildCopy(tx, intent, { isCardHidden }), tradingName);
    const recipients = new Map(emails.map((email) => [email.toLowerCase(), email]));
    for (const recipient of recipients.values())
      await insertMail(tx, { ...mail, paymentIntentId: intent.id, recipient });
    const outbox = new OutboxBatch(tx);
    await outbox.addIntentEvents(intent, ['payment_intent.send-receipt']);
    await outbox.flush();
  }

  /**
   * The same for one address that the payer has typed. Everybody with the link may request it, so the mails of a payment
   * are limited, and only `secret` of the page that has paid gets a copy with the card. Refuses `receipts_exhausted`.
   */
  async sendToPayer(
    tx: Tx,
    id: string,
    { email, secret }: { readonly email: string; readonly secret: string | null },
  ): Promise<void> {
    const locked = await lockIntent(tx, id);
    if (locked === null || !locked.intent.details.hasPaymentLink || locked.intent.status === 'Canceled')
      throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    const since = new Date(tx.now.getTime() - DAY_MS);
    const sent = await countMailsSince(tx, locked.intent.id, since);
    if (sent >= PAYER_MAILS_MAX)
      throw new Refusal('receipts_exhausted', `at most ${PAYER_MAILS_MAX} receipts of a payment are mailed in a day`);
    const provenAttempt = await findProvenAttempt(tx, locked.intent.id, secret);
    await this.#send(tx, id, { emails: [email], isCardHidden: provenAttempt?.isApproved !== true });
  }

  /** A copy to print, with later reversals and refunds. Refused before money was held or taken. */
  async copy(reader: Reader, id: string, copy: ReceiptCopy): Promise<Receipt> {
    const intent = await findIntent(reader, id);
    if (intent === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    requireReceipt(intent);
    return markCopyStatus(intent, await this.#buildCopy(reader, intent, { copy }));
  }

  /**
   * The copy that the card machine printed. For an online payment, and one whose signature was refused, the same
   * from the stored data.
   */
  async #buildCopy(
    reader: Reader,
    intent: PaymentIntent,
    { copy = 'customer', isCardHidden = false }: { readonly copy?: ReceiptCopy; readonly isCardHidden?: boolean },
  ): Promise<Receipt> {
    const sessions = await listSessionsOfIntent(reader, intent.id);
    const payingSession = sessions.find(
      ({ acquirerReference }) => acquirerReference === intent.paymentDetails?.reference,
    );
    const printed = copy === 'customer' ? payingSession?.customerReceipt : payingSession?.merchantReceipt;
    // The machine printed the hold. What was taken of it since is another amount.
    if (printed !== undefined && printed !== null && !isCompletion(intent) && !isCardHidden) return printed;
    const account = await this.accounts.get(reader);
    const { tradingName, settings } = account;
    const reference = intent.paymentDetails?.reference ?? null;
    const call = reference === null ? null : await findAcquirerCall(reader, reference);
    const merchantId = call?.merchantId ?? account.merchantId;
    if (payingSession?.approval !== undefined && payingSession.approval !== null) {
      const heading = await buildReceiptHeading(reader, this.accounts, { session: payingSession, intent: { intent } });
      const place = { heading, merchantId, chip: payingSession.approval, sessionId: payingSession.id };
      return createReceiptCopy(intent, place, { copy, isCardHidden });
    }
    const heading: ReceiptHeading = {
      merchantName: tradingName,
      phoneNumber: settings.phoneNumber,
      site: settings.site,
      ...{ tid: '', table: intent.details.tableName ?? null, handset: null },
      timeZone: await readTimeZoneOfIntent(reader, intent.id),
    };
    return createReceiptCopy(intent, { heading, merchantId }, { copy, isCardHidden });
  }
}

export interface MailPage extends PageCursors {
  readonly mails: readonly Mail[];
}

/** The mails that a sandbox would have sent, newest first. */
export async function listMailbox(reader: Reader, { limit, ...pageQuery }: PageQuery): Promise<MailPage> {
  const page = await listMails(reader, { limit, ...readPosition(reader.scope, isUuid, pageQuery) });
  return { mails: page.elements, ...buildPageCursors(reader.scope, page) };
}
