import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { declined } from '@pos/sandbox/card-verdict';
import { charge } from '@pos/sandbox/testing';
import { statement } from '@pos/store/statement';
import { Machine, paidIntent } from './card-machine/testing.js';
import { reconcile } from './reconcile.js';
import {
  act,
  createIntent,
  differences,
  elapse,
  moveClock,
  openShop,
  openWorld,
  readCall,
  type Shop,
  type World,
} from './testing.js';

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

const OUTCOME = statement(
  'plant_outcome',
  `update acquirer_calls set outcome = $4 where account_id = $1 and environment = $2 and reference = $3 returning reference`,
);

/** One of everything: paid, held, reversed, refunded by us and by a machine, declined, given up. */
async function busyEvening(shop: Shop) {
  const sale = await paidIntent(world, shop);
  const hold = await paidIntent(world, shop, { captureMode: 'Manual' });
  const undone = await paidIntent(world, shop);
  await world.giveBack.run(shop.scope, { intentId: undone.intentId, reference: `undo ${shop.merchantId}` });
  const matched = await Machine.order(world, shop, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: sale.intentId, amount: gbp(300) },
  });
  await matched.approve();
  const unlinked = await Machine.order(world, shop, {
    ...{ sessionType: 'UnlinkedRefund', amount: gbp(400), cardHolderNotPresent: false },
  });
  await unlinked.approve();
  const no = await Machine.sale(world, shop, await createIntent(world, shop));
  await no.decline();
  const lost = await Machine.sale(world, shop, await createIntent(world, shop));
  await elapse(world, shop.scope, 10_000);
  await elapse(world, shop.scope, 61_000);
  expect((await lost.call()).outcome).toBe('Reversed');
  const refunded = await paidIntent(world, shop);
  await moveClock(world, shop.scope, DAY_MS);
  const refund = `refund ${shop.merchantId}`;
  await world.giveBack.run(shop.scope, { intentId: refunded.intentId, reference: refund });
  return { sale, hold, undone, refund, no, matched, unlinked };
}
type Evening = Awaited<ReturnType<typeof busyEvening>>;

type Restore = () => unknown;

/** Writes something else into the acquirer's books than it has decided. */
function tamper(reference: string, change: object): Restore {
  const { books } = world.door.acquirer;
  const before = books.find(reference)!;
  books.write({ ...before, ...change });
  return () => books.write(before);
}

/** Writes another outcome into our own row of a call. */
async function believe(shop: Shop, reference: string, outcome: string): Promise<Restore> {
  const { accountId, environment } = shop.scope;
  const { outcome: before } = await readCall(world, shop, reference);
  const write = (each: string | null) =>
    act(world, shop, (tx) => tx.query(OUTCOME, [accountId, environment, reference, each]));
  await write(outcome);
  return () => write(before);
}

async function chargeUnasked({ merchantId }: Shop): Promise<Restore> {
  const reference = `stray ${merchantId}`;
  await world.door.authorise(charge(reference, { merchantId }));
  return () => tamper(reference, { merchantId: 'another' });
}

const AMOUNT = statement(
  'plant_amount',
  `update transactions set amount = amount + $4
   where account_id = $1 and environment = $2 and acquirer_reference = $3 returning amount`,
);

/** Writes another amount into a line of the listing. */
async function mislist(shop: Shop, reference: string): Promise<Restore> {
  const { accountId, environment } = shop.scope;
  const write = (by: number) => act(world, shop, (tx) => tx.query(AMOUNT, [accountId, environment, reference, by]));
  await write(1);
  return () => write(-1);
}

