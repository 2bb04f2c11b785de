import { randomUUID } from 'node:crypto';
import { zeroMoney } from '@pos/core/money';
import { type OrderPlacement, stepPlacement } from '@pos/core/orders';
import { lockOrderPlacement, updateOrderPlacement } from '@pos/store/tables';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/orders';
import type { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

export const ORDERS_PATH = '/epos/order-placements';
export const createPounds = (value: number) => ({ value, currencyCode: 'GBP' });

/** An order of two soups, for the amount of a test's intent. */
export const ORDER_BODY = {
  details: { orderType: 'DineIn', dineIn: { tableId: 't-7' } },
  items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: createPounds(1000) }],
  totalAmount: createPounds(2000),
} as const satisfies SentBodyOf<typeof rest.submitOrder>['order'];

const NEEDED_CAPABILITIES = ['CreateOrder', 'GetOrderById', 'SearchOrders'] as const;

/** Registers an EPOS over its socket with these capabilities only. */
export async function registerEpos(
  testEnvironment: ApiTestEnvironment,
  names: readonly string[] = NEEDED_CAPABILITIES,
  key: string = testEnvironment.keys.full,
): Promise<void> {
  const capabilities = names.map((name) => ({ name, version: 'v1' }));
  await testEnvironment.sendRequest('PUT', '/epos/integrations/ws', { key, body: { capabilities } });
}

type IntentBody = Partial<SentBodyOf<typeof createPaymentIntent>>;

/** An unpaid intent with capture mode Manual. */
export async function createUnpaidIntent(testEnvironment: ApiTestEnvironment, more: IntentBody = {}): Promise<string> {
  return (await testEnvironment.createIntent({ captureMode: 'Manual', ...more })).id;
}

/** Submits the tests' order for the intent, or for a new one. */
export async function submitOrder(testEnvironment: ApiTestEnvironment, intentId?: string) {
  await registerEpos(testEnvironment);
  const paymentIntentId = intentId ?? (await createUnpaidIntent(testEnvironment));
  return testEnvironment.createClient()(rest.submitOrder, { body: { paymentIntentId, order: ORDER_BODY } });
}

/** An order whose money is held, as a gateway finds it before its first call to the EPOS. */
export async function createHeldPlacement(testEnvironment: ApiTestEnvironment): Promise<OrderPlacement> {
  const { id } = await submitOrder(testEnvironment, await createAuthorisedIntent(testEnvironment));
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const waiting = await lockOrderPlacement(tx, id);
    if (waiting === null) throw new Error(`no order placement ${id}`);
    const authorised = { kind: 'authorised', gratuity: zeroMoney('GBP') } as const;
    return updateOrderPlacement(tx, stepPlacement(waiting, authorised, tx.databaseNow).placement);
  });
}

/** An accepted request for each operation on orders that are paid in advance. */
export function createOrderRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    submitOrder: async () => ({
      ...(await createSubmission(testEnvironment, createUnpaidIntent(testEnvironment()))),
      invalid: { body: { paymentIntentId: UNKNOWN_INTENT, order: { ...ORDER_BODY, items: [] } } },
    }),
    listOrderPlacements: () => Promise.resolve({ path: ORDERS_PATH, invalid: { query: '?limit=101' } }),
    getOrderPlacement: async () => createRequest(`${ORDERS_PATH}/${(await submitOrder(testEnvironment())).id}`),
  };
}

