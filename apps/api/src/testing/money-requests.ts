import { randomUUID } from 'node:crypto';
import type { RefusalCode } from '@pos/core/refusals';
import * as money from '@pos/rest-contracts/payment-intents';
import type { AcquirerRule } from '@pos/sandbox/testing';
import type { ApiTestEnvironment } from './api-test-environment.js';

/** A getter, because test tables are written before `beforeAll` opens the environment. */
type EnvironmentGetter = () => ApiTestEnvironment;

/** A request that its operation accepts, and a query or body that makes it invalid. */
export interface AcceptedRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A query or a body that the operation does not accept. */
  readonly invalid?: { readonly query?: string; readonly body?: unknown };
}

/** An operation, a refusal that it declares for itself, the invalid members, and a request that is refused with it. */
export type RefusalCase = readonly [
  operation: string,
  code: RefusalCode,
  members: readonly string[],
  () => Promise<AcceptedRequest>,
];

export const createRequest = (path: string, body?: unknown, key?: string): Promise<AcceptedRequest> =>
  Promise.resolve({ path, ...(body !== undefined && { body }), ...(key !== undefined && { key }) });
export const UNKNOWN_INTENT = `pi_sandbox_${'A'.repeat(22)}`;

/** An accepted request for each operation that moves money. */
export function createMoneyRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    changeAmount: async () => ({
      path: `/payment-intents/${await createFlexibleIntent(testEnvironment)}/amount`,
      body: { amount: GBP_25 },
      invalid: { body: { amount: { value: 0, currencyCode: 'GBP' } } },
    }),
    changeTips: async () => ({
      path: `/payment-intents/${await createFlexibleIntent(testEnvironment)}/tips-amount`,
      body: { tipsAmount: GBP_25 },
      invalid: { body: { tipsAmount: 1 } },
    }),
    capturePaymentIntent: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Authorized')}/captures`,
      body: { amount: 1000 },
      invalid: { body: { amount: 0 } },
    }),
    refundPaymentIntent: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Captured')}/refunds`,
      body: { amount: 1000 },
      invalid: { body: { amount: '10.5' } },
    }),
    readRefund: async () => ({ path: `/payment-intents/refunds/${await createRefundedIntent(testEnvironment)}` }),
    reversePaymentIntent: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Captured')}/reversal`,
    }),
  };
}

