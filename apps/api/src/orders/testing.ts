import { randomUUID } from 'node:crypto';
import { zero } from '@pos/core/money';
import type { OrderPlacement } from '@pos/core/order-placement';
import { stepPlacement } from '@pos/core/order-placement-step';
import { lockOrderPlacement, updateOrderPlacement } from '@pos/store/order-placements';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/order-placements';
import type { createPaymentIntent } from '@pos/rest-contracts/payment-intent-operations';
import { type Accepted, at, type Own, UNKNOWN_INTENT } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

export const ORDERS = '/epos/order-placements';
export const pounds = (value: number) => ({ value, currencyCode: 'GBP' });

/** Two soups for what an intent of a test is about. */
export const ORDER = {
  details: { orderType: 'DineIn', dineIn: { tableId: 't-7' } },
  items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: pounds(1000) }],
  totalAmount: pounds(2000),
} as const satisfies SentBodyOf<typeof rest.submitOrder>['order'];

const NEEDED = ['CreateOrder', 'GetOrderById', 'SearchOrders'] as const;

/** Has the EPOS of an account register what it can be asked over its socket, and nothing else. */
export async function registerEpos(
  world: ApiWorld,
  names: readonly string[] = NEEDED,
  key: string = world.keys.full,
): Promise<void> {
  const capabilities = names.map((name) => ({ name, version: 'v1' }));
  await world.send('PUT', '/epos/integrations/ws', { key, body: { capabilities } });
}

type IntentWish = Partial<SentBodyOf<typeof createPaymentIntent>>;

/** An intent that only holds, which nobody has paid yet. */
export async function unpaid(world: ApiWorld, more: IntentWish = {}): Promise<string> {
  return (await world.intent({ captureMode: 'Manual', ...more })).id;
}

/** Submits the order of the tests, to be paid by the intent, or by one of its own. */
export async function submitted(world: ApiWorld, intentId?: string) {
  await registerEpos(world);
  const paymentIntentId = intentId ?? (await unpaid(world));
  return world.client()(rest.submitOrder, { body: { paymentIntentId, order: ORDER } });
}

/** An order whose money is held, as a gateway has found it; nobody has been asked yet. */
export async function heldPlacement(world: ApiWorld): Promise<OrderPlacement> {
  const { id } = await submitted(world, await held(world));
  return world.place.database.transact(world.sandbox, async (tx) => {
    const waiting = await lockOrderPlacement(tx, id);
    if (waiting === null) throw new Error(`no order placement ${id}`);
    const authorised = { kind: 'authorised', gratuity: zero('GBP') } as const;
    return updateOrderPlacement(tx, stepPlacement(waiting, authorised, tx.databaseNow).placement);
  });
}

/** A request of each operation on orders that are paid in advance, which it accepts. */
export function orderRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    submitOrder: async () => ({
      ...(await wished(world, unpaid(world()))),
      wrong: { body: { paymentIntentId: UNKNOWN_INTENT, order: { ...ORDER, items: [] } } },
    }),
    getOrderPlacement: async () => at(`${ORDERS}/${(await submitted(world())).id}`),
  };
}

