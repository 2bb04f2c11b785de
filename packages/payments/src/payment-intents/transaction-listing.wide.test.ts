import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { findPaymentProduct } from '@pos/core/ledger';
import type { CardTransaction } from '@pos/store/payments';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import type { PaymentIntentRequest } from './payment-intents.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  type TestAccount,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { MoneyOperations } from '../testing/money-operations.js';
import { listTransactions, type TransactionPage, type TransactionQuery } from './transaction-listing.js';
import { testEvery } from '@pos/testing';

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

const ALL = { startDate: null, endDate: null, statuses: [], limit: 100 } as const;

function search(testAccount: TestAccount, request: Partial<TransactionQuery> = {}): Promise<TransactionPage> {
  return testEnvironment.database.read(testAccount.scope, (reader) =>
    listTransactions({ reader, accounts: testEnvironment.accounts }, { ...ALL, ...request }),
  );
}

/**
 * `Sale Authorized 2000`, oldest first: by its number, because the frozen clock of a test may not move between two.
 */
async function listLines(testAccount: TestAccount): Promise<string[]> {
  const { transactions } = await search(testAccount);
  return [...transactions].sort(byNumber).map(describeLine);
}

const byNumber = (first: CardTransaction, second: CardTransaction): number => first.legacyId - second.legacyId;

function describeLine({ type, status, amount, tipsAmount, cashbackAmount }: CardTransaction): string {
  const extras = [tipsAmount, cashbackAmount].filter(({ value }) => value > 0).map(({ value }) => ` + ${value}`);
  return `${type} ${status} ${amount.value}${extras.join('')}`;
}

interface TransactionScenario {
  readonly testAccount: TestAccount;
  readonly moneyOperations: MoneyOperations;
  /** A payment of £20 that was taken or held on a machine. */
  readonly paid: (request?: Partial<PaymentIntentRequest>) => Promise<`pi_${string}`>;
  /** A sale of £20 on a machine that has confirmed. */
  readonly startSale: (request?: Partial<PaymentIntentRequest>) => Promise<TestCardMachine>;
  readonly refunding: (paymentIntentId: string) => Promise<TestCardMachine>;
}

async function createScenario(): Promise<TransactionScenario> {
  const testAccount = await createTestAccount(testEnvironment);
  const confirmed = async (ordered: Promise<TestCardMachine>): Promise<TestCardMachine> => {
    const machine = await ordered;
    await machine.confirmSession();
    return machine;
  };
  return {
    testAccount,
    moneyOperations: new MoneyOperations(testEnvironment, testAccount),
    paid: async (request) => (await createPaidIntent(testEnvironment, testAccount, request)).intentId,
    startSale: async (request) =>
      confirmed(
        TestCardMachine.startSale(
          testEnvironment,
          testAccount,
          await createIntent(testEnvironment, testAccount, request),
        ),
      ),
    refunding: (paymentIntentId) =>
      confirmed(
        TestCardMachine.createSession(testEnvironment, testAccount, {
          sessionType: 'MatchedRefund',
          paymentIntentId,
          amount: gbp(500),
        }),
      ),
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
const decideSignature = (testAccount: TestAccount, machine: TestCardMachine, isAccepted: boolean) =>
  transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, isAccepted),
  );
const silence = () => {
  testEnvironment.acquirerServer.rules.replaceRules([{ match: {}, effect: 'down' }]);
};
const unlinked = (testAccount: TestAccount) =>
  TestCardMachine.createSession(testEnvironment, testAccount, {
    sessionType: 'UnlinkedRefund',
    amount: gbp(700),
    cardHolderNotPresent: false,
  });

