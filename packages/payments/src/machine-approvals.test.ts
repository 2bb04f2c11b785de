import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { approvalOf, gbp } from '@pos/core/testing';
import { listAlarmPage } from './alarms.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import {
  createIntent,
  elapse,
  expectSound,
  openShop,
  openWorld,
  readIntent,
  type Shop,
  timersOf,
  work,
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

const alarmsOf = async (shop: Shop) =>
  (await world.database.read(shop.scope, (reader) => listAlarmPage(reader, { limit: 10 }))).alarms;

const checksOf = async (shop: Shop) => (await timersOf(world, shop, { ofMachines: true })).length;

async function sale(shop: Shop) {
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  return { intentId, machine };
}

test('an approval that the acquirer knows as the machine reported it raises no alarm, and is asked after once', async () => {
  const shop = await openShop(world);
  const { machine } = await sale(shop);
  await machine.approve();
  expect(await checksOf(shop)).toBe(1);
  await work(world, shop.scope);
  expect(await checksOf(shop)).toBe(0);
  expect(await alarmsOf(shop)).toEqual([]);
  await expectSound(world, shop);
});

test('an approval that the acquirer never gave raises an alarm; the payment stays as the machine reported it', async () => {
  const shop = await openShop(world);
  const { intentId, machine } = await sale(shop);
  // True in form, but nobody has asked the acquirer.
  const approval = approvalOf(gbp(2_000));
  await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
  for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapse(world, shop.scope, 60_000);
  expect((await readIntent(world, shop, intentId)).status).toBe('Captured');
  expect(await alarmsOf(shop)).toMatchObject([
    {
      kind: 'MachineApprovalDiffers',
      subject: machine.session.acquirerReference,
      details: { amount: 2_000 },
      answer: null,
    },
  ]);
});

type Said = { readonly transactionId?: string; readonly last4?: string };

test.each([
  ['another transaction', { transactionId: '00000000-0000-4000-8000-00000000ffff' }, 'transaction'],
  ['another card', { last4: '0001' }, 'last four digits'],
] as const)('a machine that reports %s raises an alarm', async (_says, said: Said, what) => {
  const { transactionId, last4 } = said;
  const shop = await openShop(world);
  const { machine } = await sale(shop);
  const real = await machine.charge();
  const card = { ...real.card, last4PAN: last4 ?? real.card.last4PAN };
  const approval = { ...real, transactionId: transactionId ?? real.transactionId, card };
  await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
  await work(world, shop.scope);
  const [alarm] = await alarmsOf(shop);
  expect(alarm).toMatchObject({ kind: 'MachineApprovalDiffers' });
  expect(alarm?.message).toContain(what);
});

test('a refund on a machine is asked after, too', async () => {
  const shop = await openShop(world);
  const { intentId } = await paidIntent(world, shop);
  await work(world, shop.scope);
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
  const machine = await Machine.order(world, shop, refund);
  await machine.confirm();
  const approval = await machine.charge();
  const transactionId = '00000000-0000-4000-8000-00000000ffff';
  await machine.report({ kind: 'approved', approval: { ...approval, transactionId }, isSignatureRequired: false });
  await work(world, shop.scope);
  expect(await alarmsOf(shop)).toMatchObject([{ kind: 'MachineApprovalDiffers', details: { amount: 500 } }]);
});

test('an acquirer that does not answer is asked again', async () => {
  const shop = await openShop(world);
  const { machine } = await sale(shop);
  await machine.approve();
  world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'down' }]);
  await work(world, shop.scope);
  expect(await checksOf(shop)).toBe(1);
  world.door.rules.replace([]);
  await elapse(world, shop.scope, 60_000);
  expect(await checksOf(shop)).toBe(0);
  expect(await alarmsOf(shop)).toEqual([]);
});
