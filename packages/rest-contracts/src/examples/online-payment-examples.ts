import { CARD, CARD_PAYMENT, approve, gbp, intent, withSecret } from './example-answers.js';
import { IDS, SECRETS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

/** A page on the machine of a developer. */
const SHOP_ORIGIN = 'http://localhost:3000';
const paid = { paymentIntentId: IDS.paid };
const unknown = { paymentIntentId: IDS.unknownIntent };

const CHANGEABLE = { customAmountAllowed: true, tipsAllowed: true, holdRaiseAllowed: false };
const changeable = (changes: Partial<Parameters<typeof intent>[0]>) => {
  const made = intent({ id: IDS.paid, ...withSecret(SECRETS.paid), ...changes });
  return { ...made, config: { ...made.config, payment: CHANGEABLE } };
};

/** A payment online from its creation to its refund. */
export const ONLINE_PAYMENT_EXAMPLES: readonly OperationExample[] = [
  accept('createPaymentIntent', 'A payment whose amount and tip may change before it is paid', {
    body: { amount: gbp(1250), reference: 'table 4', config: { payment: CHANGEABLE } },
    answer: changeable({}),
  }),
  refuse(
    'createPaymentIntent',
    { body: { amount: { value: 1250 } } },
    {
      summary: 'Every member at fault is named in one answer',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'amount.currencyCode': ['Is required.'], reference: ['Is required.'] },
    },
  ),
  accept('changeAmount', 'The price rises before the payment', {
    params: paid,
    body: { amount: gbp(1500) },
    answer: changeable({ amount: gbp(1500), totalAmount: gbp(1500), requestedAmount: gbp(1250) }),
  }),
  accept('changeTips', 'The payer adds a tip', {
    params: paid,
    body: { tipsAmount: gbp(150) },
    answer: changeable({
      amount: gbp(1500),
      totalAmount: gbp(1650),
      requestedAmount: gbp(1250),
      tipsAmount: gbp(150),
    }),
  }),
  refuse(
    'changeTips',
    { params: paid, body: { tipsAmount: gbp(-1) } },
    {
      summary: 'A tip is never negative',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'tipsAmount.value': ['Must be at least 0.'] },
    },
  ),
  accept('refreshClientSecret', 'A new secret, after the old one was used or has expired', {
    params: paid,
    answer: changeable({
      ...withSecret(SECRETS.refreshed),
      ...{ amount: gbp(1500), totalAmount: gbp(1650), requestedAmount: gbp(1250), tipsAmount: gbp(150) },
    }),
  }),
  accept('readPublicPaymentIntent', 'What the page of the payer reads', {
    params: paid,
    answer: publicView(SECRETS.refreshed),
  }),
  refuse(
    'readPublicPaymentIntent',
    { params: unknown },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('refreshPublicClientSecret', 'The page of the payer gets a new secret', {
    params: paid,
    answer: publicView(SECRETS.paid),
  }),
  accept('changePublicTips', 'The payer chooses a tip', {
    params: paid,
    body: { tipsAmount: gbp(150) },
    answer: publicView(SECRETS.paid),
  }),
  refuse(
    'changePublicTips',
    { params: unknown, body: { tipsAmount: gbp(150) } },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('changePublicAmount', 'The payer chooses the amount', {
    params: paid,
    body: { amount: gbp(1500) },
    answer: publicView(SECRETS.paid),
  }),
  refuse(
    'changePublicAmount',
    { params: unknown, body: { amount: gbp(1500) } },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('readOfferedCards', 'A payer without saved cards', { params: paid, answer: { savedPaymentMethods: [] } }),
  refuse(
    'readOfferedCards',
    { params: unknown },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('openCardFields', 'A page of an integrator, whose origin the account has registered', {
    ...{ secret: SECRETS.paid, origin: SHOP_ORIGIN },
    answer: {
      cardFields: `/client/frame/embedded/${IDS.paid}/card`,
      securityCode: `/client/frame/embedded/${IDS.paid}/saved-card`,
    },
  }),
  refuse(
    'openCardFields',
    { secret: SECRETS.paid, origin: 'https://another.example' },
    {
      summary: 'The account has not registered the origin of the page',
      reason: 'page_origin_not_registered',
      detail: 'The account has not registered the origin of this page in embeddingOrigins.',
    },
  ),
  accept('prepareDeviceData', 'Data for 3-D Secure, before the payment', {
    secret: SECRETS.paid,
    body: { cardNumber: CARD.cardNumber },
    answer: { formAction: 'https://issuer.example/device-data', token: 'eyJiaW4iOiI0NDU2NTMwMCJ9' },
  }),
  refuse(
    'prepareDeviceData',
    { secret: SECRETS.used, body: { cardNumber: CARD.cardNumber } },
    {
      summary: 'The secret is not one of an unpaid intent',
      reason: 'client_secret_invalid',
      detail: 'the client session secret is wrong, was used, or has expired',
    },
  ),
  accept('payByCard', 'An approved payment', {
    secret: SECRETS.paid,
    body: CARD,
    answer: approve(IDS.paidTransaction),
  }),
  refuse(
    'payByCard',
    { secret: SECRETS.used, body: CARD },
    {
      summary: 'The secret was used, or has expired',
      reason: 'client_secret_invalid',
      detail: 'the client session secret is wrong, was used, or has expired',
    },
  ),
  accept('readPaymentIntent', 'A payment that was taken', {
    params: paid,
    answer: {
      ...changeable({}),
      ...{ amount: gbp(1500), totalAmount: gbp(1650), requestedAmount: gbp(1250), tipsAmount: gbp(150) },
      clientSessionSecret: undefined,
      clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
      status: 'Captured',
      paymentDetails: CARD_PAYMENT,
      paymentEvents: [
        {
          transactionId: IDS.paidTransaction,
          transactionDateTime: '2026-03-01T12:01:00.000Z',
          authCode: '204711',
          cardNumber: '44565300****1014',
          eventType: 'Captured',
        },
      ],
    },
  }),
  refuse(
    'readPaymentIntent',
    { params: unknown },
    {
      summary: 'No intent of this account and environment has the id',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  refuse(
    'refreshClientSecret',
    { params: paid },
    {
      summary: 'A paid intent needs no secret',
      reason: 'secret_not_refreshable',
      detail: 'a payment intent that is Captured cannot do this',
    },
  ),
  refuse(
    'refreshPublicClientSecret',
    { params: paid },
    {
      summary: 'A paid intent needs no secret',
      reason: 'secret_not_refreshable',
      detail: 'a payment intent that is Captured cannot do this',
    },
  ),
  refuse(
    'cancelPaymentIntent',
    { params: paid },
    {
      summary: 'A paid intent is reversed or refunded instead',
      reason: 'payment_intent_not_cancelable',
      detail: 'a payment intent that is Captured cannot do this',
    },
  ),
  refuse(
    'chargePaymentIntent',
    { params: paid },
    {
      summary: 'The payment names no setup intent, or is paid',
      reason: 'not_chargeable',
      detail: 'a payment intent that is Captured cannot do this',
    },
  ),
  accept('sendReceipt', 'The receipt goes to one address', { params: paid, body: { emails: ['payer@example.com'] } }),
  accept('sendPublicReceipt', 'The payer wants a receipt', { params: paid, body: { email: 'payer@example.com' } }),
  refuse(
    'sendPublicReceipt',
    { params: unknown, body: { email: 'payer@example.com' } },
    {
      summary: 'The intent does not exist, or is canceled',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('refundPaymentIntent', 'A part of the payment is returned', {
    params: paid,
    body: { amount: 500, refundReason: 'cold soup' },
    answer: { paymentIntentId: IDS.paid, refundId: IDS.refund, refundReason: 'cold soup', message: 'REFUNDED' },
  }),
  refuse(
    'refundPaymentIntent',
    { params: paid, body: { amount: 999_900 } },
    {
      summary: 'More than what is left of the payment',
      reason: 'refund_exceeds_captured',
      detail: 'at most 1150 can be refunded',
      errors: { amount: ['at most 1150 can be refunded'] },
    },
  ),
  accept('readRefund', 'A refund that was made', {
    params: { refundId: IDS.refund },
    answer: { paymentIntentId: IDS.paid, refundId: IDS.refund, refundReason: 'cold soup', message: 'REFUNDED' },
  }),
  refuse(
    'readRefund',
    { params: { refundId: IDS.unknownRefund } },
    {
      summary: 'No refund of this account and environment has the id',
      reason: 'refund_not_found',
      detail: 'there is no such refund',
    },
  ),
  accept('searchPaymentIntents', 'The payments that were taken', {
    body: { statuses: ['Captured'], cursor: { limit: 10 } },
    answer: {
      data: [
        intent({
          id: IDS.paid,
          status: 'Captured',
          amount: gbp(1500),
          totalAmount: gbp(1650),
          refundedAmount: 500,
          config: { ...intent({ id: IDS.paid }).config, payment: CHANGEABLE },
        }),
      ],
      before: null,
      after: null,
    },
  }),
  refuse(
    'searchPaymentIntents',
    { body: { cursor: { limit: 101 } } },
    {
      summary: 'A page has at most 100 elements',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'cursor.limit': ['Must be at most 100.'] },
    },
  ),
];

function publicView(secret: string) {
  const { id, status, captureMode, refundedAmount, paymentMethods, reference, ...view } = intent({ id: IDS.paid });
  const { itemLines, taxLines, merchantConfig, paymentSource, metadata, createdAt, updatedAt } = view;
  return {
    ...{ id, status, captureMode, refundedAmount, paymentMethods, reference, ...withSecret(secret) },
    ...{ amount: gbp(1500), totalAmount: gbp(1650), requestedAmount: gbp(1250), tipsAmount: gbp(150) },
    ...{ itemLines, taxLines, merchantConfig, paymentSource, metadata, createdAt, updatedAt },
    config: { ...view.config, payment: CHANGEABLE },
    paymentEvents: [],
  };
}
