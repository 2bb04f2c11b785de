import { Refusal, requireValue } from '@pos/core/refusals';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { isPositive } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { Receipt, ReceiptCopy } from '@pos/core/receipts';
import { computeRefundable } from '@pos/core/captures-refunds';
import type { TablePayment, TablePaymentState } from '@pos/core/tables';
import type { AccountCache } from '@pos/payments/accounts';
import { Receipts } from '@pos/payments/receipts';
import type { Database, Reader, Tx } from '@pos/store/database';
import { completeKey, claimKey } from '@pos/store/idempotency';
import { findIntent } from '@pos/store/payments';
import { findTablePayment } from '@pos/store/tables';

/** The receipts of payments at tables, on paper and by e-mail. */
export class JourneyReceiptService {
  readonly #receipts: Receipts;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountCache,
  ) {
    this.#receipts = new Receipts(accounts);
  }

  /** Returns a printable copy. Refuses `journey_not_found`, and `receipt_not_available` unless the payment has money. */
  async getCopy(scope: Scope, paymentId: string, copy: ReceiptCopy): Promise<Receipt> {
    return this.database.readSnapshot(scope, async (reader) =>
      this.#receipts.copy(reader, await getReceiptIntentId(reader, paymentId), copy),
    );
  }

  /**
   * Sends the payer's copy by e-mail, but not again within a minute to the same address: a device repeats a call without an
   * answer. Refuses like `getCopy`, and `permission_missing` if the account has e-mail receipts switched off.
   */
  async sendCopy(scope: Scope, paymentId: string, emails: readonly string[]): Promise<void> {
    await this.database.transact(scope, async (tx) => {
      const { settings } = await this.accounts.get(tx);
      if (!settings.payAtTable.offersEmailReceipts) {
        throw new Refusal('permission_missing', 'receipts by e-mail are switched off for this account');
      }
      const intentId = await getReceiptIntentId(tx, paymentId);
      const unsent = await claimUnsentAddresses(tx, paymentId, emails);
      if (unsent.length > 0) await this.#receipts.send(tx, intentId, unsent);
    });
  }
}

const RESEND_INTERVAL_MS = 60_000;

/** The addresses that have not received the copy yet, in a fixed order, so that two calls do not deadlock. */
async function claimUnsentAddresses(tx: Tx, paymentId: string, emails: readonly string[]): Promise<string[]> {
  const unsent: string[] = [];
  for (const [key, email] of [...new Map(emails.map((each) => [each.toLowerCase(), each]))].sort(compareAddresses)) {
    const path = `/table-payments/${paymentId}/receipt`;
    const idempotency = { method: 'SendReceipt', path, key, fingerprintInput: key, retentionMs: RESEND_INTERVAL_MS };
    if ((await claimKey(tx, idempotency)).kind !== 'new') continue;
    completeKey(tx, idempotency, { status: 0, body: null });
    unsent.push(email);
  }
  return unsent;
}

function compareAddresses([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : 1;
}

/** A receipt for returned money could be misused as proof of payment. */
const STATES_WITHOUT_MONEY: ReadonlySet<TablePaymentState> = new Set([
  'Unproved',
  'Started',
  'Refused',
  'GivingBack',
  'GivenBack',
  'Ended',
]);

/** The intent of a payment that still has money after refunds and reversals, also by the API. */
async function getReceiptIntentId(reader: Reader, paymentId: string): Promise<PaymentIntentId> {
  const payment = await findTablePayment(reader, paymentId);
  const intentId = payment?.intentId ?? null;
  if (payment === null || intentId === null || payment.origin !== 'journey') {
    throw new Refusal('journey_not_found', 'there is no such payment of a journey');
  }
  const intent = requireValue(await findIntent(reader, intentId), 'the intent of a payment');
  const unavailableReason = findUnavailableReason(payment, intent);
  if (unavailableReason !== null) throw new Refusal('receipt_not_available', unavailableReason);
  return intentId;
}

function findUnavailableReason({ state, giveBackSince }: TablePayment, intent: PaymentIntent): string | null {
  const { status, captured } = intent;
  if (STATES_WITHOUT_MONEY.has(state)) return `the payment is ${state}`;
  // The money of a payment that an operator marked as recorded was not returned.
  if (giveBackSince !== null && state !== 'Recorded') return 'the payment may have been given back';
  if (status === 'Reversed' || status === 'Refunded') return `the payment intent is ${status}`;
  const isBeingReturned = isPositive(captured) && !isPositive(computeRefundable(intent));
  return isBeingReturned ? 'all of the money is about to be given back' : null;
}
