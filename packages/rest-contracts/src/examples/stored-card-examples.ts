import { approve, CARD, gbp, intent, withSecret } from './example-answers.js';
import { IDS, SECRETS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const customer = { customerId: IDS.customer };
const setup = { setupIntentId: IDS.setup };

const NO_CUSTOMER = {
  summary: 'No customer has the id',
  reason: 'customer_not_found',
  detail: 'there is no such customer',
} as const;
const NO_SETUP = {
  summary: 'No setup intent has the id',
  reason: 'setup_intent_not_found',
  detail: 'there is no such setup intent',
} as const;
const BAD_SECRET = {
  summary: 'The secret is not one of this customer, or has expired',
  reason: 'unauthenticated',
  detail: 'A secret of this customer is needed that is not older than 15 minutes.',
} as const;

const CUSTOMER = {
  id: IDS.customer,
  name: 'Ada Payer',
  emailAddress: 'ada@payer.example',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  documentVersion: 0,
};
const SAVED = {
  id: IDS.savedCard,
  cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' },
};

/** A customer saves a card, pays with it, and deletes it. */
const SAVED_CARDS: readonly OperationExample[] = [
  accept('createCustomer', 'A customer with a name and an address for mails', {
    body: { name: 'Ada Payer', emailAddress: 'ada@payer.example' },
    answer: CUSTOMER,
  }),
  refuse(
    'createCustomer',
    { body: { emailAddress: 'ada' } },
    {
      summary: 'A member is not well formed',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { emailAddress: ['Must be an e-mail address of at most 254 characters.'] },
    },
  ),
  accept('readCustomers', 'One customer; the answer is always a list', { params: customer, answer: [CUSTOMER] }),
  refuse(
    'readCustomers',
    { params: { customerId: Array.from({ length: 51 }, () => IDS.customer).join(',') } },
    {
      summary: 'More than 50 ids',
      reason: 'validation_failed',
      detail: 'Must be 1 to 50 ids, separated by commas.',
      errors: { ids: ['Must be 1 to 50 ids, separated by commas.'] },
    },
  ),
  accept('changeCustomer', 'A phone number is added; all else stays as it is', {
    params: customer,
    body: { phoneNumber: '+44 117 496 0000' },
    answer: { ...CUSTOMER, phoneNumber: '+44 117 496 0000', documentVersion: 1 },
  }),
  refuse('changeCustomer', { params: { customerId: IDS.unknownCustomer }, body: { vatNumber: null } }, NO_CUSTOMER),
  accept('searchCustomers', 'The newest customers', {
    body: { limit: 10 },
    answer: { data: [{ ...CUSTOMER, phoneNumber: '+44 117 496 0000', documentVersion: 1 }], before: null, after: null },
  }),
  refuse(
    'searchCustomers',
    { body: { limit: 0 } },
    {
      summary: 'A page has at least one element',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { limit: ['Must be at least 1.'] },
    },
  ),
  accept('createCustomerSecret', 'A secret for the app of the customer', {
    params: customer,
    answer: {
      secret: SECRETS.customer,
      createdAt: '2026-03-01T12:00:00.000Z',
      expireAt: '2026-03-01T12:15:00.000Z',
    },
  }),
  refuse('createCustomerSecret', { params: { customerId: IDS.unknownCustomer } }, NO_CUSTOMER),
  accept('createPaymentIntent:savesCard', 'A payment whose card the customer may save', {
    body: { amount: gbp(1250), reference: 'table 9', customer: { id: IDS.customer } },
    answer: intent({
      ...{ id: IDS.ofCustomer, reference: 'table 9', customer: { customerId: IDS.customer, id: IDS.customer } },
      ...withSecret(SECRETS.ofCustomer),
    }),
  }),
  accept('payByCard:savesCard', 'An approved payment whose card is saved', {
    secret: SECRETS.ofCustomer,
    body: { ...CARD, savePaymentMethod: true },
    answer: approve(IDS.savingTransaction),
  }),
  accept('readPaymentMethods', 'The saved cards of the customer', {
    params: customer,
    secret: SECRETS.customer,
    answer: {
      customerId: IDS.customer,
      merchantId: '9000012345',
      savedPaymentMethods: [SAVED],
      supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] },
    },
  }),
  refuse('readPaymentMethods', { params: { customerId: IDS.customer }, secret: SECRETS.used }, BAD_SECRET),
  accept('createPaymentIntent:savedCard', 'A payment with a saved card', {
    body: {
      ...{ amount: gbp(1250), reference: 'table 10', paymentMethods: ['Card', 'SavedCard'] },
      customer: { id: IDS.customer, secret: SECRETS.customer },
    },
    answer: intent({
      ...{ id: IDS.bySavedCard, reference: 'table 10', paymentMethods: ['Card', 'SavedCard'] },
      customer: { customerId: IDS.customer, id: IDS.customer },
      ...withSecret(SECRETS.bySavedCard),
    }),
  }),
  accept('readOfferedCards:savedCard', 'The card that the payer saved before', {
    params: { paymentIntentId: IDS.bySavedCard },
    answer: { savedPaymentMethods: [SAVED] },
  }),
  accept('payBySavedCard', 'An approved payment with the saved card', {
    secret: SECRETS.bySavedCard,
    body: { paymentMethodId: IDS.savedCard, cV2: '020' },
    answer: approve(IDS.savedCardTransaction),
  }),
  refuse(
    'payBySavedCard',
    { secret: SECRETS.used, body: { paymentMethodId: IDS.savedCard, cV2: '020' } },
    {
      summary: 'The secret was used, or has expired',
      reason: 'client_secret_invalid',
      detail: 'the client session secret is wrong, was used, or has expired',
    },
  ),
  accept('deletePaymentMethod', 'The card is erased', {
    params: { ...customer, paymentMethodId: IDS.savedCard },
    secret: SECRETS.customer,
  }),
  refuse(
    'deletePaymentMethod',
    { params: { ...customer, paymentMethodId: IDS.unknownCard }, secret: SECRETS.customer },
    { summary: 'The customer has no such card', reason: 'saved_card_not_found', detail: 'there is no such card' },
  ),
  accept('createPaymentIntent:savesAgain', 'Another payment whose card the customer may save', {
    body: { amount: gbp(1250), reference: 'table 11', customer: { id: IDS.customer } },
    answer: intent({
      ...{ id: IDS.savingAgain, reference: 'table 11', customer: { customerId: IDS.customer, id: IDS.customer } },
      ...withSecret(SECRETS.savingAgain),
    }),
  }),
  accept('payByCard:savesAgain', 'The card is saved again', {
    secret: SECRETS.savingAgain,
    body: { ...CARD, savePaymentMethod: true },
    answer: approve(IDS.savingAgainTransaction),
  }),
  accept('listSavedCards', 'The merchant reads the saved cards of the customer', {
    params: customer,
    answer: {
      customerId: IDS.customer,
      merchantId: '9000012345',
      savedPaymentMethods: [{ ...SAVED, id: IDS.secondSavedCard }],
      supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] },
    },
  }),
  refuse('listSavedCards', { params: { customerId: IDS.unknownCustomer } }, NO_CUSTOMER),
  accept('searchPaymentIntents:ofCustomer', 'The payments of one customer', {
    body: { customerId: IDS.customer, cursor: { limit: 10 } },
    answer: {
      data: [
        intent({
          ...{ id: IDS.savingAgain, reference: 'table 11', status: 'Captured' },
          customer: { customerId: IDS.customer, id: IDS.customer },
          clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
        }),
      ],
      before: null,
      after: null,
    },
  }),
  accept('deleteSavedCard', 'The customer asked the merchant to remove the card', {
    params: { ...customer, paymentMethodId: IDS.secondSavedCard },
  }),
  refuse(
    'deleteSavedCard',
    { params: { ...customer, paymentMethodId: IDS.unknownCard } },
    { summary: 'The customer has no such card', reason: 'saved_card_not_found', detail: 'there is no such card' },
  ),
  accept('searchCustomers:byName', 'The customers whose name begins with a text', {
    body: { name: 'ada' },
    answer: { data: [{ ...CUSTOMER, phoneNumber: '+44 117 496 0000', documentVersion: 1 }], before: null, after: null },
  }),
  accept('deleteCustomer', 'The customer is deleted', { params: customer }),
  refuse('deleteCustomer', { params: { customerId: IDS.unknownCustomer } }, NO_CUSTOMER),
];

