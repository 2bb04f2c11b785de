import { WALLET_KINDS } from '@pos/core/cards';
import { z } from 'zod';
import { CardNameInput, CardNumberInput, Cv2Input, ExpiryInput, TEST_NUMBER } from './card-inputs.js';
import { freeText, PayersMetadata, TypedEmail } from '../shapes/free-text.js';
import type { ApiTitle } from '../openapi/openapi.js';
import type { Operation } from '../operation/operation.js';
import { Address, ShippingDetails } from '../intent-parts/payment-intent-parts.js';
import { createSetupIntentWithCard } from './setup-with-card.js';
import { text } from '../shapes/shapes.js';

// Requests of payers' browsers to the card vault.

const contacts = {
  emailAddress: TypedEmail.optional().describe('E-mail address that the payer entered.'),
  phoneNumber: freeText({ min: 5, max: 50 })
    .optional()
    .describe('Phone number that the payer entered, 5 to 50 characters.'),
  billingAddress: Address.optional().describe(
    'Billing address that the payer entered; required if the intent asks for it.',
  ),
  shippingDetails: ShippingDetails.optional().describe(
    'Delivery details that the payer entered; required if the intent asks for them.',
  ),
  metaData: PayersMetadata.describe('Additions of the page, merged into `metadata` of the intent.'),
};

const CardSubmission = z
  .object({
    cardNumber: CardNumberInput,
    cardName: CardNameInput.describe('Name on the card, as it is printed there. Digits of a card number are refused.'),
    expiryDate: ExpiryInput,
    cV2: Cv2Input.optional().meta({
      description: 'Required unless the payment was created for a cardholder who is not present.',
    }),
    savePaymentMethod: z
      .boolean()
      .default(false)
      .meta({ description: 'Keep the card for the customer whom the payment names.' }),
    mitConsentGiven: z.boolean().default(false).meta({
      description: 'The payer agrees to the terms of a later payment. Must be true for a setup intent.',
    }),
    ...contacts,
  })
  .meta({
    id: 'CardSubmission',
    examples: [{ cardNumber: TEST_NUMBER, cardName: 'A Guest', expiryDate: '12/32', cV2: '020' }],
  });

const WalletSubmission = z
  .object({
    wallet: z.enum(WALLET_KINDS).describe('The wallet that made the token.'),
    token: text({ min: 1, max: 16_384 }).meta({ description: 'As the wallet gave it to the page.' }),
    ...contacts,
  })
  .meta({ id: 'WalletSubmission', examples: [{ wallet: 'APPLE_PAY', token: 'eyJ2IjoxfQ' }] });

const SavedCardPayment = z
  .object({
    paymentMethodId: text({ min: 1, max: 100 }).meta({ description: 'One of the saved cards of the customer.' }),
    cV2: Cv2Input,
    ...contacts,
  })
  .meta({ id: 'SavedCardPayment', examples: [{ paymentMethodId: 'pm_AaH8KwlxavakGwZZljrhYw', cV2: '020' }] });

const ChallengeCompletion = z
  .object({
    paRes: text({ min: 1, max: 65_536 }).meta({ description: "What the issuer's page gave to the browser." }),
    transactionId: text({ min: 1, max: 100 }).meta({ description: 'From the answer with result 3.' }),
  })
  .meta({
    id: 'ChallengeCompletion',
    examples: [{ paRes: 'Y', transactionId: '4a7d1ed4-1474-4e4b-8f3a-0d2f5b7e9c11' }],
  });

const DeviceDataRequest = z
  .object({ cardNumber: CardNumberInput })
  .meta({ id: 'DeviceDataRequest', examples: [{ cardNumber: TEST_NUMBER }] });

const DeviceData = z
  .object({
    formAction: z
      .url()
      .meta({ description: "Where a hidden frame posts `token`, so that the issuer sees the payer's device." }),
    token: z.string().describe('What the hidden frame posts to `formAction`; made for this card and this payment.'),
  })
  .meta({
    id: 'DeviceData',
    examples: [{ formAction: 'https://issuer.example/device-data', token: 'eyJiaW4iOiI0NDU2NTMwMCJ9' }],
  });

const CardFieldFrames = z
  .object({
    cardFields: z.string().describe('Path of the frame with the fields of a whole card, at the address of the vault.'),
    securityCode: z.string().describe('Path of the frame with the security code of a saved card.'),
  })
  .meta({
    id: 'CardFieldFrames',
    examples: [
      {
        cardFields: '/client/frame/embedded/pi_sandbox_AaH8KwlxavakGwZZljrhYw/card',
        securityCode: '/client/frame/embedded/pi_sandbox_AaH8KwlxavakGwZZljrhYw/saved-card',
      },
    ],
  });