type Plant = (shop: Shop, evening: Evening) => Restore | Promise<Restore>;
const PLANTS: readonly (readonly [string, Plant, readonly string[]])[] = [
  [
    'a payment is gone from its list',
    (_, { sale }) => tamper(sale.reference, { merchantId: 'another' }),
    ['we count a Authorise that the acquirer has not booked'],
  ],
  [
    'a payment was undone behind our back',
    (_, { hold }) => tamper(hold.reference, { isReversed: true }),
    ['we count a Authorise that the acquirer has not booked'],
  ],
  [
    'a refund of ours was never booked',
    (_, { refund }) => tamper(refund, { outcome: 'Declined' }),
    ['we count a Refund that the acquirer has not booked'],
  ],
  [
    'more was held than we asked for',
    (_, { hold }) => tamper(hold.reference, { amount: gbp(2_001) }),
    ['the acquirer booked 2001 GBP, we asked for 2000 GBP'],
  ],
  [
    'a sale is listed with more than was taken',
    (shop, { sale }) => mislist(shop, sale.reference),
    ['the ledger keeps 1700 GBP, the transactions sum to 1701'],
  ],
  [
    'another currency was given back',
    (_, { unlinked }) => tamper(unlinked.session.acquirerReference, { amount: money(400, 'EUR') }),
    ['the acquirer booked 400 EUR, we asked for 400 GBP'],
  ],
  [
    'a payment is booked as a refund',
    (_, { hold }) => tamper(hold.reference, { kind: 'Refund' }),
    ['the acquirer booked a Refund, we asked for a Authorise'],
  ],
  [
    'a card was charged that we never heard of',
    (shop) => chargeUnasked(shop),
    ['the acquirer booked a Authorise that we never asked for'],
  ],
  [
    'a payment that we take for declined is held',
    (_, { no }) => tamper(no.session.acquirerReference, { outcome: 'Approved', isPurchase: false }),
    ['the acquirer booked a Authorise that we take for Declined'],
  ],
  [
    'a payment that we have undone is held again',
    (_, { undone }) => tamper(undone.reference, { isReversed: false, isPurchase: false }),
    ['the acquirer booked a Authorise that we take for Reversed'],
  ],
  [
    'a refund that we take for refused went out',
    (shop, { refund }) => believe(shop, refund, 'Declined'),
    ['the acquirer booked a Refund that we take for Declined'],
  ],
];

describe('after a busy evening', () => {
  let shop: Shop;
  let evening: Evening;
  beforeAll(async () => {
    shop = await openShop(world);
    evening = await busyEvening(shop);
  });

  test('all agrees', async () => {
    expect(await differences(world, shop)).toEqual([]);
  });

  test.each(PLANTS)('it is found that %s', async (_says, plant, found) => {
    const restore = await plant(shop, evening);
    expect((await differences(world, shop)).map(({ says }) => says)).toEqual(found);
    await restore();
    expect(await differences(world, shop)).toEqual([]);
  });
});

test('what is still open is no difference: a payment at work, a refund that waits, a reversal on its way', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.approve(true);
  expect(await differences(world, shop)).toEqual([]);
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'down' }]);
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
  expect((await readCall(world, shop, machine.session.acquirerReference)).reverseReference).not.toBeNull();
  expect(await differences(world, shop)).toEqual([]);
  const { intentId } = await paidIntent(world, shop);
  const refund = await Machine.order(world, shop, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(100) },
  });
  await refund.charge();
  expect(await differences(world, shop)).toEqual([]);
});

test('a payment that ends while the list is on its way is no difference', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  world.door.rules.replace([{ match: { kind: 'ListBooked' }, effect: 'delay', delayMs: 500, times: 1 }]);
  const comparing = differences(world, shop);
  while (world.door.rules.list()[0]!.used === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  // The list was made before the card was charged, and our books are read after it.
  await machine.approve();
  expect(await comparing).toEqual([]);
  expect((await machine.call()).outcome).toBe('Approved');
});

test('a payment at the edge of the span is a difference on neither side of it', async () => {
  const shop = await openShop(world);
  const begun = new Date();
  await paidIntent(world, shop);
  const { bookedAt } = world.door.acquirer.books.all().findLast(({ merchantId }) => merchantId === shop.merchantId)!;
  const parts = { database: world.database, acquirer: world.acquirer, accounts: world.accounts };
  // Between our row for it and the acquirer's.
  for (const at of [begun, new Date(bookedAt), new Date(Date.parse(bookedAt) + 1)]) {
    const before = { from: new Date(at.getTime() - DAY_MS), to: at };
    const after = { from: at, to: new Date(at.getTime() + DAY_MS) };
    expect(await reconcile(parts, shop.scope, before)).toEqual([]);
    expect(await reconcile(parts, shop.scope, after)).toEqual([]);
  }
});

test('the list of an acquirer that does not answer is no empty list', async () => {
  const shop = await openShop(world);
  world.door.rules.replace([{ match: { kind: 'ListBooked' }, effect: 'down' }]);
  await expect(differences(world, shop)).rejects.toThrow('the acquirer is down');
});

test('a long list is read to its end', async () => {
  const shop = await openShop(world);
  const bookings = 1_200;
  for (let index = 0; index < bookings; index += 1) {
    world.door.acquirer.authorise(charge(`many ${shop.merchantId} ${index}`, { merchantId: shop.merchantId }));
  }
  world.door.acquirer.authorise(charge(`no ${shop.merchantId}`, { merchantId: shop.merchantId }), declined('no'));
  expect(await differences(world, shop)).toHaveLength(bookings + 1);
});
