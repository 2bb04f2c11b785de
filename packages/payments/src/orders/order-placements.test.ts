import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { createRelayedPayment, EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { HOUR_MS, DAY_MS } from '@pos/core/time';
import { gbp } from '@pos/core/testing';
import { insertTablePayment } from '@pos/store/tables';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { countAnswers, MoneyOperations } from '../testing/money-operations.js';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';
import {
  transactAs,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  listTimers,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestEpos, createTestOrder } from '../testing/order-epos.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(async () => {
  await testEnvironment.close();
});

const CUSTOM: Partial<PaymentIntentRequest> = {
  details: {
    config: { ...DEFAULT_INTENT_CONFIG, payment: { customAmountAllowed: true, tipsAllowed: false } },
    itemLines: [],
    taxLines: [],
  },
};

test.each<[string, boolean, Partial<PaymentIntentRequest>, number]>([
  ['that is not paid yet', false, {}, 2_000],
  ['that is held', true, {}, 2_000],
  ['with a tip on top', true, { tipsAmount: gbp(300) }, 2_000],
  ['with its service charge', true, { serviceChargeAmount: gbp(250) }, 2_250],
  ['with both', false, { tipsAmount: gbp(300), serviceChargeAmount: gbp(250) }, 2_250],
])('an order goes with a payment intent %s', async (_title, isHeld, request, total) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = isHeld ? await testEpos.createHeldPayment(request) : await testEpos.createPayment(request);
  const before = await readIntent(testEnvironment, testEpos.testAccount, id);
  const placement = await testEpos.submitOrder(id, createTestOrder(gbp(total)));
  expect(placement).toMatchObject({ state: 'Waiting', intentId: id, total: gbp(total) });
  expect(await testEpos.findPlacement(placement.id)).toEqual(placement);
  const intent = await readIntent(testEnvironment, testEpos.testAccount, id);
  expect(intent.details).toMatchObject({ heldForOrder: placement.id, orderDetails: { id: placement.id } });
  expect([intent.status, intent.version]).toEqual([before.status, before.version + 1]);
  const due = (await listTimers(testEnvironment, testEpos.testAccount)).filter((timer) => timer.startsWith('order'));
  expect(due).toEqual(isHeld ? [`order-placement ${placement.id}`] : []);
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

/** The ways in which a payment becomes one that cannot pay an order. */
const UNFIT: readonly [string, (testEpos: TestEpos) => Promise<string>][] = [
  ['is taken at once', (testEpos) => testEpos.createPayment({ captureMode: 'Auto' })],
  ['was taken at once', (testEpos) => testEpos.createHeldPayment({ captureMode: 'Auto' })],
  ['hands out cash', (testEpos) => testEpos.createPayment({ cashbackAmount: gbp(500) })],
  ['has handed out cash', (testEpos) => testEpos.createHeldPayment({ cashbackAmount: gbp(500) })],
  ['lets the payer choose another amount', (testEpos) => testEpos.createPayment(CUSTOM)],
  [
    'is cancelled',
    (testEpos) =>
      then(testEpos.createPayment(), (id) =>
        transactAs(testEnvironment, testEpos.testAccount, (tx) => testEnvironment.intents.cancel(tx, id)),
      ),
  ],
  [
    'is captured',
    (testEpos) =>
      then(testEpos.createHeldPayment(), (id) =>
        new MoneyOperations(testEnvironment, testEpos.testAccount).capture(id, 2_000),
      ),
  ],
  [
    'is captured in part',
    (testEpos) =>
      then(testEpos.createHeldPayment(), (id) =>
        new MoneyOperations(testEnvironment, testEpos.testAccount).capture(id, 500),
      ),
  ],
  [
    'is reversed',
    (testEpos) =>
      then(testEpos.createHeldPayment(), (id) =>
        new MoneyOperations(testEnvironment, testEpos.testAccount).reverse(id),
      ),
  ],
  [
    'is refunded',
    (testEpos) =>
      then(testEpos.createHeldPayment(), async (id) => {
        await new MoneyOperations(testEnvironment, testEpos.testAccount).capture(id, 2_000);
        await new MoneyOperations(testEnvironment, testEpos.testAccount).refund(id, 2_000);
      }),
  ],
  [
    'is being captured',
    (testEpos) =>
      then(testEpos.createHeldPayment(), (id) =>
        ignoreAnswer('Capture', () => new MoneyOperations(testEnvironment, testEpos.testAccount).capture(id, 500)),
      ),
  ],
  [
    'is being reversed',
    (testEpos) =>
      then(testEpos.createHeldPayment(), (id) =>
        ignoreAnswer('Reverse', () => new MoneyOperations(testEnvironment, testEpos.testAccount).reverse(id)),
      ),
  ],
  [
    'is being raised',
    (testEpos) =>
      then(testEpos.createHeldPayment(CUSTOM), (id) =>
        ignoreAnswer('Increase', () =>
          new MoneyOperations(testEnvironment, testEpos.testAccount).changeAmount(id, gbp(3_000)),
        ),
      ),
  ],
  [
    'was declined for a signature',
    (testEpos) =>
      then(testEpos.createPayment(), async (id) => {
        const machine = await TestCardMachine.startSale(testEnvironment, testEpos.testAccount, id);
        await machine.confirmSession();
        await machine.approvePayment(true);
        await transactAs(testEnvironment, testEpos.testAccount, (tx) =>
          testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
        );
      }),
  ],
  [
    'is held for less than an hour more',
    (testEpos) =>
      then(testEpos.createHeldPayment(), () =>
        moveClock(testEnvironment, testEpos.testAccount.scope, 7 * DAY_MS - HOUR_MS),
      ),
  ],
  [
    'is held for an hour that is three quarters over',
    (testEpos) =>
      then(testEpos.createHeldPayment({ autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' }), () =>
        moveClock(testEnvironment, testEpos.testAccount.scope, 0.75 * HOUR_MS),
      ),
  ],
];

async function then<T>(made: Promise<T>, act: (made: T) => Promise<unknown>): Promise<T> {
  await act(await made);
  return made;
}

async function ignoreAnswer(kind: 'Capture' | 'Reverse' | 'Increase', operation: () => Promise<string>): Promise<void> {
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind }, effect: 'down' }]);
  expect(await operation()).toBe('acquirer_unanswered');
}

