import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { paymentProduct } from '@pos/core/transaction';
import type { Transaction } from '@pos/store/transactions';
import { Machine, paidIntent } from './card-machine/testing.js';
import type { IntentWish } from './payment-intents.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  work,
  type World,
} from './testing.js';
import { Till } from './till/testing.js';
import { listTransactions, type TransactionPage, type TransactionSearch } from './transactions.js';

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

const ALL = { startDate: null, endDate: null, statuses: [], limit: 100 } as const;

function search(shop: Shop, wish: Partial<TransactionSearch> = {}): Promise<TransactionPage> {
  return world.database.read(shop.scope, (reader) =>
    listTransactions({ reader, accounts: world.accounts }, { ...ALL, ...wish }),
  );
}

/** `Sale Authorized 2000`, oldest first: by its number, for the clock of a test may stand between two. */
async function listed(shop: Shop): Promise<string[]> {
  const { transactions } = await search(shop);
  return [...transactions].sort(byNumber).map(said);
}

const byNumber = (first: Transaction, second: Transaction): number => first.legacyId - second.legacyId;

function said({ type, status, amount, tipsAmount, cashbackAmount }: Transaction): string {
  const extras = [tipsAmount, cashbackAmount].filter(({ value }) => value > 0).map(({ value }) => ` + ${value}`);
  return `${type} ${status} ${amount.value}${extras.join('')}`;
}

interface Story {
  readonly shop: Shop;
  readonly till: Till;
  /** A payment of £20 that was taken or held on a machine. */
  readonly paid: (wish?: Partial<IntentWish>) => Promise<`pi_${string}`>;
  /** A sale of £20 on a machine that has confirmed. */
  readonly begun: (wish?: Partial<IntentWish>) => Promise<Machine>;
  readonly refunding: (paymentIntentId: string) => Promise<Machine>;
}

async function story(): Promise<Story> {
  const shop = await openShop(world);
  const confirmed = async (ordered: Promise<Machine>): Promise<Machine> => {
    const machine = await ordered;
    await machine.confirm();
    return machine;
  };
  return {
    shop,
    till: new Till(world, shop),
    paid: async (wish) => (await paidIntent(world, shop, wish)).intentId,
    begun: async (wish) => confirmed(Machine.sale(world, shop, await createIntent(world, shop, wish))),
    refunding: (paymentIntentId) =>
      confirmed(Machine.order(world, shop, { sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(500) })),
  };
}

const MANUAL = { captureMode: 'Manual' } as const;
const HOUR_MS = 3_600_000;
const FLEXIBLE = {
  details: {
    config: { ...DEFAULT_INTENT_CONFIG, payment: { customAmountAllowed: true, tipsAllowed: true } },
    itemLines: [],
    taxLines: [],
  },
};
const judge = (shop: Shop, machine: Machine, isAccepted: boolean) =>
  act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, isAccepted));
const silence = () => {
  world.door.rules.replace([{ match: {}, effect: 'down' }]);
};
const unlinked = (shop: Shop) =>
  Machine.order(world, shop, { sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false });