// oxfmt-ignore
testEvery(5)<[string, (at: TransactionScenario) => Promise<unknown>, string[]]>([
  ['a payment is approved', ({ paid }) => paid(), ['Sale Authorized 2000']],
  ['a payment with tip, cashback and service charge is approved', ({ paid }) => paid({ tipsAmount: gbp(200), cashbackAmount: gbp(300), serviceChargeAmount: gbp(50) }), ['Sale Authorized 2050 + 200 + 300']],
  ['a payment is declined, and then paid', async ({ testAccount, startSale }) => {
    const machine = await startSale();
    await machine.declinePayment();
    await (await TestCardMachine.startSale(testEnvironment, testAccount, machine.session.paymentIntentId!)).approvePayment();
  }, ['Sale Declined 2000', 'Sale Authorized 2000']],
  ['a hold is declined', async ({ startSale }) => (await startSale(MANUAL)).declinePayment(), ['PreAuth Declined 2000']],
  ['no card is presented', async ({ startSale }) => (await startSale()).sendReport({ kind: 'canceled' }), []],
  ['money is held', ({ paid }) => paid(MANUAL), ['PreAuth AwaitingCollection 2000']],
  ['a hold is captured in part', async ({ paid, moneyOperations }) => moneyOperations.capture(await paid(MANUAL), 1_200, 100), ['PreAuth AwaitingCollection 2000', 'Collection Authorized 1200 + 100']],
  ['a hold is captured to the end', async ({ paid, moneyOperations }) => {
    const id = await paid(MANUAL);
    await moneyOperations.capture(id, 1_200);
    await moneyOperations.capture(id, 700, 100);
  }, ['PreAuth Authorized 2000', 'Collection Authorized 1200', 'Collection Authorized 700 + 100']],
  ['a capture is refused', async ({ paid, moneyOperations }) => {
    const id = await paid(MANUAL);
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
    await moneyOperations.capture(id, 1_200);
  }, ['PreAuth AwaitingCollection 2000']],
  ['a hold is raised', async ({ paid, moneyOperations }) => moneyOperations.changeAmount(await paid({ ...MANUAL, ...FLEXIBLE }), gbp(2_500)), ['PreAuth AwaitingCollection 2500']],
  ['the time of a hold is over', async ({ paid, testAccount }) => {
    await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' });
    await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  }, ['PreAuth Expired 2000']],
  ['the time of a hold is over, and a part of it was captured', async ({ paid, moneyOperations, testAccount }) => {
    await moneyOperations.capture(await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' }), 500);
    await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  }, ['PreAuth Released 2000', 'Collection Authorized 500']],
  ['a hold captures itself', async ({ paid, testAccount }) => {
    await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
    await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  }, ['PreAuth Authorized 2000', 'Collection Authorized 2000']],
  ['a hold whose own capture was refused is given up by the merchant', async ({ paid, moneyOperations, testAccount }) => {
    const id = await paid({ ...MANUAL, autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
    await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
    await moneyOperations.reverse(id);
  }, ['PreAuth Reversed 2000']],
  ['a refund ends the rest of a hold', async ({ paid, moneyOperations, testAccount }) => {
    const id = await paid(MANUAL);
    await moneyOperations.capture(id, 1_200);
    await moneyOperations.refund(id, 200);
    await runDueWork(testEnvironment, testAccount.scope);
  }, ['PreAuth Released 2000', 'Collection Authorized 1200', 'Refund Authorized 200']],
  ['a hold is reversed', async ({ paid, moneyOperations }) => moneyOperations.reverse(await paid(MANUAL)), ['PreAuth Reversed 2000']],
  ['a payment is reversed', async ({ paid, moneyOperations }) => moneyOperations.reverse(await paid()), ['Sale Reversed 2000']],
  ['a signature is waited for', async ({ startSale }) => (await startSale()).approvePayment(true), []],
  ['a signature is accepted', async ({ startSale, testAccount }) => {
    const machine = await startSale();
    await machine.approvePayment(true);
    await decideSignature(testAccount, machine, true);
  }, ['Sale Authorized 2000']],
  ['a signature is rejected', async ({ startSale, testAccount }) => {
    const machine = await startSale();
    await machine.approvePayment(true);
    await decideSignature(testAccount, machine, false);
  }, ['Sale Reversed 2000']],
  ['an approval comes after the intent was given up', async ({ startSale, testAccount }) => {
    const machine = await startSale();
    silence();
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    await elapseTime(testEnvironment, testAccount.scope, 61_000);
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await runDueWork(testEnvironment, testAccount.scope);
    await transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, machine.session.paymentIntentId!));
    await machine.declinePayment();
  }, []],
  ['a machine reports a decline, and then that it took the money after all, of an intent that was paid elsewhere', async ({ startSale, testAccount }) => {
    const machine = await startSale();
    const approval = await machine.chargeCard();
    await machine.sendReport({ kind: 'declined', result: { ...approval, authCode: '' } });
    await (await TestCardMachine.startSale(testEnvironment, testAccount, machine.session.paymentIntentId!)).approvePayment();
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
    await runDueWork(testEnvironment, testAccount.scope);
  }, ['Sale Reversed 2000', 'Sale Authorized 2000']],
  ['a payment is refunded in parts', async ({ paid, moneyOperations }) => {
    const id = await paid();
    await moneyOperations.refund(id, 500);
    await moneyOperations.refund(id, 1_500);
  }, ['Sale Authorized 2000', 'Refund Authorized 500', 'Refund Authorized 1500']],
  ['a refund is refused', async ({ paid, moneyOperations }) => {
    const id = await paid();
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'decline', times: 1 }]);
    await moneyOperations.refund(id, 500);
    await moneyOperations.refund(id, 400);
  }, ['Sale Authorized 2000', 'Refund Declined 500', 'Refund Authorized 400']],
  ['a refund on a machine is approved', async ({ paid, refunding }) => (await refunding(await paid())).approvePayment(), ['Sale Authorized 2000', 'Refund Authorized 500']],
  ['a refund on a machine is declined', async ({ paid, refunding }) => (await refunding(await paid())).declinePayment(), ['Sale Authorized 2000', 'Refund Declined 500']],
  ['a refund on a machine is cancelled there', async ({ paid, refunding }) => (await refunding(await paid())).sendReport({ kind: 'canceled' }), ['Sale Authorized 2000']],
  ['a refund without a payment is approved', async ({ testAccount }) => (await unlinked(testAccount)).approvePayment(), ['Refund Authorized 700']],
  ['a refund without a payment is declined', async ({ testAccount }) => (await unlinked(testAccount)).declinePayment(), ['Refund Declined 700']],
  ['a table gives a payment back on its day', async ({ paid, testAccount }) => giveBack(testAccount, await paid()), ['Sale Reversed 2000']],
  ['a table gives a payment back on another day', async ({ paid, testAccount }) => {
    const id = await paid();
    await elapseTime(testEnvironment, testAccount.scope, DAY_MS);
    await giveBack(testAccount, id);
  }, ['Sale Authorized 2000', 'Refund Authorized 2000']],
])('%s', async (_title, happens, lines) => {
  const at = await createScenario();
  await happens(at);
  expect(await listLines(at.testAccount)).toEqual(lines);
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await expectConsistent(testEnvironment, at.testAccount);
});

