import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { money, type Money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import { createPaidIntent } from '../testing/card-machine.js';
import { listBookings, countAnswers, listUnansweredCases, MoneyOperations } from '../testing/money-operations.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  getOutcome,
  listPublishedStates,
  readIntent,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';

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

const UNTIL_REPEATED_MS = 6_000;
const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

/** A hold of £20 that may be raised, in an account of its own. */
async function createHeldPayment() {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, {
    captureMode: 'Manual',
    ...FLEXIBLE,
  });
  return { testAccount, id, reference, moneyOperations: new MoneyOperations(testEnvironment, testAccount) };
}

test('before a payment, price and tip change together: the first price is stored, and the old secret is void', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  const id = await createIntent(testEnvironment, testAccount, { ...FLEXIBLE, generateRemoteToken: true });
  const first = await readIntent(testEnvironment, testAccount, id);
  expect([await moneyOperations.changeAmount(id, gbp(1_500)), await moneyOperations.changeTips(id, gbp(200))]).toEqual([
    'done',
    'done',
  ]);
  const changed = await readIntent(testEnvironment, testAccount, id);
  expect([changed.amount, changed.requestedAmount, changed.tipsAmount]).toEqual([gbp(1_500), gbp(2_000), gbp(200)]);
  expect(changed.clientSecret).toEqual(expect.any(String));
  expect(changed.clientSecret).not.toBe(first.clientSecret);
  expect(await moneyOperations.changeTips(id, gbp(0))).toBe('done');
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual(['created Created']);
});

test('a raised hold is captured and reversed as a whole', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  expect(await moneyOperations.changeAmount(id, gbp(2_500))).toBe('done');
  const raised = await readIntent(testEnvironment, testAccount, id);
  expect([raised.amount, raised.authorized, raised.pendingCapture]).toEqual([gbp(2_500), gbp(2_500), gbp(0)]);
  expect(listBookings(testEnvironment, reference)).toEqual(['Increase 500 Approved']);
  await expectConsistent(testEnvironment, testAccount);
  expect(await moneyOperations.reverse(id)).toBe('done');
  expect(listBookings(testEnvironment, reference)).toEqual(['Increase 500 Approved', 'Reverse 2500 Approved']);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual([
    'created Created',
    'Authorized',
    'Reversed',
  ]);
  const other = await createHeldPayment();
  await other.moneyOperations.changeAmount(other.id, gbp(2_500));
  expect([
    await other.moneyOperations.capture(other.id, 2_501),
    await other.moneyOperations.capture(other.id, 2_500),
  ]).toEqual(['capture_exceeds_authorized', 'done']);
  await expectConsistent(testEnvironment, other.testAccount);
});

test.each<[string, Money, number, string]>([
  ['the same amount', gbp(2_000), 0, 'amount_not_raised'],
  ['less', gbp(1_999), 0, 'amount_not_raised'],
  ['another currency', money(2_500, 'EUR'), 0, 'validation_failed'],
  ['more than can be asked for', gbp(1_000_000_000_000), 0, 'validation_failed'],
  ['more, once something is captured', gbp(2_500), 1, 'amount_not_changeable'],
])('a change of a hold to %s (%j, after a capture of %d) is refused: %s', async (_title, amount, captured, then) => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  if (captured > 0) await moneyOperations.capture(id, captured);
  expect(await moneyOperations.changeAmount(id, amount)).toBe(then);
  expect(listBookings(testEnvironment, reference).filter((line) => line.startsWith('Increase'))).toEqual([]);
  expect((await readIntent(testEnvironment, testAccount, id)).amount).toEqual(gbp(2_000));
});

test.each([
  [{ holdRaiseAllowed: true }, ['amount_change_not_enabled', 'amount_change_not_enabled', 'done']],
  [
    { holdRaiseAllowed: false },
    ['amount_change_not_enabled', 'amount_change_not_enabled', 'amount_change_not_enabled'],
  ],
  [{}, ['amount_change_not_enabled', 'amount_change_not_enabled', 'amount_change_not_enabled']],
  // What 0.1 permitted with one flag stays permitted.
  [{ customAmountAllowed: true }, ['done', 'done', 'done']],
] as const)(
  'with %j the merchant, the payer, and the merchant of the hold are answered %j',
  async (allowed, answers) => {
    const testAccount = await createTestAccount(testEnvironment);
    const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
    const config = {
      ...DEFAULT_INTENT_CONFIG,
      payment: { customAmountAllowed: false, tipsAllowed: false, ...allowed },
    };
    const request = { captureMode: 'Manual', details: { config, itemLines: [], taxLines: [] } } as const;
    const payable = await createIntent(testEnvironment, testAccount, { ...request, generateRemoteToken: true });
    const before = [
      await moneyOperations.changeAmount(payable, gbp(1)),
      await getOutcome(
        testEnvironment.database.transact(testAccount.scope, (tx) =>
          testEnvironment.amounts.changeAmountByPayer(tx, payable, gbp(1)),
        ),
      ),
    ];
    const { intentId: held } = await createPaidIntent(testEnvironment, testAccount, request);
    expect([...before, await moneyOperations.changeAmount(held, gbp(2_500))]).toEqual(answers);
    expect((await readIntent(testEnvironment, testAccount, held)).authorized).toEqual(
      gbp(answers[2] === 'done' ? 2_500 : 2_000),
    );
  },
);

test('a raise that the issuer refuses leaves the hold as it was', async () => {
  const { testAccount, id, moneyOperations } = await createHeldPayment();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Increase' }, effect: 'decline', times: 1 }]);
  expect(await moneyOperations.changeAmount(id, gbp(2_500))).toBe('amount_raise_refused');
  const { amount, authorized, pendingCapture } = await readIntent(testEnvironment, testAccount, id);
  expect([amount, authorized, pendingCapture]).toEqual([gbp(2_000), gbp(2_000), gbp(0)]);
  expect(await moneyOperations.capture(id, 2_000)).toBe('done');
  await expectConsistent(testEnvironment, testAccount);
});

test.each(listUnansweredCases('Increase'))(
  'a raise whose answer %s is repeated, and happens once',
  async (_title, rules) => {
    const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await moneyOperations.changeAmount(id, gbp(2_500))).toBe('acquirer_unanswered');
    expect([
      await moneyOperations.capture(id, 1),
      await moneyOperations.reverse(id),
      await moneyOperations.changeAmount(id, gbp(3_000)),
    ]).toEqual(Array.from({ length: 3 }, () => 'payment_intent_busy'));
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(testEnvironment, testAccount, id)).authorized).toEqual(gbp(2_500));
    expect(listBookings(testEnvironment, reference)).toEqual(['Increase 500 Approved']);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('fifty raises at once to one amount raise it once', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  const answers = await Promise.all(Array.from({ length: 50 }, () => moneyOperations.changeAmount(id, gbp(2_500))));
  expect(countAnswers(answers)['done']).toBe(1);
  expect(listBookings(testEnvironment, reference)).toEqual(['Increase 500 Approved']);
  await expectConsistent(testEnvironment, testAccount);
});
