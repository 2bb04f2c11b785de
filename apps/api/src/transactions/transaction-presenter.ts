import { type CardDetails, type CardFundingType, type EntryMode, formatMaskedPan, SCHEMES } from '@pos/core/cards';
import { findPaymentProduct } from '@pos/core/ledger';
import type { MerchantTransaction } from '@pos/payments/payment-intents';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/payment-intents';
import type { CardTransaction } from '@pos/store/payments';

export function presentTransaction(line: MerchantTransaction): rest.Transaction {
  const { id, legacyId, type, status, amount, cashbackAmount, tipsAmount, createdAt } = line;
  const { paymentIntentId, reference, merchantId, settledOn } = line;
  return {
    id,
    legacyId: String(legacyId),
    ...present({ paymentIntentId, reference }),
    merchantId,
    dateTime: presentMoment(createdAt),
    ...{ type, status, amount, cashbackAmount, tipsAmount },
    ...present({ settledOn }),
    paymentDetails: presentDetails(line),
  };
}

function presentDetails(line: CardTransaction): rest.Transaction['paymentDetails'] {
  const { card, terminalId, isCharge, paymentSource: source } = line;
  const isOnMachine = terminalId !== null;
  return {
    ...(card !== null && { card: presentCard(card) }),
    ...(line.authCode !== '' && { authCode: line.authCode }),
    isRemote: !isOnMachine,
    paymentProduct: findPaymentProduct({ isOnMachine, isCharge, source }),
    // Only a card machine has an entry mode.
    ...(isOnMachine && card !== null && { terminalEntryModeType: ENTRY_MODE_NAMES[card.entryMode] }),
    ...present({ terminalId }),
  };
}

function presentCard(card: CardDetails): NonNullable<rest.Transaction['paymentDetails']['card']> {
  const fundingType = FUNDING_NAMES[card.cardFundingType];
  const type = card.cardType === 'UNKNOWN' ? null : SCHEMES[card.cardType].transactionType;
  return { number: formatMaskedPan(card), ...present({ fundingType, type }) };
}

/** The listing has two kinds: Credit is paid later, Debit is paid from a present balance. */
const FUNDING_NAMES = {
  Credit: 'Credit',
  Charge: 'Credit',
  Debit: 'Debit',
  Prepaid: 'Debit',
  Unknown: null,
} as const satisfies Record<CardFundingType, 'Credit' | 'Debit' | null>;

const ENTRY_MODE_NAMES = {
  Contactless: 'ContactLess',
  ContactChip: 'Chip',
  Magstripe: 'Swipe',
  ManualEntry: 'Keyed',
  Unknown: 'Unknown',
} as const satisfies Record<EntryMode, string>;
