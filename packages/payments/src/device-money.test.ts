import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { relayTablePayment } from '@pos/core/table-payment';
import { gbp } from '@pos/core/testing';
import { insertTablePayment } from '@pos/store/table-payments';
import { Machine } from './card-machine/testing.js';
import { adoptedIntent } from './device-money.js';
import { act, createIntent, openShop, openWorld, readIntent, refusalOf, type Shop, type World } from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function paid(shop: Shop) {
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  await machine.approve();
  const intent = await readIntent(world, shop, machine.session.paymentIntentId ?? '');
  return { intent, transactionId: intent.paymentDetails?.transactionId ?? '' };
}

test.each([
  ['this very money', 0, 'done'],
  ['a penny less than was taken', -1, 'card_transaction_unusable'],
  ['a penny more than was taken', 1, 'card_transaction_unusable'],
])('a device that records %s', async (_, difference, outcome) => {
  const shop = await openShop(world);
  const { intent, transactionId } = await paid(shop);
  const total = gbp(intent.captured.value + difference);
  expect(await refusalOf(act(world, shop, (tx) => adoptedIntent(tx, transactionId, total)))).toBe(outcome);
});

test('money that was given back cannot be recorded', async () => {
  const shop = await openShop(world);
  const { intent, transactionId } = await paid(shop);
  await world.giveBack.run(shop.scope, { intentId: intent.id, reference: 'giveback-test' });
  const adopting = act(world, shop, (tx) => adoptedIntent(tx, transactionId, intent.captured));
  expect(await refusalOf(adopting)).toBe('card_transaction_unusable');
});

test('money of which some was asked back cannot be recorded', async () => {
  const order = { amount: 1, reason: null, notes: null, previousTransactionId: null };
  const shop = await openShop(world);
  const { intent, transactionId } = await paid(shop);
  await act(world, shop, (tx) => world.refunds.begin(tx, intent.id, order));
  const adopting = act(world, shop, (tx) => adoptedIntent(tx, transactionId, intent.captured));
  expect(await refusalOf(adopting)).toBe('card_transaction_unusable');
});

test.each([
  ['no transaction', ''],
  ['a transaction that is none of ours', '00000000-0000-4000-8000-000000000000'],
])('of %s no intent is adopted', async (_, transactionId) => {
  const shop = await openShop(world);
  expect(await act(world, shop, (tx) => adoptedIntent(tx, transactionId, gbp(100)))).toBeNull();
});

test('the money of an intent belongs to one payment at a table, for ever', async () => {
  const shop = await openShop(world);
  const { intent } = await paid(shop);
  const record = () =>
    act(world, shop, async (tx) => {
      const none = { journeyId: null, leaseId: null, orderId: null };
      const amounts = { base: intent.captured, gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
      const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
      const relayed = relayTablePayment({ ...part, intentId: intent.id }, new Uint8Array([1]), tx.databaseNow);
      await insertTablePayment(tx, relayed.payment);
    });
  await record();
  await expect(record()).rejects.toMatchObject({ code: '23505' });
});

test('without an acquirer for production nothing of production is asked of the sandbox', async () => {
  const shop = await openShop(world);
  const { intent } = await paid(shop);
  const call = {
    reference: 'rv-1',
    kind: 'Reverse',
    originalReference: intent.paymentDetails?.reference ?? '',
  } as const;
  const production = { ...shop.scope, environment: 'production' } as const;
  const booked = () => world.door.acquirer.books.find('rv-1');
  const answer = await world.calls.ask(production, {
    ...{ ...call, paymentIntentId: intent.id, setupIntentId: null, terminalSessionId: null },
    ...{ amount: intent.captured, state: 'Prepared' },
    ...{ outcome: null, deadlineAt: new Date(), reverseReference: null, result: null, version: 1 },
  });
  expect(answer.outcome).toBe('unknown');
  expect(booked()).toBeNull();
});
