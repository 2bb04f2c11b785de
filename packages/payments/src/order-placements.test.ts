import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/epos-capability';
import { HOUR_MS, DAY_MS } from '@pos/core/timespan';
import { relayTablePayment } from '@pos/core/table-payment';
import { gbp } from '@pos/core/testing';
import { insertTablePayment } from '@pos/store/table-payments';
import { Machine, paidIntent } from './card-machine/testing.js';
import { counted, Till } from './till/testing.js';
import type { IntentWish } from './payment-intents.js';
import {
  act,
  expectSound,
  moveClock,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  timersOf,
  type World,
} from './testing.js';
import { Kitchen, soup } from './testing-orders.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => {
  world.door.rules.replace([]);
});
afterAll(async () => {
  await world.close();
});

const CUSTOM: Partial<IntentWish> = {
  details: {
    config: { ...DEFAULT_INTENT_CONFIG, payment: { customAmountAllowed: true, tipsAllowed: false } },
    itemLines: [],
    taxLines: [],
  },
};

test.each<[string, boolean, Partial<IntentWish>, number]>([
  ['that is not paid yet', false, {}, 2_000],
  ['that is held', true, {}, 2_000],
  ['with a tip on top', true, { tipsAmount: gbp(300) }, 2_000],
  ['with its service charge', true, { serviceChargeAmount: gbp(250) }, 2_250],
  ['with both', false, { tipsAmount: gbp(300), serviceChargeAmount: gbp(250) }, 2_250],
])('an order goes with a payment intent %s', async (_says, isHeld, wish, total) => {
  const kitchen = await Kitchen.open(world);
  const id = isHeld ? await kitchen.held(wish) : await kitchen.wish(wish);
  const before = await readIntent(world, kitchen.shop, id);
  const placement = await kitchen.submit(id, soup(gbp(total)));
  expect(placement).toMatchObject({ state: 'Waiting', intentId: id, total: gbp(total) });
  expect(await kitchen.find(placement.id)).toEqual(placement);
  const intent = await readIntent(world, kitchen.shop, id);
  expect(intent.details).toMatchObject({ heldForOrder: placement.id, orderDetails: { id: placement.id } });
  expect([intent.status, intent.version]).toEqual([before.status, before.version + 1]);
  const due = (await timersOf(world, kitchen.shop)).filter((timer) => timer.startsWith('order'));
  expect(due).toEqual(isHeld ? [`order-placement ${placement.id}`] : []);
  await expectSound(world, kitchen.shop);
});