test.each(UNFIT)('no order is paid with a payment intent that %s', async (_title, make) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = await make(testEpos);
  const before = await readIntent(testEnvironment, testEpos.testAccount, id);
  expect(await getOutcome(testEpos.submitOrder(id))).toBe('order_not_placeable');
  expect(await readIntent(testEnvironment, testEpos.testAccount, id)).toEqual(before);
});

test('a hold that lasts a minute more than an hour is long enough', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = await testEpos.createHeldPayment();
  await moveClock(testEnvironment, testEpos.testAccount.scope, 7 * DAY_MS - HOUR_MS - 60_000);
  expect((await testEpos.submitOrder(id)).state).toBe('Waiting');
});

test.each([
  ['a penny more', gbp(2_001), {}],
  ['a penny less', gbp(1_999), {}],
  ['nothing', gbp(0), {}],
  ['as much in another currency', { value: 2_000, currencyCode: 'EUR' }, {}],
  ['as much with its tip', gbp(2_300), { tipsAmount: gbp(300) }],
  ['as much without its service charge', gbp(2_000), { serviceChargeAmount: gbp(250) }],
])('an order that costs %s is refused', async (_title, total, request) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const submitting = testEpos.submitOrder(await testEpos.createPayment(request), createTestOrder(total));
  await expect(submitting).rejects.toMatchObject({ code: 'validation_failed' });
});

