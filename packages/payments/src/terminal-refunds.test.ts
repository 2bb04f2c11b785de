import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { entriesOf } from '@pos/store/ledger';
import {
  expectSound,
  heardOf,
  historyOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  toldOf,
  type World,
} from './testing.js';
import { Machine, paidIntent } from './card-machine/testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

describe('refunds on a machine', () => {
  test('of a payment: the amount is reserved while the session runs, and refunded when a card was read', async () => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
    const machine = await Machine.order(world, shop, wish);
    expect((await readIntent(world, shop, intentId)).pendingRefund).toEqual(gbp(500));
    await machine.confirm();
    await machine.approve(true);
    const intent = await readIntent(world, shop, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 500, 0]);
    // All that is left, and then nothing is.
    const rest = await Machine.order(world, shop, { ...wish, amount: null });
    expect(rest.session.total).toEqual(gbp(1_500));
    await rest.approve();
    expect((await readIntent(world, shop, intentId)).status).toBe('Refunded');
    expect(await historyOf(world, shop, intentId)).toEqual(['Captured', 'Refunded', 'Refunded']);
    expect(await heardOf(world, shop.scope, intentId)).toEqual(['created Created', 'Captured', 'Refunded']);
    await expectSound(world, shop);
  });

  test.each([
    ['declined', (machine: Machine) => machine.decline()],
    ['cancelled at the machine', (machine: Machine) => machine.report({ kind: 'canceled' })],
  ])('of a payment, %s: the reservation is free again', async (_says, happens) => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await machine.confirm();
    await happens(machine);
    const intent = await readIntent(world, shop, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 0, 0]);
    await expectSound(world, shop);
  });

  test.each([
    ['more than was taken', { amount: gbp(2_001) }, 'refund_exceeds_captured'],
    ['nothing', { amount: gbp(0) }, 'validation_failed'],
    ['another currency', { amount: { value: 100, currencyCode: 'EUR' } }, 'validation_failed'],
  ])('of %s are refused', async (_says, { amount }, code) => {
    const shop = await openShop(world);
    const { intentId: paymentIntentId } = await paidIntent(world, shop);
    const order = Machine.order(world, shop, { sessionType: 'MatchedRefund', paymentIntentId, amount });
    expect(await refusalOf(order)).toBe(code);
    expect((await readIntent(world, shop, paymentIntentId)).pendingRefund.value).toBe(0);
  });

  test('two running refunds share what is left between them', async () => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(1_200) } as const;
    await Machine.order(world, shop, wish);
    expect(await refusalOf(Machine.order(world, shop, { ...wish, terminal: shop.terminals[1] }))).toBe(
      'refund_exceeds_captured',
    );
  });

  test('without a payment: the money is booked on the session itself', async () => {
    const shop = await openShop(world);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirm();
    await machine.approve();
    const session = await machine.read();
    expect(session.status).toBe('Captured');
    const entries = await world.database.read(shop.scope, (reader) => entriesOf(reader, session.id));
    expect(entries.map(({ kind, reference }) => [kind, reference])).toEqual([['refund', session.acquirerReference]]);
    const told = await toldOf(world, shop.scope, session.id);
    expect(told.every(({ data }) => !('paymentIntentId' in data))).toBe(true);
    await expectSound(world, shop);
  });
});
