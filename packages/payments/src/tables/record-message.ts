import { assert, requireValue } from '@pos/core/refusals';
import {
  type CardDetails,
  type CardFundingType,
  type EntryMode,
  SCHEMES,
  type VerificationMethod,
} from '@pos/core/cards';
import type { Requestor } from '@pos/core/tables';
import { zeroMoney } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import {
  type Card,
  CardFundingType as WireFundingType,
  CardholderVerificationMethod,
  CardPresentPaymentStatus,
  CardScheme as WireScheme,
  EntryMode as WireEntryMode,
  PaymentMethod,
  type PaymentMethodDetails,
  RecordPaymentRequest,
  RemotePaymentStatus,
  RemoteVerificationMethod,
  type RequestorInfo,
  RequestorType,
} from '@pos/grpc-contracts/tables';

/** The content of a RecordPayment. The TID is null for a payment that no card machine took. */
export interface RecordMessageParts {
  readonly paymentId: string;
  readonly sessionId: string;
  readonly requestor: Requestor;
  readonly intent: PaymentIntent;
  /** The number of the merchant under which the payment was authorised. */
  readonly merchantId: string;
  readonly tid: string | null;
  readonly hasPassedChallenge: boolean;
}

/** The encoded RecordPaymentRequest of an approved payment: made once, stored, and never changed. */
export function encodeRecordMessage(parts: RecordMessageParts): Uint8Array {
  const { intent, requestor } = parts;
  const { amount, tipsAmount, cashbackAmount } = intent;
  const none = zeroMoney(amount.currencyCode);
  const details = requireValue(intent.paymentDetails, 'how the payment was taken');
  const request: RecordPaymentRequest = {
    payment: {
      id: parts.paymentId,
      sessionId: parts.sessionId,
      waiterId: getWaiterId(requestor),
      currency: amount.currencyCode,
      baseAmount: BigInt(amount.value),
      gratuityAmount: BigInt((tipsAmount ?? none).value),
      cashbackAmount: BigInt((cashbackAmount ?? none).value),
      paymentSuccessful: true,
      attemptedAt: new Date(details.transactionDateTime),
      methodDetails: buildMethodDetails(parts, details),
    },
    requestorInfo: toRequestorInfo(requestor),
  };
  return RecordPaymentRequest.encode(request).finish();
}

/** The waiter at the requesting machine; undefined for none. */
export function getWaiterId(requestor: Requestor): number | undefined {
  return requestor.type === 'cardMachine' && requestor.waiterId !== 0 ? requestor.waiterId : undefined;
}

/** The requestor in the format of the pay-at-table contract. */
export function toRequestorInfo(requestor: Requestor): RequestorInfo {
  if (requestor.type === 'consumerDevice') {
    return {
      requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
      requestor: { $case: 'consumerDeviceRequestorInfo', value: {} },
    };
  }
  const { terminalId, waiterId } = requestor;
  return {
    requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
    requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId, waiterId } },
  };
}

type IntentPaymentDetails = NonNullable<PaymentIntent['paymentDetails']>;

function buildMethodDetails(
  { merchantId, tid, hasPassedChallenge }: RecordMessageParts,
  { card, authCode, transactionId }: IntentPaymentDetails,
): PaymentMethodDetails {
  const common = { authCode, merchantId, acquirerTransactionId: transactionId };
  if (tid === null) {
    return {
      method: PaymentMethod.PAYMENT_METHOD_REMOTE,
      remotePaymentStatus: RemotePaymentStatus.REMOTE_PAYMENT_STATUS_SUCCESSFUL,
      remotePaymentInfo: {
        ...common,
        card: toCard(card),
        remoteVerificationMethod: hasPassedChallenge
          ? RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_3DS2
          : RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_UNKNOWN,
      },
      cardPresentPaymentInfo: undefined,
    };
  }
  return {
    method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
    cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
    cardPresentPaymentInfo: {
      ...common,
      card: toCard(card),
      terminalId: tid,
      entryMode: ENTRY_MODES[card.entryMode],
      cardholderVerificationMethod: VERIFICATIONS[card.verificationMethod],
    },
    remotePaymentInfo: undefined,
  };
}

function toCard({ cardType, last4PAN, expiryDate, cardFundingType }: CardDetails): Card {
  return {
    scheme: cardType === 'UNKNOWN' ? WireScheme.CARD_SCHEME_UNKNOWN : WireScheme[SCHEMES[cardType].tablesName],
    last4Pan: last4PAN,
    expiryDate: expiryDate === null ? undefined : parseMonth(expiryDate),
    fundingType: FUNDING_TYPES[cardFundingType],
  };
}

function parseMonth(day: string): { year: number; month: number } {
  const [, year, month] = /^(\d{4})-(\d{2})-\d{2}$/.exec(day) ?? [];
  assert(year !== undefined && month !== undefined, `not a day: ${day}`);
  return { year: Number(year), month: Number(month) };
}

const FUNDING_TYPES = {
  Unknown: WireFundingType.CARD_FUNDING_TYPE_UNKNOWN,
  Debit: WireFundingType.CARD_FUNDING_TYPE_DEBIT,
  Credit: WireFundingType.CARD_FUNDING_TYPE_CREDIT,
  Charge: WireFundingType.CARD_FUNDING_TYPE_CHARGE,
  Prepaid: WireFundingType.CARD_FUNDING_TYPE_PREPAID,
} as const satisfies Record<CardFundingType, WireFundingType>;

const ENTRY_MODES = {
  Contactless: WireEntryMode.ENTRY_MODE_CONTACTLESS,
  ContactChip: WireEntryMode.ENTRY_MODE_CONTACT_CHIP,
  Magstripe: WireEntryMode.ENTRY_MODE_MAGSTRIPE,
  ManualEntry: WireEntryMode.ENTRY_MODE_MANUAL_ENTRY,
  Unknown: WireEntryMode.ENTRY_MODE_UNKNOWN,
} as const satisfies Record<EntryMode, WireEntryMode>;

const VERIFICATIONS = {
  Pin: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_PIN,
  Signature: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_SIGNATURE,
  Device: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_DEVICE,
  None: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_NONE,
} as const satisfies Record<VerificationMethod, CardholderVerificationMethod>;
