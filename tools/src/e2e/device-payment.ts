import {
  CardholderVerificationMethod,
  CardPresentPaymentStatus,
  EntryMode,
  type Payment,
  PaymentMethod,
} from '@pos/grpc-contracts/tables';
import { randomUUID } from 'node:crypto';

/** A contactless card payment in GBP that a device reports with its card transaction. */
export function buildDevicePayment(part: {
  readonly sessionId: string;
  readonly tid: string;
  readonly transactionId: string;
  readonly baseAmount: number;
  readonly gratuityAmount?: number;
}): Payment {
  const { sessionId, tid, transactionId, baseAmount, gratuityAmount = 0 } = part;
  return {
    id: randomUUID(),
    sessionId,
    waiterId: undefined,
    currency: 'GBP',
    baseAmount: BigInt(baseAmount),
    gratuityAmount: BigInt(gratuityAmount),
    cashbackAmount: 0n,
    paymentSuccessful: true,
    attemptedAt: new Date(),
    methodDetails: {
      method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
      cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
      cardPresentPaymentInfo: {
        authCode: '204711',
        entryMode: EntryMode.ENTRY_MODE_CONTACTLESS,
        card: undefined,
        cardholderVerificationMethod: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_NONE,
        terminalId: tid,
        merchantId: '',
        acquirerTransactionId: transactionId,
      },
      remotePaymentStatus: undefined,
      remotePaymentInfo: undefined,
    },
  };
}