/** The refusals by state of orders that are paid in advance, and the refusals of other operations while one is open. */
// oxfmt-ignore
export function createOrderRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ...listSubmissionRefusals(testEnvironment),
    ...listHoldRefusals(testEnvironment),
    ['getOrderPlacement', 'order_placement_not_found', [], () => createRequest(`${ORDERS_PATH}/${randomUUID()}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => createRequest(`${ORDERS_PATH}/x`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => createRequest(`${ORDERS_PATH}/%00`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => createRequest(`${ORDERS_PATH}/${encodeURIComponent("' or 1=1 --")}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => createRequest(`${ORDERS_PATH}/${await createUnpaidIntent(testEnvironment())}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => createRequest(`${ORDERS_PATH}/${(await submitOrder(testEnvironment())).id}`, undefined, testEnvironment().keys.foreign)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => createRequest(`${ORDERS_PATH}/${(await submitOrder(testEnvironment())).id}`, undefined, testEnvironment().keys.production)],
  ];
}

// oxfmt-ignore
function listSubmissionRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const unknown = (intent: () => Promise<string>, key?: () => string): RefusalCase =>
    ['submitOrder', 'payment_intent_unknown', ['paymentIntentId'], () => createSubmission(testEnvironment, intent(), { key: key?.() })];
  const unplaceable = (intent: () => Promise<string>): RefusalCase =>
    ['submitOrder', 'order_not_placeable', [], () => createSubmission(testEnvironment, intent())];
  const priced = (intent: IntentBody, order: object): RefusalCase =>
    ['submitOrder', 'validation_failed', ['order.totalAmount'], () => createSubmission(testEnvironment, createUnpaidIntent(testEnvironment(), intent), { order })];
  const another = (intent: () => Promise<string>): RefusalCase =>
    ['submitOrder', 'payment_intent_held_for_order', [], async () => createSubmission(testEnvironment, submitOrder(testEnvironment(), await intent()).then(({ paymentIntentId }) => paymentIntentId))];
  const without = (...names: string[]): RefusalCase => ['submitOrder', 'epos_cannot_order', [], async () => {
    const request = await createSubmission(testEnvironment, createUnpaidIntent(testEnvironment()));
    await registerEpos(testEnvironment(), names);
    return request;
  }];
  return [
    unknown(() => Promise.resolve(UNKNOWN_INTENT)),
    unknown(() => Promise.resolve('table 4')),
    unknown(() => createUnpaidIntent(testEnvironment()), () => testEnvironment().keys.foreign),
    unknown(() => createUnpaidIntent(testEnvironment()), () => testEnvironment().keys.production),
    unplaceable(() => testEnvironment().createIntentIn('Created')),
    unplaceable(() => testEnvironment().createIntentIn('Captured')),
    unplaceable(() => testEnvironment().createIntentIn('Refunded')),
    unplaceable(() => testEnvironment().createIntentIn('Canceled', { captureMode: 'Manual' })),
    unplaceable(() => testEnvironment().createIntentIn('Reversed', { captureMode: 'Manual' })),
    unplaceable(() => createCapturedIntent(testEnvironment(), 2000)),
    unplaceable(() => createCapturedIntent(testEnvironment(), 500)),
    unplaceable(() => createCapturingIntent(testEnvironment())),
    unplaceable(() => createUnpaidIntent(testEnvironment(), { cashbackAmount: createPounds(500) })),
    unplaceable(() => createUnpaidIntent(testEnvironment(), { config: { payment: { customAmountAllowed: true } } })),
    unplaceable(() => createEndingHold(testEnvironment())),
    priced({}, { totalAmount: createPounds(1999) }),
    priced({}, { totalAmount: createPounds(2001) }),
    priced({ tipsAmount: createPounds(200) }, { totalAmount: createPounds(2200) }),
    priced({ serviceChargeAmount: createPounds(200) }, {}),
    priced({}, { totalAmount: createPounds(2200), serviceChargeAmount: createPounds(200) }),
    priced({ amount: { value: 2000, currencyCode: 'EUR' } }, {}),
    without(),
    without('GetOrderById', 'SearchOrders'),
    without('CreateOrder', 'SearchOrders'),
    without('CreateOrder', 'GetOrderById'),
    another(() => createUnpaidIntent(testEnvironment())),
    another(() => createAuthorisedIntent(testEnvironment())),
  ];
}

/** The refusals that keep other operations from moving the money of an open order. */
// oxfmt-ignore
function listHoldRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const code = 'payment_intent_held_for_order';
  const paid = async (path: string, intent?: string) => `/payment-intents/${(await submitOrder(testEnvironment(), intent ?? (await createAuthorisedIntent(testEnvironment())))).paymentIntentId}/${path}`;
  const tips = { config: { payment: { tipsAllowed: true } } };
  return [
    ['capturePaymentIntent', code, [], async () => createRequest(await paid('captures'), { amount: 2000 })],
    ['capturePaymentIntent', code, [], async () => createRequest(await paid('captures'), { amount: 1 })],
    ['reversePaymentIntent', code, [], async () => createRequest(await paid('reversal'))],
    ['changeAmount', code, [], async () => createRequest(await paid('amount', await createAuthorisedIntent(testEnvironment(), { config: { payment: { customAmountAllowed: true } } })), { amount: createPounds(2100) })],
    ['changeTips', code, [], async () => {
      const { paymentIntentId } = await submitOrder(testEnvironment(), await createUnpaidIntent(testEnvironment(), tips));
      return createRequest(`/payment-intents/${paymentIntentId}/tips-amount`, { tipsAmount: createPounds(100) });
    }],
    ['changePublicAmount', code, [], async () => {
      const intent = await createAuthorisedIntent(testEnvironment(), { config: { payment: { customAmountAllowed: true } } });
      const { paymentIntentId } = await submitOrder(testEnvironment(), intent);
      return createRequest(`/payment-intents/public/${paymentIntentId}/amount`, { amount: createPounds(2100) });
    }],
    ['changePublicTips', code, [], async () => {
      const { paymentIntentId } = await submitOrder(testEnvironment(), await createUnpaidIntent(testEnvironment(), tips));
      return createRequest(`/payment-intents/public/${paymentIntentId}/tips-amount`, { tipsAmount: createPounds(100) });
    }],
  ];
}

/** A request for an order on an intent, for an account whose EPOS can place it. */
async function createSubmission(
  testEnvironment: EnvironmentGetter,
  intentId: Promise<string>,
  {
    order = {},
    key = testEnvironment().keys.full,
  }: { readonly order?: object; readonly key?: string | undefined } = {},
): Promise<AcceptedRequest> {
  const paymentIntentId = await intentId;
  await registerEpos(testEnvironment(), NEEDED_CAPABILITIES, key);
  return { path: ORDERS_PATH, body: { paymentIntentId, order: { ...ORDER_BODY, ...order } }, key };
}

/** An intent whose money is held. */
export function createAuthorisedIntent(testEnvironment: ApiTestEnvironment, more: IntentBody = {}): Promise<string> {
  return testEnvironment.createIntentIn('Authorized', more);
}

/** An intent with a partial capture. */
async function createCapturedIntent(testEnvironment: ApiTestEnvironment, amount: number): Promise<string> {
  const id = await createAuthorisedIntent(testEnvironment);
  await testEnvironment.sendRequest('POST', `/payment-intents/${id}/captures`, { body: { amount } });
  return id;
}

/** An intent with a partial capture that the acquirer has not answered. */
async function createCapturingIntent(testEnvironment: ApiTestEnvironment): Promise<string> {
  const id = await createAuthorisedIntent(testEnvironment);
  testEnvironment.acquirer.simulator.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'down' }]);
  await testEnvironment.sendRequest('POST', `/payment-intents/${id}/captures`, { body: { amount: 500 } });
  testEnvironment.acquirer.simulator.rules.replaceRules([]);
  return id;
}

/** A hold of seven days that has half an hour left. */
async function createEndingHold(testEnvironment: ApiTestEnvironment): Promise<string> {
  const id = await createAuthorisedIntent(testEnvironment);
  const passed = "interval '6 days 23 hours 30 minutes'";
  await testEnvironment.queryRows(
    `update payment_intents set authorized_at = authorized_at - ${passed} where id = $1 returning id`,
    [id],
  );
  return id;
}