const without = (name: EposCapability) => ({ capabilities: EPOS_CAPABILITIES.filter((each) => each !== name) });

test.each([
  ['CreateOrder', without('CreateOrder')],
  ['GetOrderById', without('GetOrderById')],
  ['SearchOrders', without('SearchOrders')],
  ['anything', { capabilities: [] }],
  ['a way to be called', { kind: 'service' } as const],
])('an EPOS that has not registered %s takes no orders', async (_title, epos) => {
  const testEpos = await TestEpos.open(testEnvironment, epos);
  if ('kind' in epos) await testEpos.registerEpos({ kind: 'rest', capabilities: [] });
  const id = await testEpos.createHeldPayment();
  expect(await getOutcome(testEpos.submitOrder(id))).toBe('epos_cannot_order');
  expect((await readIntent(testEnvironment, testEpos.testAccount, id)).details.heldForOrder).toBeUndefined();
});

test('an EPOS with its own connection takes orders, also if it cannot cancel them', async () => {
  const testEpos = await TestEpos.open(testEnvironment, { kind: 'ws', ...without('CancelOrderById') });
  await testEpos.submitOrder(await testEpos.createHeldPayment());
});

test.each(['', 'pi_sandbox_x', '00000000-0000-4000-8000-000000000000', 'x'.repeat(5_000), 'pi_sandbox_\0'])(
  'an order is not paid with %j',
  async (id) => {
    const testEpos = await TestEpos.open(testEnvironment);
    expect(await getOutcome(testEpos.submitOrder(id))).toBe('payment_intent_unknown');
  },
);

test('nor with a payment intent of another account', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, await createTestAccount(testEnvironment), {
    captureMode: 'Manual',
  });
  expect(await getOutcome(testEpos.submitOrder(intentId))).toBe('payment_intent_unknown');
});

test.each([
  ['not paid yet', false],
  ['held', true],
])('a payment intent that is %s carries one order, however many ask at once', async (_title, isHeld) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = isHeld ? await testEpos.createHeldPayment() : await testEpos.createPayment();
  const answers = await Promise.all(Array.from({ length: 12 }, () => getOutcome(testEpos.submitOrder(id))));
  expect(countAnswers(answers)).toEqual({ done: 1, payment_intent_held_for_order: 11 });
});

test.each([
  ['waits for its payer', false],
  ['is being placed', true],
])('while an order %s no other caller moves its money', async (_title, isHeld) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = isHeld ? await testEpos.createHeldPayment() : await testEpos.createPayment();
  await testEpos.submitOrder(id);
  const before = await readIntent(testEnvironment, testEpos.testAccount, id);
  const moneyOperations = new MoneyOperations(testEnvironment, testEpos.testAccount);
  const answers = [
    ...[
      await moneyOperations.capture(id, 2_000),
      await moneyOperations.capture(id, 1),
      await moneyOperations.reverse(id),
      await moneyOperations.refund(id, 1),
    ],
    ...[
      await moneyOperations.changeAmount(id, gbp(1_000)),
      await moneyOperations.changeAmount(id, gbp(3_000)),
      await moneyOperations.changeTips(id, gbp(100)),
    ],
  ];
  expect(countAnswers(answers)).toEqual({ payment_intent_held_for_order: 7 });
  expect(await readIntent(testEnvironment, testEpos.testAccount, id)).toEqual(before);
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test('a payment that a device has recorded at a table pays for no order either', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = await testEpos.createHeldPayment();
  await transactAs(testEnvironment, testEpos.testAccount, async (tx) => {
    const none = { journeyId: null, leaseId: null, orderId: null };
    const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
    const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
    const relayed = createRelayedPayment({ ...part, intentId: id }, new Uint8Array([1]), tx.databaseNow);
    await insertTablePayment(tx, relayed.payment);
  });
  expect(await getOutcome(testEpos.submitOrder(id))).toBe('order_not_placeable');
});
