import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { declined } from '@pos/sandbox/card-verdict';
import { Machine, paidIntent } from './card-machine/testing.js';
import { pendingRefunds } from './pending-refunds.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
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

const SILENT = { match: {}, effect: 'down' } as const;
const REPEAT_MS = 5_000;

/** A sale whose machine has confirmed and then falls silent; what it does at the acquirer is the test's. */
async function silentSale(shop: Shop) {
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  return { intentId, machine };
}

const cancelIntent = (shop: Shop, id: string) => refusalOf(act(world, shop, (tx) => world.intents.cancel(tx, id)));
const standing = async (machine: Machine): Promise<string> => {
  const { state, outcome } = await machine.call();
  return `${state} ${outcome}`;
};
const reversalsOf = (reference: string) =>
  world.door.acquirer.books.belongingTo(reference).filter(({ kind }) => kind === 'Reverse');

describe('a session has expired, and nobody knows whether the card was charged', () => {
  test('the machine says so late: the payment is taken, the session stays Expired', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    await elapse(world, shop.scope, 90_000);
    expect(await standing(machine)).toBe('Unknown null');
    expect(await cancelIntent(shop, intentId)).toBe('payment_intent_busy');
    expect(await machine.approve()).toBe(true);
    const session = await machine.read();
    expect([session.status, session.approval === null, session.customerReceipt === null]).toEqual([
      ...['Expired', false, false],
    ]);
    expect(await historyOf(world, shop, intentId)).toEqual(['Captured']);
    await elapse(world, shop.scope, 3_600_000);
    expect((await readIntent(world, shop, intentId)).status).toBe('Captured');
    expect(await timersOf(world, shop)).toEqual([]);
    await expectSound(world, shop);
  });

  test('the acquirer says so when it is asked: the payment is taken and printed, and the machine adds nothing', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    const approval = await machine.charge();
    await elapse(world, shop.scope, 90_000);
    expect((await readIntent(world, shop, intentId)).captured).toEqual(gbp(2_000));
    const session = await machine.read();
    expect([session.status, session.paymentDetails?.authCode]).toEqual(['Expired', approval.authCode]);
    expect(JSON.stringify(session.merchantReceipt)).toContain('****0001');
    expect(await heardOf(world, shop.scope, session.id)).toEqual([
      ...['created InitiateRequested', 'Initiated', 'Expired'],
    ]);
    // The machine's numbering went on where it was, and its own yes moves nothing any more.
    await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
    expect(await historyOf(world, shop, intentId)).toEqual(['Captured']);
    expect(reversalsOf(session.acquirerReference)).toEqual([]);
    await expectSound(world, shop);
  });

  test('the acquirer says that the card was declined: the intent may be paid again', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    await machine.charge(declined('Not today'));
    await elapse(world, shop.scope, 90_000);
    expect([await standing(machine), await historyOf(world, shop, intentId)]).toEqual([
      ...['Settled Declined', ['Declined']],
    ]);
    const again = await Machine.sale(world, shop, intentId);
    await again.approve();
    expect((await readIntent(world, shop, intentId)).status).toBe('Captured');
    await expectSound(world, shop);
  });

  test('nobody says anything for 60 s: the authorisation is undone, and can never happen again', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    await elapse(world, shop.scope, 90_000);
    await elapse(world, shop.scope, 59_000);
    expect(await standing(machine)).toBe('Unknown null');
    expect(await cancelIntent(shop, intentId)).toBe('payment_intent_busy');
    // The machine is free again, the intent is not: a second card could be charged for it.
    expect(await refusalOf(Machine.sale(world, shop, intentId))).toBe('payment_intent_busy');
    await elapse(world, shop.scope, REPEAT_MS);
    expect(await standing(machine)).toBe('Settled Reversed');
    await machine.charge();
    expect(world.door.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    expect(await cancelIntent(shop, intentId)).toBe('done');
    expect(await timersOf(world, shop)).toEqual([]);
    await expectSound(world, shop);
  });

  test('a machine that never confirmed is reversed too, should it have begun unheard', async () => {
    const shop = await openShop(world);
    const machine = await Machine.sale(world, shop, await createIntent(world, shop));
    world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'down' }]);
    await machine.charge();
    await elapse(world, shop.scope, 10_000);
    await elapse(world, shop.scope, 61_000);
    expect(await standing(machine)).toBe('Settled Reversed');
    await expectSound(world, shop);
  });

  test('an approval that comes after the reversal was ordered is only logged; the reversal is repeated until it is heard', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    const approval = await machine.charge();
    world.door.rules.replace([SILENT]);
    await elapse(world, shop.scope, 90_000);
    await elapse(world, shop.scope, 61_000);
    const ordered = await machine.call();
    expect([ordered.state, ordered.reverseReference === null]).toEqual(['Unknown', false]);
    await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
    expect((await readIntent(world, shop, intentId)).status).toBe('Created');
    expect(await historyOf(world, shop, intentId)).toEqual([]);
    await elapse(world, shop.scope, REPEAT_MS);
    expect((await machine.call()).state).toBe('Unknown');
    // From the order on the attempt is over: the guest may pay again while the first money is on its way back.
    const again = await Machine.sale(world, shop, intentId);
    world.door.rules.replace([]);
    await elapse(world, shop.scope, 2 * REPEAT_MS);
    expect(await standing(machine)).toBe('Settled Reversed');
    expect(reversalsOf(machine.session.acquirerReference)).toHaveLength(1);
    await again.approve();
    expect(await historyOf(world, shop, intentId)).toEqual(['Captured']);
    await expectSound(world, shop);
  });

  test('a refund is never undone: it keeps its reservation until the machine answers', async () => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) },
    });
    await machine.confirm();
    await elapse(world, shop.scope, 90_000);
    await elapse(world, shop.scope, 3_600_000);
    expect([await standing(machine), (await machine.read()).status]).toEqual(['Unknown null', 'Expired']);
    expect((await machine.call()).reverseReference).toBeNull();
    expect((await readIntent(world, shop, intentId)).pendingRefund).toEqual(gbp(500));
    const pending = () =>
      world.database.read(shop.scope, (reader) =>
        pendingRefunds(reader, { databaseNow: new Date(), settings: world.settings }),
      );
    expect(await pending()).toMatchObject([{ call: { terminalSessionId: machine.session.id }, isAlarming: false }]);
    await machine.approve();
    expect(await pending()).toEqual([]);
    const intent = await readIntent(world, shop, intentId);
    expect([intent.refunded.value, intent.pendingRefund.value]).toEqual([500, 0]);
    await elapse(world, shop.scope, 60_000);
    await expectSound(world, shop);
  });

  test.each([
    ['the acquirer declined it', (machine: Machine) => machine.charge(declined('Not today'))],
    ['the machine says that it was cancelled', (machine: Machine) => machine.report({ kind: 'canceled' })],
  ])('a refund that expired is free again when %s', async (_says, happens) => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await elapse(world, shop.scope, 10_000);
    await happens(machine);
    await elapse(world, shop.scope, REPEAT_MS);
    const intent = await readIntent(world, shop, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 0, 0]);
    await expectSound(world, shop);
  });

  test('an unlinked refund that the acquirer tells of is booked once', async () => {
    const shop = await openShop(world);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirm();
    await machine.charge();
    await elapse(world, shop.scope, 90_000);
    expect([await standing(machine), (await machine.read()).status]).toEqual(['Settled Approved', 'Expired']);
    await machine.approve();
    await expectSound(world, shop);
  });
});

