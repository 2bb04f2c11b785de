import { approve, CARD, gbp, intent, withSecret } from './example-answers.js';
import { IDS, SECRETS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const held = { paymentIntentId: IDS.held };

/** Payments that are held, reversed, canceled, challenged and paid with a wallet. */
export const HELD_PAYMENT_EXAMPLES: readonly OperationExample[] = [
  accept('createPaymentIntent:held', 'A payment that is held until it is captured', {
    body: { amount: gbp(1250), reference: 'room 7', captureMode: 'Manual' },
    answer: intent({ id: IDS.held, reference: 'room 7', captureMode: 'Manual', ...withSecret(SECRETS.held) }),
  }),
  refuse(
    'changeAmount',
    { params: held, body: { amount: gbp(1500) } },
    {
      summary: 'The intent was created without `config.payment.customAmountAllowed`',
      reason: 'amount_change_not_enabled',
      detail: 'the payment intent was created without config.payment.customAmountAllowed',
    },
  ),
  refuse(
    'sendReceipt',
    { params: held, body: { emails: ['payer@example.com'] } },
    {
      summary: 'An unpaid intent has no receipt',
      reason: 'receipt_not_available',
      detail: 'a Created payment intent has no receipt',
    },
  ),
  accept('payByCard:held', 'An approved payment that is held', {
    secret: SECRETS.held,
    body: CARD,
    answer: approve(IDS.heldTransaction, 'AUTHORIZED'),
  }),
  refuse(
    'capturePaymentIntent',
    { params: held, body: { amount: 99_900 } },
    {
      summary: 'More than what is left of the hold',
      reason: 'capture_exceeds_authorized',
      detail: 'at most 1250 can be captured',
      errors: { amount: ['at most 1250 can be captured'] },
    },
  ),
  accept('capturePaymentIntent', 'A part of the hold is taken', {
    params: held,
    body: { amount: 1000, tipsAmount: 150 },
    answer: { captureId: 'cp_AaH8KwlxavakGwZZljrhYw', message: 'DEPOSITED' },
  }),
  refuse(
    'reversePaymentIntent',
    { params: held },
    {
      summary: 'A part of the hold is taken already',
      reason: 'not_reversible',
      detail: 'only a whole payment can be reversed; refund it instead',
    },
  ),
  accept('createPaymentIntent:toReverse', 'A payment that is undone later', {
    body: { amount: gbp(1250), reference: 'table 5' },
    answer: intent({ id: IDS.reversed, reference: 'table 5', ...withSecret(SECRETS.reversed) }),
  }),
  accept('payByCard:toReverse', 'An approved payment that is undone later', {
    secret: SECRETS.reversed,
    body: CARD,
    answer: approve(IDS.reversedTransaction),
  }),
  accept('reversePaymentIntent', 'The whole payment is undone on its day', {
    params: { paymentIntentId: IDS.reversed },
    answer: { message: 'REVERSED', reversalId: 'rvs_AaH8KwlxavakGwZZljrhYw' },
  }),
  accept('createPaymentIntent:toCancel', 'A payment that is given up', {
    body: { amount: gbp(1250), reference: 'table 6' },
    answer: intent({
      id: IDS.canceled,
      reference: 'table 6',
      clientSessionSecretExpirationDate: '2026-03-01T12:30:00.000Z',
    }),
  }),
  accept('cancelPaymentIntent', 'An unpaid intent is canceled', {
    params: { paymentIntentId: IDS.canceled },
    answer: intent({ id: IDS.canceled, reference: 'table 6', status: 'Canceled' }),
  }),
  accept('readPaymentLink', 'The link of a payment that was given up', {
    params: { intentId: IDS.canceled },
    answer: { id: IDS.canceled, state: 'Canceled', tradingName: 'The Corner Table', branding: {} },
  }),
  refuse(
    'readPaymentLink',
    { params: { intentId: IDS.unknownIntent } },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('createPaymentIntent:challenged', 'A payment with a card whose issuer asks for 3-D Secure', {
    body: { amount: gbp(1250), reference: 'table 7' },
    answer: intent({ id: IDS.challenged, reference: 'table 7', ...withSecret(SECRETS.challenged) }),
  }),
  accept('payByCard:challenged', 'The issuer asks for 3-D Secure', {
    secret: SECRETS.challenged,
    body: { ...CARD, cardNumber: '4456530000001096' },
    answer: {
      ...{ statusCode: 3, message: 'CHALLENGED', authCode: '', transactionId: IDS.challengedTransaction },
      ...{ stepUpUrl: 'https://issuer.example/challenge', paReq: 'eyJhY3NVcmwiOiJ4In0', md: '0b6e3f3a' },
    },
  }),
  refuse(
    'completeChallenge',
    { secret: SECRETS.used, body: { paRes: 'Y', transactionId: IDS.challengedTransaction } },
    {
      summary: 'The secret is not the one of the attempt',
      reason: 'client_secret_invalid',
      detail: 'the client session secret is wrong, was used, or has expired',
    },
  ),
  accept('completeChallenge', 'The payer has passed', {
    secret: SECRETS.challenged,
    body: { paRes: 'Y', transactionId: IDS.challengedTransaction },
    answer: approve(IDS.challengedTransaction),
  }),
  accept('createPaymentIntent:wallet', 'A payment with a wallet', {
    body: { amount: gbp(1250), reference: 'table 8', paymentMethods: ['Card', 'Wallet'] },
    answer: intent({
      id: IDS.wallet,
      reference: 'table 8',
      paymentMethods: ['Card', 'Wallet'],
      ...withSecret(SECRETS.wallet),
    }),
  }),
  accept('payByWallet', 'An approved payment with a wallet of the sandbox', {
    secret: SECRETS.wallet,
    // The base64url text of {"cardNumber":"4456530000091014","expiryDate":"12/32","cV2":"020"}.
    body: {
      wallet: 'APPLE_PAY',
      token: 'eyJjYXJkTnVtYmVyIjoiNDQ1NjUzMDAwMDA5MTAxNCIsImV4cGlyeURhdGUiOiIxMi8zMiIsImNWMiI6IjAyMCJ9',
    },
    answer: approve(IDS.walletTransaction),
  }),
  refuse(
    'payByWallet',
    { secret: SECRETS.used },
    {
      summary: 'The secret was used, or has expired',
      reason: 'client_secret_invalid',
      detail: 'the client session secret is wrong, was used, or has expired',
    },
  ),
  accept('searchTransactions', 'The last days, declined attempts included', {
    body: { startDate: null, endDate: null, cursor: { limit: 10 } },
    answer: { data: [createTransaction()], before: null, after: null },
  }),
  refuse(
    'searchTransactions',
    { body: { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-09T00:00:00Z' } },
    {
      summary: 'The span is at most seven days',
      reason: 'validation_failed',
      detail: 'must be at most 7 days before endDate',
      errors: { startDate: ['must be at most 7 days before endDate'] },
    },
  ),
];

function createTransaction() {
  return {
    id: '0b6e3f3a-2f0e-4f57-9d6a-6d2a0f3f7d11',
    legacyId: '1042',
    paymentIntentId: IDS.wallet,
    merchantId: '9000012345',
    reference: 'table 8',
    dateTime: '2026-03-01T12:05:00.000Z',
    type: 'Sale',
    status: 'Authorized',
    amount: gbp(1250),
    cashbackAmount: gbp(0),
    tipsAmount: gbp(0),
    paymentDetails: {
      card: { number: '************1014', type: 'Visa' },
      isRemote: true,
      paymentProduct: 'OnlineCheckout',
    },
  };
}