/** The refusals that each operation that moves money declares for itself. */
// oxfmt-ignore
export function createMoneyRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
  ...(['captures', 'refunds', 'reversal'] as const).flatMap((what): RefusalCase[] => {
    const id = { captures: 'capturePaymentIntent', refunds: 'refundPaymentIntent', reversal: 'reversePaymentIntent' }[what];
    const kind = ({ captures: 'Capture', refunds: 'Refund', reversal: 'Reverse' } as const)[what];
    const refused = ({ captures: 'capture_refused', refunds: 'refund_refused', reversal: 'reversal_refused' } as const)[what];
    const body = what === 'reversal' ? undefined : { amount: 1 };
    const started = async () => `/payment-intents/${await testEnvironment().createIntentIn(what === 'captures' ? 'Authorized' : 'Captured')}/${what}`;
    const foreign = () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body, testEnvironment().keys.foreign);
    return [
      [id, 'payment_intent_unknown', ['paymentIntentId'], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body)],
      [id, 'payment_intent_unknown', ['paymentIntentId'], () => createRequest(`/payment-intents/table%204/${what}`, body)],
      [id, 'payment_intent_unknown', ['paymentIntentId'], foreign],
      [id, 'payment_intent_busy', [], async () => createRequest(`/payment-intents/${await createReversingIntent(testEnvironment, what)}/${what}`, body)],
      [id, 'acquirer_not_configured', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body, testEnvironment().keys.production)],
      [id, 'acquirer_lacks_capability', [], async () => {
        const path = await started();
        await testEnvironment().limitAcquirer({ lacks: [({ captures: 'partial_capture', refunds: 'partial_refund', reversal: 'reversal_after_capture' } as const)[what]] });
        return createRequest(path, body);
      }],
      [id, 'acquirer_unanswered', [], async () => { replaceRules(testEnvironment, { match: { kind }, effect: 'down', times: 1 }); return createRequest(await started(), body); }],
      [id, refused, [], async () => {
        const path = await started();
        if (what === 'reversal') await makeUndoable(testEnvironment, path);
        else replaceRules(testEnvironment, { match: { kind }, effect: 'decline', times: 1 });
        return createRequest(path, body);
      }],
    ];
  }),
  ...createAmountRefusals(testEnvironment),
  ['capturePaymentIntent', 'not_capturable', [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Captured')}/captures`, { amount: 1 })],
  ['capturePaymentIntent', 'capture_exceeds_authorized', ['amount'], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Authorized')}/captures`, { amount: 2000, tipsAmount: 1 })],
  ['refundPaymentIntent', 'payment_intent_canceled', [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Canceled')}/refunds`, { amount: 1 })],
  ['refundPaymentIntent', 'not_refundable', ['amount'], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Created')}/refunds`, { amount: 1 })],
  ['refundPaymentIntent', 'refund_exceeds_captured', ['amount'], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Captured')}/refunds`, { amount: 2001 })],
  ['readRefund', 'refund_not_found', [], () => createRequest(`/payment-intents/refunds/rfnd_${'A'.repeat(22)}`)],
  ['readRefund', 'refund_not_found', [], () => createRequest('/payment-intents/refunds/%00')],
  ['readRefund', 'refund_not_found', [], async () => createRequest(`/payment-intents/refunds/${await createRefundedIntent(testEnvironment)}`, undefined, testEnvironment().keys.foreign)],
  ['readRefund', 'validation_failed', ['refundId'], () => createRequest(`/payment-intents/refunds/${'r'.repeat(51)}`)],
  ['reversePaymentIntent', 'not_reversible', [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Created')}/reversal`)],
  ['reversePaymentIntent', 'reversal_window_passed', [], async () => {
    const id = await testEnvironment().createIntentIn('Captured');
    await testEnvironment().queryRows(`update payment_intents set captured_at = captured_at - interval '1 day' where id = $1 returning id`, [id]);
    return createRequest(`/payment-intents/${id}/reversal`);
  }],
  ];
}

/** The refusals of a change of price or tip. */
// oxfmt-ignore
function createAmountRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
  ...(['amount', 'tips-amount'] as const).flatMap((what): RefusalCase[] => {
    const id = what === 'amount' ? 'changeAmount' : 'changeTips';
    const body = what === 'amount' ? { amount: GBP_25 } : { tipsAmount: GBP_25 };
    const off = what === 'amount' ? 'amount_change_not_enabled' : 'tips_change_not_enabled';
    const no = what === 'amount' ? 'amount_not_changeable' : 'tips_not_changeable';
    const foreign = async () => createRequest(`/payment-intents/${await createFlexibleIntent(testEnvironment)}/${what}`, body, testEnvironment().keys.foreign);
    return [
      [id, 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body)],
      [id, 'payment_intent_not_found', [], foreign],
      [id, 'payment_intent_busy', [], async () => {
        const intent = await createFlexibleIntent(testEnvironment);
        await testEnvironment().startSale(intent);
        return createRequest(`/payment-intents/${intent}/${what}`, body);
      }],
      [id, off, [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Created')}/${what}`, body)],
      [id, no, [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Captured')}/${what}`, body)],
      [id, no, [], async () => createRequest(`/payment-intents/${await testEnvironment().createIntentIn('Canceled')}/${what}`, body)],
    ];
  }),
  ['changeTips', 'tips_not_changeable', [], async () => createRequest(`/payment-intents/${await createFlexibleAuthorisation(testEnvironment)}/tips-amount`, { tipsAmount: GBP_25 })],
  ['changeTips', 'validation_failed', ['tipsAmount.currencyCode'], async () => createRequest(`/payment-intents/${await createFlexibleIntent(testEnvironment)}/tips-amount`, { tipsAmount: { value: 1, currencyCode: 'EUR' } })],
  ['changeAmount', 'validation_failed', ['amount.currencyCode'], async () => createRequest(`/payment-intents/${await createFlexibleIntent(testEnvironment)}/amount`, { amount: { value: 1, currencyCode: 'EUR' } })],
  ['changeAmount', 'amount_not_raised', [], async () => createRequest(`/payment-intents/${await createFlexibleAuthorisation(testEnvironment)}/amount`, { amount: { value: 1999, currencyCode: 'GBP' } })],
  ['changeAmount', 'acquirer_not_configured', [], async () => {
    const key = testEnvironment().keys.production;
    const { id } = await testEnvironment().createIntent(FLEXIBLE_CONFIG, key);
    await testEnvironment().queryRows(`update payment_intents set status = 'Authorized' where id = $1 returning id`, [id]);
    return createRequest(`/payment-intents/${id}/amount`, { amount: GBP_25 }, key);
  }],
  ['changeAmount', 'acquirer_lacks_capability', [], async () => {
    const id = await createFlexibleAuthorisation(testEnvironment);
    await testEnvironment().limitAcquirer({ lacks: ['incremental_authorisation'] });
    return createRequest(`/payment-intents/${id}/amount`, { amount: GBP_25 });
  }],
  ['changeAmount', 'acquirer_unanswered', [], async () => {
    replaceRules(testEnvironment, { match: { kind: 'Increase' }, effect: 'down', times: 1 });
    return createRequest(`/payment-intents/${await createFlexibleAuthorisation(testEnvironment)}/amount`, { amount: GBP_25 });
  }],
  ['changeAmount', 'amount_raise_refused', [], async () => {
    replaceRules(testEnvironment, { match: { kind: 'Increase' }, effect: 'decline', times: 1 });
    return createRequest(`/payment-intents/${await createFlexibleAuthorisation(testEnvironment)}/amount`, { amount: GBP_25 });
  }],
  ];
}

const createRefundedIntent = async (testEnvironment: EnvironmentGetter): Promise<string> => {
  const params = { paymentIntentId: await testEnvironment().createIntentIn('Captured') };
  const idempotencyKey = randomUUID();
  return (
    await testEnvironment().createClient()(money.refundPaymentIntent, { params, body: { amount: 1 }, idempotencyKey })
  ).refundId;
};

const replaceRules = (testEnvironment: EnvironmentGetter, ...rules: AcquirerRule[]): void =>
  testEnvironment().acquirer.simulator.rules.replaceRules(rules);

/** A payment with a capture or a reversal that the acquirer has not answered. */
const createReversingIntent = async (
  testEnvironment: EnvironmentGetter,
  what: 'captures' | 'refunds' | 'reversal',
): Promise<string> => {
  const id = await testEnvironment().createIntentIn(what === 'reversal' ? 'Captured' : 'Authorized');
  if (what === 'refunds')
    await testEnvironment().sendRequest('POST', `/payment-intents/${id}/captures`, { body: { amount: 1 } });
  replaceRules(testEnvironment, { match: {}, effect: 'down' });
  const open = what === 'refunds' ? 'captures' : 'reversal';
  const body = open === 'captures' ? { amount: 1 } : undefined;
  await testEnvironment().sendRequest('POST', `/payment-intents/${id}/${open}`, { body });
  replaceRules(testEnvironment);
  return id;
};

/** Lets the acquirer refund a part without our knowledge, so that it refuses to reverse the whole. */
const makeUndoable = async (testEnvironment: EnvironmentGetter, path: string): Promise<void> => {
  const [, , id = ''] = path.split('/');
  const [row] = await testEnvironment().queryRows<{ reference: string }>(
    'select reference from acquirer_calls where intent_id = $1',
    [id],
  );
  const originalReference = row?.reference ?? '';
  const amount = { value: 1, currencyCode: 'GBP' };
  await testEnvironment().acquirer.simulator.followUp('Refund', { reference: randomUUID(), originalReference, amount });
};

const GBP_25 = { value: 2500, currencyCode: 'GBP' };
const FLEXIBLE_CONFIG = { config: { payment: { customAmountAllowed: true, tipsAllowed: true } } };

/** An unpaid payment whose price and tip may be changed. */
const createFlexibleIntent = async (testEnvironment: EnvironmentGetter): Promise<string> =>
  (await testEnvironment().createIntent(FLEXIBLE_CONFIG)).id;

/** The same with its money held. */
const createFlexibleAuthorisation = async (testEnvironment: EnvironmentGetter): Promise<string> => {
  const { id } = await testEnvironment().createIntent({ ...FLEXIBLE_CONFIG, captureMode: 'Manual' });
  await testEnvironment().approveSession((await testEnvironment().startSale(id)).id);
  return id;
};
