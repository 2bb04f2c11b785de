import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { APPROVED, declined } from '@pos/sandbox/card-verdict';
import { SESSION_WINDOWS } from '@pos/core/terminal-session';
import { entriesOf } from '@pos/store/ledger';
import { listAlarmPage } from './alarms.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import { machineOrders } from './machine-orders.js';
import { listOperatorCallPage, OperatorDesk } from './operator-desk.js';
import { Leases } from './leases.js';
import { pendingRefunds } from './pending-refunds.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  moveClock,
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
afterEach(() => {
  world.door.rules.replace([]);
});
afterAll(async () => {
  await world.close();
});

const OPERATOR = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
const NO_INQUIRY: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'refuse', status: 'UNAVAILABLE' };
const NO_LIST: AcquirerRule = { match: { kind: 'ListBooked' }, effect: 'refuse', status: 'UNAVAILABLE' };

const WINDOWS = { sandbox: SESSION_WINDOWS, production: SESSION_WINDOWS };

/** A refund of a paid intent on a machine whose start never arrived: its session has expired. */
async function unstartedRefund(shop: Shop) {
  const { intentId } = await paidIntent(world, shop);
  const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await Machine.order(world, shop, wish);
  await elapse(world, shop.scope, 10_000);
  return { intentId, machine };
}

function openDesk(): OperatorDesk {
  const { accounts, intents, sessions, queue, settings } = world;
  const leases = new Leases();
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  return new OperatorDesk({ leases, tablePayments, placements: new OrderPlacements({ queue }), settings });
}

function decide(shop: Shop, machine: Machine, action: 'MarkRefunded' | 'MarkNotRefunded') {
  const wish = {
    caller: OPERATOR,
    paymentId: machine.session.id,
    action,
    note: "seen in the acquirer's books",
  } as const;
  return act(world, shop, (tx) => openDesk().resolve(tx, wish));
}