/** How a payment comes to be what no order can be paid with. */
const UNFIT: readonly [string, (kitchen: Kitchen) => Promise<string>][] = [
  ['is taken at once', (kitchen) => kitchen.wish({ captureMode: 'Auto' })],
  ['was taken at once', (kitchen) => kitchen.held({ captureMode: 'Auto' })],
  ['hands out cash', (kitchen) => kitchen.wish({ cashbackAmount: gbp(500) })],
  ['has handed out cash', (kitchen) => kitchen.held({ cashbackAmount: gbp(500) })],
  ['lets the payer choose another amount', (kitchen) => kitchen.wish(CUSTOM)],
  [
    'is cancelled',
    (kitchen) => then(kitchen.wish(), (id) => act(world, kitchen.shop, (tx) => world.intents.cancel(tx, id))),
  ],
  ['is captured', (kitchen) => then(kitchen.held(), (id) => new Till(world, kitchen.shop).capture(id, 2_000))],
  ['is captured in part', (kitchen) => then(kitchen.held(), (id) => new Till(world, kitchen.shop).capture(id, 500))],
  ['is reversed', (kitchen) => then(kitchen.held(), (id) => new Till(world, kitchen.shop).reverse(id))],
  [
    'is refunded',
    (kitchen) =>
      then(kitchen.held(), async (id) => {
        await new Till(world, kitchen.shop).capture(id, 2_000);
        await new Till(world, kitchen.shop).refund(id, 2_000);
      }),
  ],
  [
    'is being captured',
    (kitchen) => then(kitchen.held(), (id) => unheard('Capture', () => new Till(world, kitchen.shop).capture(id, 500))),
  ],
  [
    'is being reversed',
    (kitchen) => then(kitchen.held(), (id) => unheard('Reverse', () => new Till(world, kitchen.shop).reverse(id))),
  ],
  [
    'is being raised',
    (kitchen) =>
      then(kitchen.held(CUSTOM), (id) =>
        unheard('Increase', () => new Till(world, kitchen.shop).price(id, gbp(3_000))),
      ),
  ],
  [
    'was declined for a signature',
    (kitchen) =>
      then(kitchen.wish(), async (id) => {
        const machine = await Machine.sale(world, kitchen.shop, id);
        await machine.confirm();
        await machine.approve(true);
        await act(world, kitchen.shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
      }),
  ],
  [
    'is held for less than an hour more',
    (kitchen) => then(kitchen.held(), () => moveClock(world, kitchen.shop.scope, 7 * DAY_MS - HOUR_MS)),
  ],
  [
    'is held for an hour, of which three quarters are over',
    (kitchen) =>
      then(kitchen.held({ autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' }), () =>
        moveClock(world, kitchen.shop.scope, 0.75 * HOUR_MS),
      ),
  ],
];

async function then<T>(made: Promise<T>, act: (made: T) => Promise<unknown>): Promise<T> {
  await act(await made);
  return made;
}

async function unheard(kind: 'Capture' | 'Reverse' | 'Increase', ask: () => Promise<string>): Promise<void> {
  world.door.rules.replace([{ match: { kind }, effect: 'down' }]);
  expect(await ask()).toBe('acquirer_unanswered');
}

test.each(UNFIT)('no order goes with a payment intent that %s', async (_says, make) => {
  const kitchen = await Kitchen.open(world);
  const id = await make(kitchen);
  const before = await readIntent(world, kitchen.shop, id);
  expect(await refusalOf(kitchen.submit(id))).toBe('order_not_placeable');
  expect(await readIntent(world, kitchen.shop, id)).toEqual(before);
});

test('a hold that lasts a minute more than an hour is long enough', async () => {
  const kitchen = await Kitchen.open(world);
  const id = await kitchen.held();
  await moveClock(world, kitchen.shop.scope, 7 * DAY_MS - HOUR_MS - 60_000);
  expect((await kitchen.submit(id)).state).toBe('Waiting');
});

test.each([
  ['a penny more', gbp(2_001), {}],
  ['a penny less', gbp(1_999), {}],
  ['nothing', gbp(0), {}],
  ['as much in another currency', { value: 2_000, currencyCode: 'EUR' }, {}],
  ['as much with its tip', gbp(2_300), { tipsAmount: gbp(300) }],
  ['as much without its service charge', gbp(2_000), { serviceChargeAmount: gbp(250) }],
])('an order that costs %s is refused', async (_says, total, wish) => {
  const kitchen = await Kitchen.open(world);
  const submitting = kitchen.submit(await kitchen.wish(wish), soup(total));
  await expect(submitting).rejects.toMatchObject({ code: 'validation_failed' });
});

const without = (name: EposCapability) => ({ capabilities: EPOS_CAPABILITIES.filter((each) => each !== name) });

test.each([
  ['CreateOrder', without('CreateOrder')],
  ['GetOrderById', without('GetOrderById')],
  ['SearchOrders', without('SearchOrders')],
  ['anything', { capabilities: [] }],
  ['a way to be called', { kind: 'service' } as const],
])('an EPOS that has not registered %s takes no orders', async (_says, epos) => {
  const kitchen = await Kitchen.open(world, epos);
  if ('kind' in epos) await kitchen.register({ kind: 'rest', capabilities: [] });
  const id = await kitchen.held();
  expect(await refusalOf(kitchen.submit(id))).toBe('epos_cannot_order');
  expect((await readIntent(world, kitchen.shop, id)).details.heldForOrder).toBeUndefined();
});

test('an EPOS that is called over its own connection takes orders, one that cannot cancel them too', async () => {
  const kitchen = await Kitchen.open(world, { kind: 'ws', ...without('CancelOrderById') });
  await kitchen.submit(await kitchen.held());
});

test.each(['', 'pi_sandbox_x', '00000000-0000-4000-8000-000000000000', 'x'.repeat(5_000), 'pi_sandbox_\0'])(
  'an order is not paid with %j',
  async (id) => {
    const kitchen = await Kitchen.open(world);
    expect(await refusalOf(kitchen.submit(id))).toBe('payment_intent_unknown');
  },
);

test('nor with a payment intent of another account', async () => {
  const kitchen = await Kitchen.open(world);
  const { intentId } = await paidIntent(world, await openShop(world), { captureMode: 'Manual' });
  expect(await refusalOf(kitchen.submit(intentId))).toBe('payment_intent_unknown');
});

test.each([
  ['not paid yet', false],
  ['held', true],
])('a payment intent that is %s carries one order, however many ask at once', async (_says, isHeld) => {
  const kitchen = await Kitchen.open(world);
  const id = isHeld ? await kitchen.held() : await kitchen.wish();
  const answers = await Promise.all(Array.from({ length: 12 }, () => refusalOf(kitchen.submit(id))));
  expect(counted(answers)).toEqual({ done: 1, payment_intent_held_for_order: 11 });
});

test.each([
  ['waits for its payer', false],
  ['is on its way', true],
])('while an order %s nobody else moves its money', async (_says, isHeld) => {
  const kitchen = await Kitchen.open(world);
  const id = isHeld ? await kitchen.held() : await kitchen.wish();
  await kitchen.submit(id);
  const before = await readIntent(world, kitchen.shop, id);
  const till = new Till(world, kitchen.shop);
  const answers = [
    ...[await till.capture(id, 2_000), await till.capture(id, 1), await till.reverse(id), await till.refund(id, 1)],
    ...[await till.price(id, gbp(1_000)), await till.price(id, gbp(3_000)), await till.tips(id, gbp(100))],
  ];
  expect(counted(answers)).toEqual({ payment_intent_held_for_order: 7 });
  expect(await readIntent(world, kitchen.shop, id)).toEqual(before);
  await expectSound(world, kitchen.shop);
});

test('what a device has recorded at a table pays for no order as well', async () => {
  const kitchen = await Kitchen.open(world);
  const id = await kitchen.held();
  await act(world, kitchen.shop, async (tx) => {
    const none = { journeyId: null, leaseId: null, orderId: null };
    const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
    const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
    const relayed = relayTablePayment({ ...part, intentId: id }, new Uint8Array([1]), tx.databaseNow);
    await insertTablePayment(tx, relayed.payment);
  });
  expect(await refusalOf(kitchen.submit(id))).toBe('order_not_placeable');
});