const TERMS = 'If you do not come, we charge £25.00 to this card.';
const NEW_SETUP = {
  reference: 'table 4, Saturday',
  merchantInitiatedTransactionType: 'NoShow',
  terms: TERMS,
  intendedAmount: gbp(2500),
};

function setupIntent(id: string, changes: Readonly<Record<string, unknown>> = {}) {
  const { config, metadata, paymentMethods, createdAt, updatedAt, expireAt } = intent({ id });
  return {
    ...{ id, status: 'Created', ...NEW_SETUP, paymentMethods, config, metadata, createdAt, updatedAt, expireAt },
    ...{ clientSessionSecretExpirationDate: '2026-03-01T12:30:00.000Z', paymentSource: 'api' },
    merchantConfig: { supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: [] } },
    ...{ setupEvents: [], ...changes },
  };
}

const publicSetup = () => ({ ...setupIntent(IDS.setup), setupEvents: undefined });

/** A card is stored for a later charge. */
const LATER_CHARGES: readonly OperationExample[] = [
  accept('createSetupIntent', 'A card for a booking that may be missed', {
    body: NEW_SETUP,
    answer: setupIntent(IDS.setup, withSecret(SECRETS.setup)),
  }),
  refuse(
    'createSetupIntent',
    { body: { ...NEW_SETUP, card: { cardNumber: '4456530000091014' } } },
    {
      summary: 'A card number is sent to the card vault only',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { card: ['Must be absent.'] },
    },
  ),
  accept('readSetupIntent', 'A setup intent without a card', { params: setup, answer: setupIntent(IDS.setup) }),
  refuse('readSetupIntent', { params: { setupIntentId: IDS.unknownSetup } }, NO_SETUP),
  accept('readPublicSetupIntent', 'What the page of the payer reads', { params: setup, answer: publicSetup() }),
  refuse('readPublicSetupIntent', { params: { setupIntentId: IDS.unknownSetup } }, NO_SETUP),
  accept('refreshPublicSetupSecret', 'The page of the payer gets a new secret', {
    params: setup,
    answer: publicSetup(),
  }),
  accept('refreshSetupSecret', 'A new secret, after the old one was used or has expired', {
    params: setup,
    answer: setupIntent(IDS.setup, withSecret(SECRETS.setup)),
  }),
  accept('payByCard:setup', 'A card is authorised for a later charge', {
    secret: SECRETS.setup,
    body: { ...CARD, mitConsentGiven: true },
    answer: approve(IDS.setupTransaction, 'AUTHORIZED'),
  }),
  refuse(
    'refreshSetupSecret',
    { params: setup },
    {
      summary: 'The card is authorised already',
      reason: 'secret_not_refreshable',
      detail: 'a setup intent that is Authorized cannot do this',
    },
  ),
  refuse(
    'refreshPublicSetupSecret',
    { params: setup },
    {
      summary: 'The card is authorised already',
      reason: 'secret_not_refreshable',
      detail: 'a setup intent that is Authorized cannot do this',
    },
  ),
  refuse(
    'cancelSetupIntent',
    { params: setup },
    {
      summary: 'A card is authorised, and `includeAuthorized` is not true',
      reason: 'setup_intent_not_cancelable',
      detail: 'a card is authorised: only `includeAuthorized` gives it up',
    },
  ),
  accept('createPaymentIntent:charged', 'A payment that charges the stored card', {
    body: { amount: gbp(2500), reference: 'no show', setupIntentId: IDS.setup },
    answer: intent({
      ...{ id: IDS.charged, amount: gbp(2500), totalAmount: gbp(2500), reference: 'no show', setupIntentId: IDS.setup },
      clientSessionSecretExpirationDate: '2026-03-01T12:30:00.000Z',
    }),
  }),
  accept('chargePaymentIntent', 'The stored card is charged', {
    params: { paymentIntentId: IDS.charged },
    answer: { paymentIntentId: IDS.charged, status: 'Successful', message: 'DEPOSITED' },
  }),
  accept('createSetupIntent:toCancel', 'A setup intent that is given up', {
    body: { ...NEW_SETUP, reference: 'table 5, Sunday' },
    answer: setupIntent(IDS.canceledSetup, { reference: 'table 5, Sunday' }),
  }),
  accept('cancelSetupIntent', 'A setup intent without a card is given up', {
    params: { setupIntentId: IDS.canceledSetup },
    answer: setupIntent(IDS.canceledSetup, {
      ...{ reference: 'table 5, Sunday', status: 'Canceled' },
      clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
    }),
  }),
  accept('createSetupIntentWithCard', 'A card that the merchant may handle', {
    body: {
      ...NEW_SETUP,
      card: { cardNumber: '4456530000091014', cardName: 'A Payer', expiryDate: '12/32', cv2: '020' },
    },
    answer: setupIntent(IDS.setupWithCard, {
      status: 'Authorized',
      clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
    }),
  }),
  refuse(
    'createSetupIntentWithCard',
    { body: NEW_SETUP },
    {
      summary: 'The card is missing',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { card: ['Is required.'] },
    },
  ),
];

export const STORED_CARD_EXAMPLES: readonly OperationExample[] = [...SAVED_CARDS, ...LATER_CHARGES];
