import {
  CardFundingType,
  CardholderVerificationMethod,
  CardPresentPaymentStatus,
  CardScheme,
  EntryMode,
  PaymentMethod,
  RemotePaymentStatus,
  RemoteVerificationMethod,
  type Card,
  type CardPresentPaymentInfo,
  type ExpiryDate,
  type Payment,
  type PaymentMethodDetails,
  type RemotePaymentInfo,
} from './gen/service/tables/v1/payment.js';
import { closedEnumeration, enumeration, flag, int32, int64, text, time, waiterNumberKind } from './json-kind.js';
import { optional, plain, required, requiredMessage } from './json-member.js';
import { shape, type JsonShape } from './json-shape.js';

const scheme = enumeration(CardScheme, CardScheme.CARD_SCHEME_UNKNOWN);
const fundingType = enumeration(CardFundingType, CardFundingType.CARD_FUNDING_TYPE_UNKNOWN);
const entryMode = enumeration(EntryMode, EntryMode.ENTRY_MODE_UNKNOWN);

const card = shape<Card>('Card', {
  scheme: plain(scheme, CardScheme.CARD_SCHEME_UNSPECIFIED),
  last4Pan: plain(text, '', { as: 'last4PAN' }),
  expiryDate: optional(shape<ExpiryDate>('ExpiryDate', { month: required(int32), year: required(int32) })),
  fundingType: plain(fundingType, CardFundingType.CARD_FUNDING_TYPE_UNSPECIFIED),
});

const cardPresentPaymentInfo = shape<CardPresentPaymentInfo>('CardPresentPaymentInfo', {
  authCode: plain(text, ''),
  entryMode: plain(entryMode, EntryMode.ENTRY_MODE_UNSPECIFIED),
  card: optional(card),
  cardholderVerificationMethod: plain(
    enumeration(CardholderVerificationMethod, CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_UNKNOWN),
    CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_UNSPECIFIED,
  ),
  terminalId: plain(text, ''),
  merchantId: plain(text, ''),
  acquirerTransactionId: plain(text, ''),
});

const remotePaymentInfo = shape<RemotePaymentInfo>('RemotePaymentInfo', {
  acquirerTransactionId: plain(text, ''),
  authCode: plain(text, ''),
  remoteVerificationMethod: plain(
    enumeration(RemoteVerificationMethod, RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_UNKNOWN),
    RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_UNSPECIFIED,
  ),
  merchantId: plain(text, ''),
  card: optional(card),
});

const methodDetails = shape<PaymentMethodDetails>(
  'PaymentMethodDetails',
  {
    // Not read leniently: a payment of an unknown method must not be booked as something else.
    method: required(closedEnumeration(PaymentMethod)),
    cardPresentPaymentStatus: optional(
      enumeration(CardPresentPaymentStatus, CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_UNKNOWN),
    ),
    cardPresentPaymentInfo: optional(cardPresentPaymentInfo),
    remotePaymentStatus: optional(enumeration(RemotePaymentStatus, RemotePaymentStatus.REMOTE_PAYMENT_STATUS_UNKNOWN)),
    remotePaymentInfo: optional(remotePaymentInfo),
  },
  (details) => {
    const status = STATUS_OF[details.method];
    return status === null || details[status] !== undefined ? null : `has no ${status}`;
  },
);

/** The status that each method must bring. */
const STATUS_OF = {
  PAYMENT_METHOD_UNSPECIFIED: null,
  PAYMENT_METHOD_CARD_PRESENT: 'cardPresentPaymentStatus',
  PAYMENT_METHOD_REMOTE: 'remotePaymentStatus',
  UNRECOGNIZED: null,
} as const satisfies Record<PaymentMethod, keyof PaymentMethodDetails | null>;

/** A payment to be put on a bill. */
export const payment: JsonShape<Payment> = shape<Payment>('Payment', {
  id: required(text),
  sessionId: required(text),
  waiterId: optional(waiterNumberKind),
  currency: required(text),
  baseAmount: required(int64),
  gratuityAmount: required(int64, { or: ['tipsAmount'] }),
  cashbackAmount: required(int64),
  paymentSuccessful: required(flag),
  attemptedAt: requiredMessage(time),
  methodDetails: requiredMessage(methodDetails),
});
