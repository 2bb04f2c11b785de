import { WALLET_KINDS, type WalletKind } from '../cards/card.js';
import type { CardScheme } from '../cards/schemes.js';
import type { Money } from '../money/money.js';
import { Refusal, type RefusalMembers } from '../refusals/refusal.js';

/** What an acquirer can do only if its adapter declares it, by the names of the acquirer's contract. */
export const CAPABILITIES = [
  'separate_capture',
  'partial_capture',
  'multiple_captures',
  'incremental_authorisation',
  'partial_refund',
  'multiple_refunds',
  'unreferenced_refund',
  'reversal_after_capture',
  'partial_reversal',
  'reversal_of_unknown_reference',
  'challenge',
  'card_verification',
  'merchant_initiated',
  'cardholder_not_present',
  'booked_list',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What a refusal names: a capability, or a value that is missing in one of the acquirer's lists or is over its limit. */
export const LACKING = [...CAPABILITIES, 'currencies', 'card_schemes', 'wallets', 'refund_window'] as const;
export type LackingCapability = (typeof LACKING)[number];

/** What an acquirer can do through its adapter. Plain JSON: it is stored as it is. */
export interface AcquirerCapabilities {
  readonly adapterName: string;
  readonly adapterVersion: string;
  readonly can: Readonly<Record<Capability, boolean>>;
  /** Null: every currency. */
  readonly currencies: readonly string[] | null;
  /** Null: every scheme. */
  readonly cardSchemes: readonly CardScheme[] | null;
  readonly wallets: readonly WalletKind[];
  /** How long after the authorisation a refund is accepted. Null: without a limit. */
  readonly refundWindowMs: number | null;
  /** How long after its deadline a call may still be booked; later a "not found" is final. Null: it never is. */
  readonly notFoundFinalAfterMs: number | null;
  /** For how long after a call an inquiry knows its reference. Null: for ever. */
  readonly inquiryHorizonMs: number | null;
}

/** Everything that the contract has. */
export const COMPLETE_CAPABILITIES: AcquirerCapabilities = {
  adapterName: '',
  adapterVersion: '',
  can: mapCapabilities(() => true),
  currencies: null,
  cardSchemes: null,
  wallets: WALLET_KINDS,
  refundWindowMs: null,
  notFoundFinalAfterMs: null,
  inquiryHorizonMs: null,
};

/** Which of the capabilities an acquirer has. */
export function mapCapabilities(has: (name: Capability) => boolean): AcquirerCapabilities['can'] {
  return {
    separate_capture: has('separate_capture'),
    partial_capture: has('partial_capture'),
    multiple_captures: has('multiple_captures'),
    incremental_authorisation: has('incremental_authorisation'),
    partial_refund: has('partial_refund'),
    multiple_refunds: has('multiple_refunds'),
    unreferenced_refund: has('unreferenced_refund'),
    reversal_after_capture: has('reversal_after_capture'),
    partial_reversal: has('partial_reversal'),
    reversal_of_unknown_reference: has('reversal_of_unknown_reference'),
    challenge: has('challenge'),
    card_verification: has('card_verification'),
    merchant_initiated: has('merchant_initiated'),
    cardholder_not_present: has('cardholder_not_present'),
    booked_list: has('booked_list'),
  };
}

/** Refuses `acquirer_lacks_capability` where the acquirer cannot do it. */
export function requireCapability({ can }: AcquirerCapabilities, name: Capability): void {
  if (!can[name]) throw createLackingRefusal(name);
}

/** An authorisation that is about to be requested. */
export interface PlannedAuthorisation {
  readonly amount: Money;
  readonly isCapturing: boolean;
  /** Null where it is not known before the acquirer answers: on a card machine, and in a wallet that the adapter opens. */
  readonly scheme: CardScheme | null;
  readonly wallet: WalletKind | null;
  readonly isCardholderAbsent: boolean;
  readonly isCustomerInitiated: boolean;
  /** The member of the request that holds the card, where the request holds it. */
  readonly cardMember: string | null;
}

/** Refuses an authorisation that the acquirer cannot make. */
export function requireAuthorisable(capabilities: AcquirerCapabilities, planned: PlannedAuthorisation): void {
  const { scheme, wallet, cardMember } = planned;
  const { cardSchemes, wallets } = capabilities;
  requirePossiblePayment(capabilities, planned);
  if (planned.amount.value === 0) requireCapability(capabilities, 'card_verification');
  if (!planned.isCustomerInitiated) requireCapability(capabilities, 'merchant_initiated');
  if (scheme !== null && cardSchemes !== null && !cardSchemes.includes(scheme)) {
    throw createLackingRefusal(
      'card_schemes',
      cardMember,
      `Is of a scheme that the acquirer does not take: ${scheme}.`,
    );
  }
  if (wallet !== null && !wallets.includes(wallet)) throw createLackingRefusal('wallets', 'wallet', 'Is not taken.');
}

/** What a new payment needs of the acquirer for any card or wallet. */
export type PlannedPayment = Pick<PlannedAuthorisation, 'amount' | 'isCapturing' | 'isCardholderAbsent'>;

/** Refuses a payment that the acquirer can never take. A verification, over zero, holds nothing to capture. */
export function requirePossiblePayment(capabilities: AcquirerCapabilities, planned: PlannedPayment): void {
  const { amount, isCapturing, isCardholderAbsent } = planned;
  requireAcquirerCurrency(capabilities, amount);
  if (amount.value !== 0 && !isCapturing) requireCapability(capabilities, 'separate_capture');
  if (isCardholderAbsent) requireCapability(capabilities, 'cardholder_not_present');
}

/** Refuses a currency that the acquirer does not take. */
export function requireAcquirerCurrency({ currencies }: AcquirerCapabilities, { currencyCode }: Money): void {
  if (currencies !== null && !currencies.includes(currencyCode)) throw createLackingRefusal('currencies');
}

/** A capture of a hold: its amount, the uncaptured rest before it, and whether a part was captured earlier. */
export interface PlannedCapture {
  readonly isWhole: boolean;
  readonly isFirst: boolean;
}

/** Refuses a capture that the acquirer cannot make. */
export function requireCapturable(capabilities: AcquirerCapabilities, { isWhole, isFirst }: PlannedCapture): void {
  if (!isFirst) requireCapability(capabilities, 'multiple_captures');
  if (!isWhole) requireCapability(capabilities, 'partial_capture');
}

/** A refund: its share of the captured money, and how long ago the money was authorised. */
export interface PlannedRefund {
  readonly isWhole: boolean;
  readonly isFirst: boolean;
  readonly ageMs: number;
}

/** Refuses a refund that the acquirer cannot make. */
export function requireRefundable(
  capabilities: AcquirerCapabilities,
  { isWhole, isFirst, ageMs }: PlannedRefund,
): void {
  const { refundWindowMs } = capabilities;
  if (!isFirst) requireCapability(capabilities, 'multiple_refunds');
  if (!isWhole) requireCapability(capabilities, 'partial_refund');
  if (refundWindowMs !== null && ageMs >= refundWindowMs) throw createLackingRefusal('refund_window');
}

/**
 * Whether "not found" about a call is the acquirer's last word: the call cannot arrive any more, and the acquirer would
 * still know it. Times are database time; `lastSentBy` is the deadline of the call.
 */
export function isNotFoundFinal(
  { notFoundFinalAfterMs, inquiryHorizonMs }: AcquirerCapabilities,
  { lastSentBy, databaseNow }: { readonly lastSentBy: Date; readonly databaseNow: Date },
): boolean {
  if (notFoundFinalAfterMs === null) return false;
  const ageMs = databaseNow.getTime() - lastSentBy.getTime();
  return ageMs >= notFoundFinalAfterMs && (inquiryHorizonMs === null || ageMs < inquiryHorizonMs);
}

/** Whether the acquirer does not know the reference of a call any more: no inquiry can decide about it. */
export function isForgotten(
  { inquiryHorizonMs }: AcquirerCapabilities,
  { lastSentBy, databaseNow }: { readonly lastSentBy: Date; readonly databaseNow: Date },
): boolean {
  return inquiryHorizonMs !== null && databaseNow.getTime() - lastSentBy.getTime() >= inquiryHorizonMs;
}

const SENTENCES: Readonly<Record<LackingCapability, string>> = {
  separate_capture: 'the acquirer cannot hold money and take it later: use capture mode Auto',
  partial_capture: 'the acquirer can only capture all that is held',
  multiple_captures: 'the acquirer captures once, and something is captured already',
  incremental_authorisation: 'the acquirer cannot raise an authorisation: take the difference as another payment',
  partial_refund: 'the acquirer can only refund all that was captured',
  multiple_refunds: 'the acquirer refunds once, and something is refunded already',
  unreferenced_refund: 'the acquirer refunds only a payment that it has taken',
  reversal_after_capture: 'the acquirer cannot reverse captured money: refund it',
  partial_reversal: 'the acquirer cannot give up a part of a hold',
  reversal_of_unknown_reference: 'the acquirer reverses only what it knows',
  challenge: 'the acquirer offers no 3-D Secure challenge',
  card_verification: 'the acquirer cannot verify a card without a payment',
  merchant_initiated: 'the acquirer cannot charge a stored card without its holder',
  cardholder_not_present: 'the acquirer takes no cards by letter or telephone',
  booked_list: 'the acquirer lists no bookings: import its settlement files',
  currencies: 'the acquirer does not take this currency',
  card_schemes: 'the acquirer does not take cards of this scheme',
  wallets: 'the acquirer does not take this wallet',
  refund_window: 'the acquirer refunds no payment that is this old',
};

function createLackingRefusal(capability: LackingCapability, member: string | null = null, message = ''): Refusal {
  const members: RefusalMembers = member === null ? {} : { [member]: [message] };
  return new Refusal('acquirer_lacks_capability', SENTENCES[capability], { members, data: { capability } });
}