/** Decides as the api does: the decision is recorded, the acquirer's books are read, and the end is looked up. */
async function settleAsListed(shop: Shop, paymentId: string): Promise<string> {
  const desk = openDesk();
  const wish = { caller: OPERATOR, paymentId, action: 'SettleAsListed', note: 'the list' } as const;
  return refusalOf(
    (async () => {
      const reference = await act(world, shop, (tx) => desk.beginSettleAsListed(tx, wish));
      await world.calls.settleAsListed(shop.scope, reference);
      await world.database.read(shop.scope, (reader) => desk.settledAsListed(reader, reference));
    })(),
  );
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
    await elapse(world, shop.scope, 1_000);
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
    for (let inquiry = 0; inquiry < 3; inquiry += 1) await elapse(world, shop.scope, 30_000);
    expect(await reservedOf(shop, intentId)).toEqual([0, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Canceled' });
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

describe('an operator has a refund on a machine settled as the acquirer lists it', () => {
  test.each([
    ['an inquiry says', []],
    ['the list shows, while no inquiry is answered', [NO_INQUIRY]],
  ])('it is booked when %s that it was made', async (_, rules) => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.charge();
    world.door.rules.replace(rules);
    expect(await settleAsListed(shop, machine.session.id)).toBe('done');
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Approved' });
    const { calls } = await world.database.read(shop.scope, (reader) => listOperatorCallPage(reader, { limit: 10 }));
    expect(calls).toMatchObject([{ action: 'SettleAsListed', subject: machine.session.id, outcome: 'Done' }]);
    expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    world.door.rules.replace([]);
    await machine.report({ kind: 'approved', approval: machine.recall(), isSignatureRequired: false });
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    expect(await alarmsOf(shop)).toEqual([]);
    await expectSound(world, shop);
  });

  test.each([
    ['an inquiry says', []],
    ['the list shows, while no inquiry is answered', [NO_INQUIRY]],
  ])('it is free when %s that it was declined', async (_, rules) => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.charge(declined('Not today'));
    world.door.rules.replace(rules);
    expect(await settleAsListed(shop, machine.session.id)).toBe('done');
    expect(await reservedOf(shop, intentId)).toEqual([0, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Declined' });
    world.door.rules.replace([]);
    await expectSound(world, shop);
  });

  test.each([
    ['an inquiry names', []],
    ['the list shows, while no inquiry is answered,', [NO_INQUIRY]],
  ])('nothing is settled and an alarm is raised when %s another amount', async (_, rules) => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.charge(APPROVED, gbp(1_500));
    world.door.rules.replace(rules);
    expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
    expect(await alarmsOf(shop)).toMatchObject([
      { kind: 'AcquirerAnswerContradicted', subject: machine.session.acquirerReference, occurrence: 'amount' },
    ]);
    // A person who has looked may still decide.
    await decide(shop, machine, 'MarkNotRefunded');
    expect(await reservedOf(shop, intentId)).toEqual([0, 0]);
  });

  test('nothing is settled while it is not in the list, for the machine may still begin', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    for (let times = 0; times < 4; times += 1) {
      expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
    await machine.approve();
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    expect(await alarmsOf(shop)).toEqual([]);
    await expectSound(world, shop);
  });

  test('it is free when it is not in the list often enough and the machine does not know it', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.send({ kind: 'unknownSession', number: 1 });
    const refusals: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      refusals.push(await settleAsListed(shop, machine.session.id));
      await moveClock(world, shop.scope, world.settings.inquiryIntervalMs);
    }
    expect(refusals).toEqual(['pending_payment_not_decidable', 'pending_payment_not_decidable', 'done']);
    expect(await reservedOf(shop, intentId)).toEqual([0, 0]);
    expect(await machine.call()).toMatchObject({ state: 'Settled', outcome: 'Canceled' });
    await expectSound(world, shop);
  });

  test('what the acquirer says again at once counts no more, for it can be late', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.send({ kind: 'unknownSession', number: 1 });
    for (let times = 0; times < 9; times += 1) {
      expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
  });

  test.each([
    ['neither inquiry nor list is answered', [NO_INQUIRY, NO_LIST]],
    ['an acquirer that has no such line answers no inquiry', [NO_INQUIRY]],
  ])('nothing is settled while %s', async (_, rules) => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.send({ kind: 'unknownSession', number: 1 });
    world.door.rules.replace(rules);
    for (let times = 0; times < 4; times += 1) {
      expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(shop, intentId)).toEqual([0, 2_000]);
  });

  test('the refund is also found by its reference at the acquirer', async () => {
    const shop = await openShop(world);
    const { intentId, machine } = await unstartedRefund(shop);
    await machine.charge();
    expect(await settleAsListed(shop, machine.session.acquirerReference)).toBe('done');
    expect(await reservedOf(shop, intentId)).toEqual([2_000, 0]);
    await expectSound(world, shop);
  });

  test('one without a payment is booked on its session', async () => {
    const shop = await openShop(world);
    const machine = await Machine.order(world, shop, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await elapse(world, shop.scope, 10_000);
    await machine.charge();
    world.door.rules.replace([NO_INQUIRY]);
    expect(await settleAsListed(shop, machine.session.id)).toBe('done');
    const entries = await world.database.read(shop.scope, (reader) => entriesOf(reader, machine.session.id));
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    world.door.rules.replace([]);
    await expectSound(world, shop);
  });

  test('it is not decided while the machine is at work, and a sale has no such line', async () => {
    const shop = await openShop(world);
    const { intentId } = await paidIntent(world, shop);
    const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await Machine.order(world, shop, wish);
    expect(await settleAsListed(shop, machine.session.id)).toBe('pending_payment_not_decidable');
    expect(await settleAsListed(shop, machine.session.acquirerReference)).toBe('pending_payment_not_decidable');
    const sale = await Machine.order(world, shop, {
      ...{ sessionType: 'Sale', paymentIntentId: await createIntent(world, shop), terminal: shop.terminals[1] },
    });
    expect(await settleAsListed(shop, sale.session.id)).toBe('pending_payment_not_found');
  });
});

test('a refund that its machine never ends is listed once it is open for longer than the setting', async () => {
  const shop = await openShop(world);
  const { intentId } = await paidIntent(world, shop);
  const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await Machine.order(world, shop, wish);
  const listed = async (afterMs: number) => {
    const databaseNow = new Date((await world.database.now()).getTime() + afterMs);
    const { settings } = world;
    const lines = await world.database.read(shop.scope, (reader) => pendingRefunds(reader, { databaseNow, settings }));
    return lines.map(({ call, isAlarming }) => [call.terminalSessionId, call.state, isAlarming]);
  };
  const { deadlineAt } = await machine.call();
  const leftMs = deadlineAt.getTime() - (await world.database.now()).getTime();
  expect(await listed(0)).toEqual([]);
  expect(await listed(leftMs + world.settings.callPendingMs - 60_000)).toEqual([]);
  expect(await listed(leftMs + world.settings.callPendingMs + 1)).toEqual([[machine.session.id, 'Sent', true]]);
  await elapse(world, shop.scope, 10_000);
  expect(await listed(0)).toEqual([[machine.session.id, 'Unknown', false]]);
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