const giveBack = (testAccount: TestAccount, intentId: `pi_${string}`) =>
  testEnvironment.giveBack.giveBackPayment(testAccount.scope, {
    intentId,
    reference: `give-back ${testAccount.merchantId}`,
  });

test('a reversal that the acquirer refuses leaves the line as it was', async () => {
  const { testAccount, moneyOperations, paid } = await createScenario();
  const id = await paid();
  const originalReference = (await readIntent(testEnvironment, testAccount, id)).paymentDetails!.reference;
  // The acquirer has refunded a part without us, so it cannot undo the whole.
  await testEnvironment.acquirerServer.followUp('Refund', {
    reference: `other ${testAccount.merchantId}`,
    originalReference,
    amount: gbp(1),
  });
  expect(await moneyOperations.reverse(id)).toBe('reversal_refused');
  expect(await listLines(testAccount)).toEqual(['Sale Authorized 2000']);
});

test('a line contains its kind, its card and its machine; captures and refunds contain those of their payment', async () => {
  const { testAccount, moneyOperations, paid } = await createScenario();
  const id = await paid({ ...MANUAL, reference: 'table 9' });
  await moneyOperations.capture(id, 2_000);
  await moneyOperations.refund(id, 100);
  const { transactions } = await search(testAccount);
  const [sale, capture, refund] = [...transactions].sort(byNumber);
  const { paymentDetails } = await readIntent(testEnvironment, testAccount, id);
  const shared = {
    authCode: paymentDetails!.authCode,
    card: paymentDetails!.card,
    ...{ isCharge: false, paymentIntentId: id, reference: 'table 9', paymentSource: 'api' },
    terminalId: testAccount.terminals[0].id,
    merchantId: testAccount.merchantId,
  };
  expect(sale).toMatchObject({ ...shared, id: paymentDetails!.transactionId, legacyId: 1, type: 'PreAuth' });
  expect(capture).toMatchObject({ ...shared, legacyId: 2, type: 'Collection' });
  expect(refund).toMatchObject({ ...shared, legacyId: 3, type: 'Refund' });
  expect(new Set(transactions.map((each) => each.id)).size).toBe(3);
});