// prettier-ignore
test.each<[string, (at: Story) => Promise<unknown>, string[]]>([
  ['a payment is approved', ({ paid }) => paid(), ['Sale Authorized 2000']],
  ['a payment with tip, cashback and service charge is approved', ({ paid }) => paid({ tipsAmount: gbp(200), cashbackAmount: gbp(300), serviceChargeAmount: gbp(50) }), ['Sale Authorized 2050 + 200 + 300']],
  ['a payment is declined, and then paid', async ({ shop, begun }) => {
    const machine = await begun();
    await machine.decline();
    await (await Machine.sale(world, shop, machine.session.paymentIntentId!)).approve();
  }, ['Sale Declined 2000', 'Sale Authorized 2000']],
  ['a hold is declined', async ({ begun }) => (await begun(MANUAL)).decline(), ['PreAuth Declined 2000']],
  ['nobody presents a card', async ({ begun }) => (await begun()).report({ kind: 'canceled' }), []],
  ['money is held', ({ paid }) => paid(MANUAL), ['PreAuth AwaitingCollection 2000']],
  ['a hold is captured in part', async ({ paid, till }) => till.capture(await paid(MANUAL), 1_200, 100), ['PreAuth AwaitingCollection 2000', 'Collection Authorized 1200 + 100']],
  ['a hold is captured to the end', async ({ paid, till }) => {
    const id = await paid(MANUAL);
    await till.capture(id, 1_200);
    await till.capture(id, 700, 100);
  }, ['PreAuth Authorized 2000', 'Collection Authorized 1200', 'Collection Authorized 700 + 100']],
  ['a capture is refused', async ({ paid, till }) => {
    const id = await paid(MANUAL);
    world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
    await till.capture(id, 1_200);
  }, ['PreAuth AwaitingCollection 2000']],
  ['a hold is raised', async ({ paid, till }) => till.price(await paid({ ...MANUAL, ...FLEXIBLE }), gbp(2_500)), ['PreAuth AwaitingCollection 2500']],
  ['the time of a hold is over', async ({ paid, shop }) => {
    await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' });
    await elapse(world, shop.scope, HOUR_MS);
  }, ['PreAuth Expired 2000']],
  ['the time of a hold is over, and a part of it was captured', async ({ paid, till, shop }) => {
    await till.capture(await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' }), 500);
    await elapse(world, shop.scope, HOUR_MS);
  }, ['PreAuth Released 2000', 'Collection Authorized 500']],
  ['a hold captures itself', async ({ paid, shop }) => {
    await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
    await elapse(world, shop.scope, HOUR_MS);
  }, ['PreAuth Authorized 2000', 'Collection Authorized 2000']],
  ['a hold whose own capture was refused is given up by the merchant', async ({ paid, till, shop }) => {
    const id = await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
    world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
    await elapse(world, shop.scope, HOUR_MS);
    await till.reverse(id);
  }, ['PreAuth Reversed 2000']],
  ['a refund ends the rest of a hold', async ({ paid, till, shop }) => {
    const id = await paid(MANUAL);
    await till.capture(id, 1_200);
    await till.refund(id, 200);
    await work(world, shop.scope);
  }, ['PreAuth Released 2000', 'Collection Authorized 1200', 'Refund Authorized 200']],
  ['a hold is reversed', async ({ paid, till }) => till.reverse(await paid(MANUAL)), ['PreAuth Reversed 2000']],
  ['a payment is reversed', async ({ paid, till }) => till.reverse(await paid()), ['Sale Reversed 2000']],
  ['a signature is waited for', async ({ begun }) => (await begun()).approve(true), []],
  ['a signature is accepted', async ({ begun, shop }) => {
    const machine = await begun();
    await machine.approve(true);
    await judge(shop, machine, true);
  }, ['Sale Authorized 2000']],
  ['a signature is rejected', async ({ begun, shop }) => {
    const machine = await begun();
    await machine.approve(true);
    await judge(shop, machine, false);
  }, ['Sale Reversed 2000']],
  ['an approval comes after the intent was given up', async ({ begun, shop }) => {
    const machine = await begun();
    silence();
    await elapse(world, shop.scope, 90_000);
    await elapse(world, shop.scope, 61_000);
    world.door.rules.replace([]);
    await work(world, shop.scope);
    await act(world, shop, (tx) => world.intents.cancel(tx, machine.session.paymentIntentId!));
    await machine.decline();
  }, []],
  ['a machine says no, and then that it took the money after all, of an intent that was paid elsewhere', async ({ begun, shop }) => {
    const machine = await begun();
    const approval = await machine.charge();
    await machine.report({ kind: 'declined', result: { ...approval, authCode: '' } });
    await (await Machine.sale(world, shop, machine.session.paymentIntentId!)).approve();
    await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
    await work(world, shop.scope);
  }, ['Sale Reversed 2000', 'Sale Authorized 2000']],
  ['a payment is refunded in parts', async ({ paid, till }) => {
    const id = await paid();
    await till.refund(id, 500);
    await till.refund(id, 1_500);
  }, ['Sale Authorized 2000', 'Refund Authorized 500', 'Refund Authorized 1500']],
  ['a refund is refused', async ({ paid, till }) => {
    const id = await paid();
    world.door.rules.replace([{ match: { kind: 'Refund' }, effect: 'decline', times: 1 }]);
    await till.refund(id, 500);
    await till.refund(id, 400);
  }, ['Sale Authorized 2000', 'Refund Declined 500', 'Refund Authorized 400']],
  ['a refund on a machine is approved', async ({ paid, refunding }) => (await refunding(await paid())).approve(), ['Sale Authorized 2000', 'Refund Authorized 500']],
  ['a refund on a machine is declined', async ({ paid, refunding }) => (await refunding(await paid())).decline(), ['Sale Authorized 2000', 'Refund Declined 500']],
  ['a refund on a machine is cancelled there', async ({ paid, refunding }) => (await refunding(await paid())).report({ kind: 'canceled' }), ['Sale Authorized 2000']],
  ['a refund without a payment is approved', async ({ shop }) => (await unlinked(shop)).approve(), ['Refund Authorized 700']],
  ['a refund without a payment is declined', async ({ shop }) => (await unlinked(shop)).decline(), ['Refund Declined 700']],
  ['a table gives a payment back on its day', async ({ paid, shop }) => giveBack(shop, await paid()), ['Sale Reversed 2000']],
  ['a table gives a payment back on another day', async ({ paid, shop }) => {
    const id = await paid();
    await elapse(world, shop.scope, DAY_MS);
    await giveBack(shop, id);
  }, ['Sale Authorized 2000', 'Refund Authorized 2000']],
])('%s', async (_says, happens, lines) => {
  const at = await story();
  await happens(at);
  expect(await listed(at.shop)).toEqual(lines);
  world.door.rules.replace([]);
  await expectSound(world, at.shop);
});

const giveBack = (shop: Shop, intentId: `pi_${string}`) =>
  world.giveBack.run(shop.scope, { intentId, reference: `give-back ${shop.merchantId}` });

test('a reversal that the acquirer refuses leaves the line as it was', async () => {
  const { shop, till, paid } = await story();
  const id = await paid();
  const originalReference = (await readIntent(world, shop, id)).paymentDetails!.reference;
  // Behind our back the acquirer has refunded a part, so it cannot undo the whole.
  await world.door.follow('Refund', { reference: `other ${shop.merchantId}`, originalReference, amount: gbp(1) });
  expect(await till.reverse(id)).toBe('reversal_refused');
  expect(await listed(shop)).toEqual(['Sale Authorized 2000']);
});

test('a line says how, with what and on which machine; captures and refunds say it of their payment', async () => {
  const { shop, till, paid } = await story();
  const id = await paid({ ...MANUAL, reference: 'table 9' });
  await till.capture(id, 2_000);
  await till.refund(id, 100);
  const { transactions, merchantId } = await search(shop);
  const [sale, capture, refund] = [...transactions].sort(byNumber);
  const { paymentDetails } = await readIntent(world, shop, id);
  const shared = {
    authCode: paymentDetails!.authCode,
    card: paymentDetails!.card,
    ...{ isCharge: false, paymentIntentId: id, reference: 'table 9', paymentSource: 'api' },
    terminalId: shop.terminals[0].id,
  };
  expect(merchantId).toBe(shop.merchantId);
  expect(sale).toMatchObject({ ...shared, id: paymentDetails!.transactionId, legacyId: 1, type: 'PreAuth' });
  expect(capture).toMatchObject({ ...shared, legacyId: 2, type: 'Collection' });
  expect(refund).toMatchObject({ ...shared, legacyId: 3, type: 'Refund' });
  expect(new Set(transactions.map((each) => each.id)).size).toBe(3);
});

// prettier-ignore
test.each([
  [true, false, 'api', 'Terminal'], [true, false, 'pay-at-table', 'Terminal'], [true, false, null, 'Terminal'],
  [false, false, 'pay-at-table', 'PayByQr'], [false, false, 'api', 'OnlineCheckout'],
  [false, false, 'virtual-terminal', 'VirtualTerminal'], [false, false, 'payment-links', 'PaymentLinks'],
  [false, true, 'api', 'Other'], [false, true, 'payment-links', 'Other'],
] as const)('on a machine %s, a charge %s, begun by %s: %s', (isOnMachine, isCharge, source, product) => {
  expect(paymentProduct({ isOnMachine, isCharge, source })).toBe(product);
});

const NOW = Date.now();
const at = (days: number) => new Date(NOW + days * DAY_MS);

// prettier-ignore
test.each<[string, Partial<TransactionSearch>, string]>([
  ['a span of seven days', { startDate: at(-7), endDate: at(0) }, 'done'],
  ['a span of nothing', { startDate: at(0), endDate: at(0) }, 'done'],
  ['a millisecond more than seven days', { startDate: new Date(NOW - 7 * DAY_MS - 1), endDate: at(0) }, 'validation_failed'],
  ['a start after the end', { startDate: at(1), endDate: at(0) }, 'validation_failed'],
  ['a start that lies ahead, up to now', { startDate: at(30), endDate: null }, 'validation_failed'],
  ['a start long ago, up to now', { startDate: at(-30), endDate: null }, 'validation_failed'],
  ['an end long ago, from a week before it', { startDate: null, endDate: at(-300) }, 'done'],
  ['a cursor that is none of ours', { after: 'x' }, 'validation_failed'],
  ['a cursor of another listing', { after: Buffer.from(JSON.stringify([1, `pi_sandbox_${'A'.repeat(22)}`])).toString('base64url') }, 'validation_failed'],
])('searching %s', async (_says, wish, code) => {
  const shop = await openShop(world);
  expect(await refusalOf(search(shop, wish))).toBe(code);
});

test('the start is inside, the end outside, and statuses choose', async () => {
  const { shop, begun, paid } = await story();
  await (await begun()).decline();
  await elapse(world, shop.scope, DAY_MS);
  await paid();
  const [first, second] = (await search(shop)).transactions.toSorted(byNumber).map(({ createdAt }) => createdAt);
  const found = async (wish: Partial<TransactionSearch>) => (await search(shop, wish)).transactions.map(said);
  expect(await found({ startDate: first!, endDate: second! })).toEqual(['Sale Declined 2000']);
  expect(await found({ startDate: second!, endDate: null })).toEqual(['Sale Authorized 2000']);
  expect(await found({ statuses: ['Declined', 'Reversed'] })).toEqual(['Sale Declined 2000']);
  expect(await found({ statuses: ['Held'] })).toEqual([]);
});

test('pages neither repeat nor miss a line while others are written, and belong to one account', async () => {
  const { shop, till, paid } = await story();
  const id = await paid();
  for (let n = 0; n < 5; n += 1) await till.refund(id, 100 + n);
  const whole = (await search(shop)).transactions.map(said);
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await search(shop, { limit: 2, ...(after !== undefined && { after }) });
    seen.push(...page.transactions.map(said));
    after = page.after ?? undefined;
    await till.refund(id, 1);
  } while (after !== undefined && seen.length < 10);
  expect(seen).toEqual(whole);
  expect((await search(await openShop(world))).transactions).toEqual([]);
});

test('payments of one account at once get numbers of their own, without a gap', async () => {
  const shop = await openShop(world);
  const { intentId } = await paidIntent(world, shop);
  const till = new Till(world, shop);
  const amounts = Array.from({ length: 20 }, (_, n) => 10 + n);
  await Promise.all(amounts.map((amount) => till.refund(intentId, amount)));
  const numbers = (await search(shop)).transactions.map(({ legacyId }) => legacyId).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  await expectSound(world, shop);
});
