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

/** What of a transaction was what; together they are all that moved. */
export interface TransactionAmounts {
  /** The price with its service charge: a listing has no member for that. */
  readonly amount: Money;
  readonly tips: Money;
  readonly cashback: Money;
}

/** A line of the listing before it is numbered, dated and told whose it is. */
export interface TransactionDraft {
  /** Our reference of the acquirer's call: there is one line for each. */
  readonly reference: string;
  /** The call with which the card was presented; it tells the card machine. */
  readonly takenUnder: string;
  /** The acquirer's id of the attempt where it is to be shown; null: the line gets an id from its reference. */
  readonly transactionId: string | null;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amounts: TransactionAmounts;
  /** Empty before an approval. */
  readonly authCode: string;
  readonly card: CardDetails | null;
  /** A charge of a stored card, with nobody there. */
  readonly isCharge: boolean;
}

/** What a decision does to the listing: a new line, or what became of an earlier one. */
export type TransactionChange =
  | { readonly kind: 'new'; readonly transaction: TransactionDraft }
  | { readonly kind: 'status'; readonly reference: string; readonly status: TransactionStatus }
  | { readonly kind: 'amount'; readonly reference: string; readonly amount: Money };

/** An attempt to take or hold money, however it ended. */
export function createAttemptTransaction(
  said: Approval | Decline,
  line: Pick<TransactionDraft, 'status' | 'amounts'> & {
    readonly type: Exclude<TransactionType, 'Collection'>;
    readonly isCharge?: boolean;
  },
): TransactionChange {
  const { reference, transactionId, card } = said;
  const authCode = 'authCode' in said ? said.authCode : '';
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

/** How and with what the payment was taken that more of its money moves of. */
export interface TakenPayment {
  readonly reference: string;
  readonly authCode: string;
  readonly card: CardDetails;
}

/** Money of a payment that was taken before: by a capture, or back to its card. */
export function createFollowUpTransaction(
  taken: TakenPayment,
  line: Pick<TransactionDraft, 'reference' | 'status' | 'amounts'> & { readonly type: 'Collection' | 'Refund' },
): TransactionChange {
  const { authCode, card, reference: takenUnder } = taken;
  return createTransactionLine({ takenUnder, transactionId: null, authCode, card, isCharge: false, ...line });
}

/** Money that moved under our reference on a card machine, as a person has seen it: nobody here knows the card. */
export function createUnlistedTransaction(
  reference: string,
  line: Pick<TransactionDraft, 'type' | 'status' | 'amounts'>,
): TransactionChange {
  const unknown = { transactionId: null, authCode: '', card: null };
  return createTransactionLine({ reference, takenUnder: reference, isCharge: false, ...unknown, ...line });
}

/** Something became of the line of that reference. */
export function changeTransaction(reference: string, status: TransactionStatus): TransactionChange {
  return { kind: 'status', reference, status };
}

/** An amount that is nothing but a price. */
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

/** Where a payment began, as the intent says. */
const PRODUCTS_BY_SOURCE = {
  api: 'OnlineCheckout',
  'virtual-terminal': 'VirtualTerminal',
  'payment-links': 'PaymentLinks',
  'pay-at-table': 'PayByQr',
} as const satisfies Record<string, PaymentProduct>;

/** By what the card was taken. A card machine is one wherever the payment began. */
export function findPaymentProduct(line: {
  readonly isOnMachine: boolean;
  readonly isCharge: boolean;
  readonly source: keyof typeof PRODUCTS_BY_SOURCE | null;
}): PaymentProduct {
  if (line.isCharge) return 'Other';
  if (line.isOnMachine || line.source === null) return 'Terminal';
  return PRODUCTS_BY_SOURCE[line.source];
}
