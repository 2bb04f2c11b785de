import type { Approval, CardDetails, Decline } from '../cards/card.js';
import { type Money, zeroMoney } from '../money/money.js';

export const TRANSACTION_TYPES = ['Sale', 'Refund', 'PreAuth', 'Collection'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const TRANSACTION_STATUSES = [
  'Authorized',
  'Declined',
  'Held',
  'UnderReview',
  'Reversed',
  'AwaitingCollection',
  'Released',
  'Expired',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** The amounts of a transaction; together they are all the money that moved. */
export interface TransactionAmounts {
  /** The price with its service charge: a listing has no member for that. */
  readonly amount: Money;
  readonly tips: Money;
  readonly cashback: Money;
}

/** A line of the listing before it is numbered, dated and assigned to an account. */
export interface TransactionDraft {
  /** Our reference of the acquirer's call: there is one line for each. */
  readonly reference: string;
  /** The call with which the card was presented; the card machine is found by it. */
  readonly takenUnder: string;
  /** The acquirer's id of the attempt where it is to be shown; null: the line gets an id from its reference. */
  readonly transactionId: string | null;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amounts: TransactionAmounts;
  /** Empty before an approval. */
  readonly authCode: string;
  readonly card: CardDetails | null;
  /** A charge of a stored card, without the payer present. */
  readonly isCharge: boolean;
}

/** What a decision changes in the listing: a new line, or the status of an earlier one. */
export type TransactionChange =
  | { readonly kind: 'new'; readonly transaction: TransactionDraft }
  | { readonly kind: 'status'; readonly reference: string; readonly status: TransactionStatus }
  | { readonly kind: 'amount'; readonly reference: string; readonly amount: Money };

/** An attempt to take or hold money, with any result. */
export function createAttemptTransaction(
  result: Approval | Decline,
  line: Pick<TransactionDraft, 'status' | 'amounts'> & {
    readonly type: Exclude<TransactionType, 'Collection'>;
    readonly isCharge?: boolean;
  },
): TransactionChange {
  const { reference, transactionId, card } = result;
  const authCode = 'authCode' in result ? result.authCode : '';
  return createTransactionLine({
    reference,
    takenUnder: reference,
    transactionId,
    authCode,
    card,
    isCharge: false,
    ...line,
  });
}

/** The product and the card of a payment whose money moves again. */
export interface TakenPayment {
  readonly reference: string;
  readonly authCode: string;
  readonly card: CardDetails;
}

/** Money of a payment that was taken before: a capture, or a return to its card. */
export function createFollowUpTransaction(
  taken: TakenPayment,
  line: Pick<TransactionDraft, 'reference' | 'status' | 'amounts'> & { readonly type: 'Collection' | 'Refund' },
): TransactionChange {
  const { authCode, card, reference: takenUnder } = taken;
  return createTransactionLine({ takenUnder, transactionId: null, authCode, card, isCharge: false, ...line });
}

/** Money that moved under our reference on a card machine, reported by a person: the card is unknown. */
export function createUnlistedTransaction(
  reference: string,
  line: Pick<TransactionDraft, 'type' | 'status' | 'amounts'>,
): TransactionChange {
  const unknown = { transactionId: null, authCode: '', card: null };
  return createTransactionLine({ reference, takenUnder: reference, isCharge: false, ...unknown, ...line });
}

/** Changes the status of the line with that reference. */
export function changeTransaction(reference: string, status: TransactionStatus): TransactionChange {
  return { kind: 'status', reference, status };
}

/** Amounts that consist of a price only. */
export function toPlainDraft(amount: Money): TransactionAmounts {
  const none = zeroMoney(amount.currencyCode);
  return { amount, tips: none, cashback: none };
}

function createTransactionLine(transaction: TransactionDraft): TransactionChange {
  return { kind: 'new', transaction };
}

export const PAYMENT_PRODUCTS = [
  'TapToPayOnIPhone',
  'ServicePocket',
  'Terminal',
  'OnlineCheckout',
  'VirtualTerminal',
  'PaymentLinks',
  'ServiceBookings',
  'PayByQr',
  'Other',
] as const;
export type PaymentProduct = (typeof PAYMENT_PRODUCTS)[number];

/** The product by the source that the intent states. */
const PRODUCTS_BY_SOURCE = {
  api: 'OnlineCheckout',
  'virtual-terminal': 'VirtualTerminal',
  'payment-links': 'PaymentLinks',
  'pay-at-table': 'PayByQr',
} as const satisfies Record<string, PaymentProduct>;

/** The product by how the card was taken. A card machine is one for any source of the payment. */
export function findPaymentProduct(line: {
  readonly isOnMachine: boolean;
  readonly isCharge: boolean;
  readonly source: keyof typeof PRODUCTS_BY_SOURCE | null;
}): PaymentProduct {
  if (line.isCharge) return 'Other';
  if (line.isOnMachine || line.source === null) return 'Terminal';
  return PRODUCTS_BY_SOURCE[line.source];
}
