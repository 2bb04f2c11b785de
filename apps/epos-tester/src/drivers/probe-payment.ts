import type { Money } from '@pos/core/money';
import {
  CardPresentPaymentStatus,
  type Payment,
  PaymentMethod,
  CardScheme,
  CardFundingType,
  CardholderVerificationMethod,
  EntryMode,
} from '@pos/grpc-contracts/tables';
import { randomUUID } from 'node:crypto';
import { TESTER_TID } from './card-payments.js';

/** A payment without a card, which an EPOS must refuse or must not book. */
export function probePayment(probe: {
  readonly sessionId: string;
  readonly base: Money;
  readonly merchantId: string;
  readonly attemptedAt: Date;
  readonly isSuccessful: boolean;
}): Payment {
  const { sessionId, base, merchantId, attemptedAt, isSuccessful } = probe;
  return {
    id: randomUUID(),
    sessionId,
    waiterId: undefined,
    currency: base.currencyCode,
    baseAmount: BigInt(base.value),
    gratuityAmount: 0n,
    cashbackAmount: 0n,
    paymentSuccessful: isSuccessful,
    attemptedAt,
    methodDetails: {
      method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
      cardPresentPaymentStatus: isSuccessful
        ? CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL
        : CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_DECLINED,
      cardPresentPaymentInfo: {
        authCode: isSuccessful ? '000000' : '',
        entryMode: EntryMode.ENTRY_MODE_CONTACTLESS,
        card: {
          scheme: CardScheme.CARD_SCHEME_VISA,
          last4Pan: '0000',
          expiryDate: { month: 12, year: attemptedAt.getUTCFullYear() + 1 },
          fundingType: CardFundingType.CARD_FUNDING_TYPE_DEBIT,
        },
        cardholderVerificationMethod: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_NONE,
        terminalId: TESTER_TID,
        merchantId,
        acquirerTransactionId: randomUUID(),
      },
      remotePaymentInfo: undefined,
    },
  };
}
