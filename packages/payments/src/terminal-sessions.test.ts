import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import {
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  Machine,
  openShop,
  openWorld,
  readIntent,
  timersOf,
  type World,
} from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

test('a contactless payment', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  await machine.approve();
  expect(await heardOf(world, shop.scope, machine.session.id)).toEqual([
    'created InitiateRequested',
    'Initiated',
    'Captured',
  ]);
  expect((await readIntent(world, shop, intentId)).captured).toEqual(gbp(2000));
  expect(await historyOf(world, shop, intentId)).toEqual(['Captured']);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('nobody confirms', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  await elapse(world, shop.scope, 10_000);
  expect((await machine.read()).status).toBe('Expired');
});