// oxfmt-ignore
test.each([
  [true, false, 'api', 'Terminal'], [true, false, 'pay-at-table', 'Terminal'], [true, false, null, 'Terminal'],
  [false, false, 'pay-at-table', 'PayByQr'], [false, false, 'api', 'OnlineCheckout'],
  [false, false, 'virtual-terminal', 'VirtualTerminal'], [false, false, 'payment-links', 'PaymentLinks'],
  [false, true, 'api', 'Other'], [false, true, 'payment-links', 'Other'],
] as const)('on a machine %s, a charge %s, begun by %s: %s', (isOnMachine, isCharge, source, product) => {
  expect(findPaymentProduct({ isOnMachine, isCharge, source })).toBe(product);
});

const NOW = Date.now();
const at = (days: number) => new Date(NOW + days * DAY_MS);

// oxfmt-ignore
test.each<[string, Partial<TransactionQuery>, string]>([
  ['a span of seven days', { startDate: at(-7), endDate: at(0) }, 'done'],
  ['a span of nothing', { startDate: at(0), endDate: at(0) }, 'done'],
  ['a millisecond more than seven days', { startDate: new Date(NOW - 7 * DAY_MS - 1), endDate: at(0) }, 'validation_failed'],
  ['a start after the end', { startDate: at(1), endDate: at(0) }, 'validation_failed'],
  ['a start that lies ahead, up to now', { startDate: at(30), endDate: null }, 'validation_failed'],
  ['a start long ago, up to now', { startDate: at(-30), endDate: null }, 'validation_failed'],
  ['an end long ago, from a week before it', { startDate: null, endDate: at(-300) }, 'done'],
  ['a cursor that is not ours', { after: 'x' }, 'validation_failed'],
  ['a cursor of another listing', { after: Buffer.from(JSON.stringify([1, `pi_sandbox_${'A'.repeat(22)}`])).toString('base64url') }, 'validation_failed'],
])('searching %s', async (_title, request, code) => {
  const testAccount = await createTestAccount(testEnvironment);
  expect(await getOutcome(search(testAccount, request))).toBe(code);
});

test('the start is inclusive, the end exclusive, and statuses select', async () => {
  const { testAccount, startSale, paid } = await createScenario();
  await (await startSale()).declinePayment();
  await elapseTime(testEnvironment, testAccount.scope, DAY_MS);
  await paid();
  const [first, second] = (await search(testAccount)).transactions.toSorted(byNumber).map(({ createdAt }) => createdAt);
  const found = async (request: Partial<TransactionQuery>) =>
    (await search(testAccount, request)).transactions.map(describeLine);
  expect(await found({ startDate: first!, endDate: second! })).toEqual(['Sale Declined 2000']);
  expect(await found({ startDate: second!, endDate: null })).toEqual(['Sale Authorized 2000']);
  expect(await found({ statuses: ['Declined', 'Reversed'] })).toEqual(['Sale Declined 2000']);
  expect(await found({ statuses: ['Held'] })).toEqual([]);
});

test('pages neither repeat nor miss a line while others are written, and belong to one account', async () => {
  const { testAccount, moneyOperations, paid } = await createScenario();
  const id = await paid();
  for (let n = 0; n < 5; n += 1) await moneyOperations.refund(id, 100 + n);
  const whole = (await search(testAccount)).transactions.map(describeLine);
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await search(testAccount, { limit: 2, ...(after !== undefined && { after }) });
    seen.push(...page.transactions.map(describeLine));
    after = page.after ?? undefined;
    await moneyOperations.refund(id, 1);
  } while (after !== undefined && seen.length < 10);
  expect(seen).toEqual(whole);
  expect((await search(await createTestAccount(testEnvironment))).transactions).toEqual([]);
});

test('concurrent payments of one account get different numbers without a gap', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  const amounts = Array.from({ length: 20 }, (_, n) => 10 + n);
  await Promise.all(amounts.map((amount) => moneyOperations.refund(intentId, amount)));
  const numbers = (await search(testAccount)).transactions.map(({ legacyId }) => legacyId).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  await expectConsistent(testEnvironment, testAccount);
});
