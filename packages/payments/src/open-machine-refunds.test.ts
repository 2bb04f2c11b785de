import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { SESSION_WINDOWS } from '@pos/core/terminal-session';
import { entriesOf } from '@pos/store/ledger';
import { listAlarmPage } from './alarms.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import { machineOrders } from './machine-orders.js';
import { listOperatorCallPage, OperatorDesk } from './operator-desk.js';
import { Leases } from './leases.js';
import {
  act,
  elapse,
  expectSound,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  type World,
} from './testing.js';
import { OrderPlacements } from './order-placements.js';
import { TablePayments } from './table-payments.js';
import { listTransactions } from './transactions.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

const WINDOWS = { sandbox: SESSION_WINDOWS, production: SESSION_WINDOWS };

/** A refund of a paid intent on a machine whose start never arrived: its session has expired. */
async function unstartedRefund(shop: Shop) {
  const { intentId } = await paidIntent(world, shop);
  const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await Machine.order(world, shop, wish);
  await elapse(world, shop.scope, 10_000);
  return { intentId, machine };
}

/** The operators' desk; only refunds on machines are decided here. */
function decide(shop: Shop, machine: Machine, action: 'MarkRefunded' | 'MarkNotRefunded') {
  const caller = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
  const wish = { caller, paymentId: machine.session.id, action, note: "seen in the acquirer's books" } as const;
  const { accounts, intents, sessions, queue, settings } = world;
  const leases = new Leases();
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  const desk = new OperatorDesk({ leases, tablePayments, placements: new OrderPlacements({ queue }), settings });
  return act(world, shop, (tx) => desk.resolve(tx, wish));
}

const ordersOf = (shop: Shop) =>
  world.database.read(shop.scope, (reader) =>
    machineOrders(reader, { terminalIds: [shop.terminals[0].id], sessionIds: [] }, { windows: WINDOWS }),
  );
const reservedOf = async (shop: Shop, intentId: string) => {
  const { refunded, pendingRefund } = await readIntent(world, shop, intentId);
  return [refunded.value, pendingRefund.value];
};
const alarmsOf = async (shop: Shop) =>
  (await world.database.read(shop.scope, (reader) => listAlarmPage(reader, { limit: 10 }))).alarms;

describe('a refund whose start never arrived', () => {
  test('is cancelled on the machine, which names no session, for as long as its end is open', async () => {
    const shop = await openShop(world);
    const { machine } = await unstartedRefund(shop);
    const cancel = { order: { kind: 'cancel', sessionId: machine.session.id }, terminalId: shop.terminals[0].id };
    expect(await ordersOf(shop)).toEqual([cancel]);
    await machine.report({ kind: 'canceled' });
    expect(await ordersOf(shop)).toEqual([]);
    await expectSound(world, shop);
  });

  test('is free once the machine does not know it and the acquirer has said three times since that it does not', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapse(world, shop.scope, 60_000);
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
    await machine.send({ kind: 'unknownSession', number: 1 });
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
    for (let inquiry = 0; inquiry < 3; inquiry += 1) await elapse(world, shop.scope, 30_000);
    expect(await reservedOf(shop, intentId)).toEqual([0, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Canceled' });
    // Nothing blocks the next refund of the payment.
    const next = await Machine.order(world, shop, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await next.approve();
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    await expectSound(world, shop);
  });

  test('is booked when the acquirer has made it, though the machine does not know it any more', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.charge();
    await machine.send({ kind: 'unknownSession', number: 1 });
    await elapse(world, shop.scope, 1_000);
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    await expectSound(world, shop);
  });

  test.each([
    ['MarkNotRefunded', 0, 'Canceled', 'NotRefunded'],
    ['MarkRefunded', 2_000, 'Approved', 'Refunded'],
  ] as const)('ends as an operator says, who has seen the books: %s', async (action, refunded, outcome, stateAfter) => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await decide(shop, machine, action);
    expect(await reservedOf(shop, intentId)).toEqual([refunded, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome });
    const { calls } = await world.database.read(shop.scope, (reader) => listOperatorCallPage(reader, { limit: 10 }));
    expect(calls).toMatchObject([{ action, subject: machine.session.id, outcome: 'Done', stateAfter }]);
    expect(await refusalOf(decide(shop, machine, action))).toBe('pending_payment_not_decidable');
    // What the machine reports later of a refund that is booked already moves nothing.
    if (action === 'MarkRefunded') {
      await machine.approve();
      expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
      expect(await alarmsOf(shop)).toEqual([]);
    }
    await expectSound(world, shop);
  });

  test('without a payment is booked and listed when an operator says that it was made', async () => {
    const shop = await openShop(world);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await elapse(world, shop.scope, 10_000);
    await machine.charge();
    await decide(shop, machine, 'MarkRefunded');
    const entries = await world.database.read(shop.scope, (reader) => entriesOf(reader, machine.session.id));
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    const listed = await world.database.read(shop.scope, (reader) =>
      listTransactions(
        { reader, accounts: world.accounts },
        { limit: 10, startDate: null, endDate: null, statuses: [] },
      ),
    );
    expect(listed.transactions).toMatchObject([{ type: 'Refund', status: 'Authorized' }]);
    await expectSound(world, shop);
  });

  test('is not decided while the card machine is at work', async () => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await Machine.order(world, shop, wish);
    expect(await refusalOf(decide(shop, machine, 'MarkNotRefunded'))).toBe('pending_payment_not_decidable');
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
  });
});

describe('a refund that the machine cancels and approves later', () => {
  async function canceledAndApproved(shop: Shop, between: (intentId: string) => Promise<void>) {
    const { intentId } = await paidIntent(world, shop);
    const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await Machine.order(world, shop, wish);
    await machine.confirm();
    await machine.report({ kind: 'canceled' });
    await between(intentId);
    await machine.approve();
    return { intentId, machine };
  }

  test('is booked, for the money has left', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await canceledAndApproved(shop, async () => {});
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    expect((await readIntent(world, shop, intentId)).status).toBe('Refunded');
    expect((await machine.read()).status).toBe('Canceled');
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Approved' });
    await expectSound(world, shop);
  });

  test('raises an alarm when its amount was refunded again meanwhile', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await canceledAndApproved(shop, async (paymentIntentId) => {
      const next = await Machine.order(world, shop, {
        ...{ sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(500) },
      });
      await next.approve();
    });
    expect(await reservedOf(shop, intentId)).toEqual([500, 0]);
    expect(await alarmsOf(shop)).toMatchObject([
      { kind: 'MachineApprovalNotBooked', subject: machine.session.id, details: { amount: 2_000 }, answer: null },
    ]);
  });

  test('without a payment is booked on the session', async () => {
    const shop = await openShop(world);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirm();
    await machine.report({ kind: 'canceled' });
    await machine.approve();
    const entries = await world.database.read(shop.scope, (reader) => entriesOf(reader, machine.session.id));
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    await expectSound(world, shop);
  });
});