describe('money that nobody waits for any more goes back', () => {
  test('the machine had said that it was cancelled, and the intent is Canceled: the history says Reversed, once', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    await machine.report({ kind: 'canceled' });
    expect(await cancelIntent(shop, intentId)).toBe('done');
    await machine.approve();
    await machine.approve();
    await work(world, shop.scope);
    expect(await historyOf(world, shop, intentId)).toEqual(['Canceled', 'Reversed']);
    expect(await heardOf(world, shop.scope, intentId)).toEqual(['created Created', 'Canceled']);
    expect((await machine.read()).status).toBe('Canceled');
    expect(reversalsOf(machine.session.acquirerReference)).toHaveLength(1);
    await expectSound(world, shop);
  });

  test('another machine took the payment meanwhile: that one stands, the first is undone', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    await machine.report({ kind: 'canceled' });
    const second = await Machine.sale(world, shop, intentId);
    await second.approve();
    await machine.approve();
    await work(world, shop.scope);
    const intent = await readIntent(world, shop, intentId);
    expect([intent.status, intent.paymentDetails?.reference]).toEqual(['Captured', second.session.acquirerReference]);
    expect(await historyOf(world, shop, intentId)).toEqual(['Captured', 'Reversed']);
    expect(world.door.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    await expectSound(world, shop);
  });

  test('the acquirer had said no to an expired session, and the machine shows a yes', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    const approval = await machine.charge();
    world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'contradict' }]);
    await elapse(world, shop.scope, 90_000);
    expect(await standing(machine)).toBe('Settled Declined');
    await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
    await work(world, shop.scope);
    expect((await readIntent(world, shop, intentId)).status).toBe('Created');
    expect(world.door.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    await expectSound(world, shop);
  });

  test('an approval over another amount than was asked for is not believed', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    const approval = await machine.charge();
    await machine.report({
      ...{ kind: 'approved', approval: { ...approval, amount: gbp(1_999) }, isSignatureRequired: false },
    });
    await work(world, shop.scope);
    expect([(await machine.read()).status, await historyOf(world, shop, intentId)]).toEqual(['Declined', ['Error']]);
    expect(await standing(machine)).toBe('Settled Reversed');
    await expectSound(world, shop);
  });

  test('a machine that names another reference is booked under its own', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await silentSale(shop);
    const approval = { ...(await machine.charge()), reference: 'something else' };
    await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
    expect((await readIntent(world, shop, intentId)).paymentDetails?.reference).toBe(machine.session.acquirerReference);
    await expectSound(world, shop);
  });
});
