import { requireReceipt } from '@pos/core/payment-intent';
import type { Receipt, ReceiptCopy, ReceiptHeading } from '@pos/core/receipt';
import { asItStands, receiptMail, receiptOf } from '@pos/core/receipt-mail';
import { isUuid } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusal';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { Reader, Tx } from '@pos/store/database';
import { insertMail, listMails, type Mail } from '@pos/store/mails';
import { findIntent, lockIntent } from '@pos/store/payment-intents';
import { sessionsOf } from '@pos/store/terminal-sessions';
import type { Accounts } from './accounts.js';
import { endsOf, type PageEnds, type PageWish, readPlace } from './cursors.js';
import { News } from './tell.js';

/** The copies of a payment's receipt: shown to be printed, or sent to the customer. */
export class Receipts {
  constructor(private readonly accounts: Accounts) {}

  /** Has the copy mailed to each address, once, and tells of the request. Refused before money was held or taken. */
  async send(tx: Tx, id: string, emails: readonly string[]): Promise<void> {
    const locked = await lockIntent(tx, id);
    if (locked === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    const { intent } = locked;
    requireReceipt(intent);
    const { tradingName } = await this.accounts.get(tx);
    const mail = receiptMail(intent, await this.#copyOf(tx, intent), tradingName);
    const recipients = new Map(emails.map((email) => [email.toLowerCase(), email]));
    for (const recipient of recipients.values())
      await insertMail(tx, { ...mail, paymentIntentId: intent.id, recipient });
    const news = new News(tx);
    await news.ofIntent(intent, ['payment_intent.send-receipt']);
    await news.tell();
  }

  /** A copy to be printed, with what was reversed or refunded since. Refused before money was held or taken. */
  async copy(reader: Reader, id: string, copy: ReceiptCopy): Promise<Receipt> {
    const intent = await findIntent(reader, id);
    if (intent === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    requireReceipt(intent);
    return asItStands(intent, await this.#copyOf(reader, intent, copy));
  }

  /** What the card machine printed; of an online payment, and of one whose signature was refused, the same from what is known. */
  async #copyOf(reader: Reader, intent: PaymentIntent, copy: ReceiptCopy = 'customer'): Promise<Receipt> {
    const sessions = await sessionsOf(reader, intent.id);
    const taking = sessions.find(({ acquirerReference }) => acquirerReference === intent.paymentDetails?.reference);
    const printed = copy === 'customer' ? taking?.customerReceipt : taking?.merchantReceipt;
    if (printed !== undefined && printed !== null) return printed;
    const { tradingName, settings, merchantId } = await this.accounts.get(reader);
    const heading: ReceiptHeading = {
      merchantName: tradingName,
      phoneNumber: settings.phoneNumber,
      site: settings.site,
      ...{ tid: '', table: null, handset: null },
    };
    return receiptOf(intent, { heading, merchantId }, copy);
  }
}

export interface MailPage extends PageEnds {
  readonly mails: readonly Mail[];
}

/** What a sandbox would have sent, newest first. */
export async function listMailbox(reader: Reader, { limit, ...wish }: PageWish): Promise<MailPage> {
  const page = await listMails(reader, { limit, ...readPlace(reader.scope, isUuid, wish) });
  return { mails: page.elements, ...endsOf(reader.scope, page) };
}