/** How orders that are paid in advance are refused by the state of things, and what is refused while one is under way. */
// prettier-ignore
export function orderRefusals(world: World): readonly Own[] {
  return [
    ...refusedToSubmit(world),
    ...refusedMeanwhile(world),
    ['getOrderPlacement', 'order_placement_not_found', [], () => at(`${ORDERS}/${randomUUID()}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => at(`${ORDERS}/x`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => at(`${ORDERS}/%00`)],
    ['getOrderPlacement', 'order_placement_not_found', [], () => at(`${ORDERS}/${encodeURIComponent("' or 1=1 --")}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => at(`${ORDERS}/${await unpaid(world())}`)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => at(`${ORDERS}/${(await submitted(world())).id}`, undefined, world().keys.foreign)],
    ['getOrderPlacement', 'order_placement_not_found', [], async () => at(`${ORDERS}/${(await submitted(world())).id}`, undefined, world().keys.production)],
  ];
}

// prettier-ignore
function refusedToSubmit(world: World): readonly Own[] {
  const unknown = (intent: () => Promise<string>, key?: () => string): Own =>
    ['submitOrder', 'payment_intent_unknown', ['paymentIntentId'], () => wished(world, intent(), { key: key?.() })];
  const unplaceable = (intent: () => Promise<string>): Own =>
    ['submitOrder', 'order_not_placeable', [], () => wished(world, intent())];
  const priced = (intent: IntentWish, order: object): Own =>
    ['submitOrder', 'validation_failed', ['order.totalAmount'], () => wished(world, unpaid(world(), intent), { order })];
  const another = (intent: () => Promise<string>): Own =>
    ['submitOrder', 'payment_intent_held_for_order', [], async () => wished(world, submitted(world(), await intent()).then(({ paymentIntentId }) => paymentIntentId))];
  const without = (...names: string[]): Own => ['submitOrder', 'epos_cannot_order', [], async () => {
    const asked = await wished(world, unpaid(world()));
    await registerEpos(world(), names);
    return asked;
  }];
  return [
    unknown(() => Promise.resolve(UNKNOWN_INTENT)),
    unknown(() => Promise.resolve('table 4')),
    unknown(() => unpaid(world()), () => world().keys.foreign),
    unknown(() => unpaid(world()), () => world().keys.production),
    unplaceable(() => world().intentIn('Created')),
    unplaceable(() => world().intentIn('Captured')),
    unplaceable(() => world().intentIn('Refunded')),
    unplaceable(() => world().intentIn('Canceled', { captureMode: 'Manual' })),
    unplaceable(() => world().intentIn('Reversed', { captureMode: 'Manual' })),
    unplaceable(() => captured(world(), 2000)),
    unplaceable(() => captured(world(), 500)),
    unplaceable(() => capturing(world())),
    unplaceable(() => unpaid(world(), { cashbackAmount: pounds(500) })),
    unplaceable(() => unpaid(world(), { config: { payment: { customAmountAllowed: true } } })),
    unplaceable(() => endingHold(world())),
    priced({}, { totalAmount: pounds(1999) }),
    priced({}, { totalAmount: pounds(2001) }),
    priced({ tipsAmount: pounds(200) }, { totalAmount: pounds(2200) }),
    priced({ serviceChargeAmount: pounds(200) }, {}),
    priced({}, { totalAmount: pounds(2200), serviceChargeAmount: pounds(200) }),
    priced({ amount: { value: 2000, currencyCode: 'EUR' } }, {}),
    without(),
    without('GetOrderById', 'SearchOrders'),
    without('CreateOrder', 'SearchOrders'),
    without('CreateOrder', 'GetOrderById'),
    another(() => unpaid(world())),
    another(() => held(world())),
  ];
}

/** Nobody else moves the money of an order that is under way. */
// prettier-ignore
function refusedMeanwhile(world: World): readonly Own[] {
  const code = 'payment_intent_held_for_order';
  const paid = async (path: string, intent?: string) => `/payment-intents/${(await submitted(world(), intent ?? (await held(world())))).paymentIntentId}/${path}`;
  const tips = { config: { payment: { tipsAllowed: true } } };
  return [
    ['capturePaymentIntent', code, [], async () => at(await paid('captures'), { amount: 2000 })],
    ['capturePaymentIntent', code, [], async () => at(await paid('captures'), { amount: 1 })],
    ['reversePaymentIntent', code, [], async () => at(await paid('reversal'))],
    ['changeAmount', code, [], async () => at(await paid('amount', await held(world(), { config: { payment: { customAmountAllowed: true } } })), { amount: pounds(2100) })],
    ['changeTips', code, [], async () => {
      const { paymentIntentId } = await submitted(world(), await unpaid(world(), tips));
      return at(`/payment-intents/${paymentIntentId}/tips-amount`, { tipsAmount: pounds(100) });
    }],
  ];
}

/** The request for an order on an intent, of an EPOS that can make it. */
async function wished(
  world: World,
  intentId: Promise<string>,
  { order = {}, key = world().keys.full }: { readonly order?: object; readonly key?: string | undefined } = {},
): Promise<Accepted> {
  const paymentIntentId = await intentId;
  await registerEpos(world(), NEEDED, key);
  return { path: ORDERS, body: { paymentIntentId, order: { ...ORDER, ...order } }, key };
}

/** An intent whose money is held. */
export function held(world: ApiWorld, more: IntentWish = {}): Promise<string> {
  return world.intentIn('Authorized', more);
}

/** An intent of which something was captured. */
async function captured(world: ApiWorld, amount: number): Promise<string> {
  const id = await held(world);
  await world.send('POST', `/payment-intents/${id}/captures`, { body: { amount } });
  return id;
}

/** An intent of which the acquirer was asked for a part, and has not answered. */
async function capturing(world: ApiWorld): Promise<string> {
  const id = await held(world);
  world.acquirer.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'down' }]);
  await world.send('POST', `/payment-intents/${id}/captures`, { body: { amount: 500 } });
  world.acquirer.door.rules.replace([]);
  return id;
}

/** A hold of seven days that has half an hour left. */
async function endingHold(world: ApiWorld): Promise<string> {
  const id = await held(world);
  const passed = "interval '6 days 23 hours 30 minutes'";
  await world.look(`update payment_intents set authorized_at = authorized_at - ${passed} where id = $1 returning id`, [
    id,
  ]);
  return id;
}