const PaymentResult = z
  .object({
    statusCode: z.int().meta({
      description:
        '0 successful, 3 the payer must pass a challenge, 4 referred, 5 declined, 20 duplicate, 30 failed; ' +
        'a failed request carries its HTTP status.',
    }),
    message: z
      .string()
      .describe('The outcome in a word, such as `DEPOSITED` or `DECLINED`, or a sentence about the failure.'),
    authCode: z.string().meta({ description: 'Empty before an approval.' }),
    transactionId: z.string().meta({ description: 'Empty where there is no transaction.' }),
    stepUpUrl: z.url().optional().meta({ description: "With 3: the issuer's page." }),
    paReq: z.string().optional().meta({ description: 'With 3: to be posted to that page.' }),
    md: z.string().optional().meta({ description: 'With 3: to be posted to that page.' }),
  })
  .meta({
    id: 'PaymentResult',
    examples: [
      {
        statusCode: 0,
        message: 'DEPOSITED',
        authCode: '204711',
        transactionId: '4a7d1ed4-1474-4e4b-8f3a-0d2f5b7e9c11',
      },
    ],
  });
export type PaymentResult = z.output<typeof PaymentResult>;

const shared = {
  tag: 'Payments, by the payer',
  method: 'POST',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  clientSecret: true,
} as const;

export const prepareDeviceData = {
  ...shared,
  id: 'prepareDeviceData',
  path: '/client/device-data',
  summary: 'Prepare the collection of device data for 3-D Secure',
  description: 'Uses up nothing: the secret is still good for an attempt.',
  body: DeviceDataRequest,
  returns: DeviceData,
  refusals: ['client_secret_missing', 'client_secret_invalid', 'account_disabled'],
} as const satisfies Operation;

export const openCardFields = {
  ...shared,
  id: 'openCardFields',
  path: '/client/card-fields',
  summary: 'Open the card fields for a page of the integrator',
  description:
    'The header `origin`, which browsers send, must be one that the account has registered. Pages of another origin ' +
    'cannot display the frames. Uses up nothing: the secret is still good for an attempt.',
  returns: CardFieldFrames,
  refusals: ['client_secret_missing', 'client_secret_invalid', 'account_disabled', 'page_origin_not_registered'],
} as const satisfies Operation;

export const payByCard = {
  ...shared,
  id: 'payByCard',
  movesMoney: true,
  path: '/client/payments',
  summary: 'Pay a payment intent by card, or set the card up for later',
  description:
    'The secret identifies the intent; for a setup intent `mitConsentGiven` must be true, and no money is captured. ' +
    'One secret, one attempt. Result 3 requires a challenge of the payer; the same secret then completes the challenge. ' +
    'After any other result a new attempt needs a new secret. 500 means that the outcome is not known yet.',
  body: CardSubmission,
  returns: PaymentResult,
  refusals: [
    'client_secret_missing',
    'client_secret_invalid',
    'submissions_exhausted',
    'account_disabled',
    'acquirer_not_configured',
    'acquirer_lacks_capability',
    'payment_outcome_unknown',
  ],
} as const satisfies Operation;

export const payByWallet = {
  ...shared,
  id: 'payByWallet',
  movesMoney: true,
  path: '/client/payments/wallet',
  summary: 'Pay a payment intent with a wallet',
  description:
    'The acquirer decrypts the token; this service passes it on as it is. In the sandbox it is the base64url text of ' +
    '`{"cardNumber": ..., "expiryDate": "MM/YY", "cV2": ...}` of a test card.',
  body: WalletSubmission,
  returns: PaymentResult,
  refusals: payByCard.refusals,
} as const satisfies Operation;

export const payBySavedCard = {
  ...shared,
  id: 'payBySavedCard',
  movesMoney: true,
  path: '/client/payments/saved-card',
  summary: 'Pay a payment intent with a saved card',
  description:
    'The header `customer-secret` proves that the payer is the customer whom the payment names. Without it the secret ' +
    'that the payment was created with (`customer.secret`) is accepted, while it is valid.',
  customerSecret: 'customer-secret',
  body: SavedCardPayment,
  returns: PaymentResult,
  refusals: payByCard.refusals,
} as const satisfies Operation;

export const completeChallenge = {
  ...shared,
  id: 'completeChallenge',
  movesMoney: true,
  path: '/client/payments/challenge',
  summary: 'Complete a challenge of the payer',
  description: 'May be repeated: the result is the same.',
  body: ChallengeCompletion,
  returns: PaymentResult,
  refusals: ['client_secret_missing', 'client_secret_invalid', 'payment_outcome_unknown'],
} as const satisfies Operation;

/** Every operation of the card vault, in the order of its document. */
export const CARD_VAULT_OPERATIONS: readonly Operation[] = [
  openCardFields,
  prepareDeviceData,
  payByCard,
  payByWallet,
  payBySavedCard,
  completeChallenge,
  createSetupIntentWithCard,
];

/** The title and introduction of the card vault's document. */
export const CARD_VAULT_TITLE: ApiTitle = {
  title: 'Card vault',
  description:
    'The only address that may receive a card number. A payer comes with a one-time client session secret, ' +
    'and every answer, a refused one too, has the result in `statusCode`. A merchant authenticates with an API key.',
};
