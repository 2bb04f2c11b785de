import type { PaymentIntentId, Scope } from '@pos/core/identity';
import type { Receipt, ReceiptCopy } from '@pos/core/receipt';
import { Refusal } from '@pos/core/refusal';
import type { TablePaymentState } from '@pos/core/table-payment';
import type { Accounts } from '@pos/payments/accounts';
import { Receipts } from '@pos/payments/receipts';
import type { Database, Reader } from '@pos/store/database';
import { findTablePayment } from '@pos/store/table-payments';

/** The receipts of payments at tables, on paper and by e-mail. */
export class JourneyReceipts {
  readonly #receipts: Receipts;

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
  ) {
    this.#receipts = new Receipts(accounts);
  }

  /** A copy to be printed. Refuses `journey_not_found`, and `receipt_not_available` while or when no money is kept. */
  async copy(scope: Scope, paymentId: string, copy: ReceiptCopy): Promise<Receipt> {
    return this.database.read(scope, async (reader) =>
      this.#receipts.copy(reader, await keptBy(reader, paymentId), copy),
    );
  }

  /** Mails the customer's copy. Refuses as `copy` does, and `permission_missing` where the account has that switched off. */
  async send(scope: Scope, paymentId: string, emails: readonly string[]): Promise<void> {
    await this.database.transact(scope, async (tx) => {
      const { settings } = await this.accounts.get(tx);
      if (!settings.payAtTable.offersEmailReceipts) {
        throw new Refusal('permission_missing', 'receipts by e-mail are switched off for this account');
      }
      await this.#receipts.send(tx, await keptBy(tx, paymentId), emails);
    });
  }
}

/** A receipt of money that goes back would be worth money to whoever shows it. */
const WITHOUT_MONEY: ReadonlySet<TablePaymentState> = new Set([
  'Started',
  'Refused',
  'GivingBack',
  'GivenBack',
  'Ended',
]);

/** The intent whose money a payment of a journey keeps. */
async function keptBy(reader: Reader, paymentId: string): Promise<PaymentIntentId> {
  const payment = await findTablePayment(reader, paymentId);
  const intentId = payment?.intentId ?? null;
  if (payment === null || intentId === null || payment.origin !== 'journey') {
    throw new Refusal('journey_not_found', 'there is no such payment of a journey');
  }
  if (WITHOUT_MONEY.has(payment.state)) {
    throw new Refusal('receipt_not_available', `the payment is ${payment.state}`);
  }
  return intentId;
}
