import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PaymentIntentId } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { createRelayedPayment } from '@pos/core/tables';
import { gbp } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { findIntent, lockIntent } from '@pos/store/payments';
import {
  endDepositClaims,
  findDepositClaim,
  insertProvedTransaction,
  insertTablePayment,
  releaseDepositClaims,
  settleDepositClaims,
} from '@pos/store/tables';
import { proveByIntent } from '../tables/device-payments.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { createDeferred, waitUntilBlocked } from '../testing/lock-waits.js';
import { MoneyOperations } from '../testing/money-operations.js';
import { TestEpos } from '../testing/order-epos.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  FULL_PERMISSIONS,
  getOutcome,
  moveClock,
  readIntent,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { claimDeposit } from './deposits.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

/** A test account, and the deposits of its parties. */
class DepositAccount {
  readonly money: MoneyOperations;

  constructor(readonly testAccount: TestAccount) {
    this.money = new MoneyOperations(testEnvironment, testAccount);
  }

  static async create(settings = {}): Promise<DepositAccount> {
    return new DepositAccount(await createTestAccount(testEnvironment, settings));
  }

  async pay(captureMode: 'Auto' | 'Manual' = 'Auto'): Promise<PaymentIntentId> {
    return (await createPaidIntent(testEnvironment, this.testAccount, { captureMode })).intentId;
  }

  /** Claims the deposit of a party that starts now; each payment is over 20.00. */
  async claim(party: string, value: number, ...paymentIntentIds: string[]): Promise<string> {
    const deposit = { totalAmount: gbp(value), paymentIntentIds };
    return getOutcome(
      transactAs(testEnvironment, this.testAccount, (tx) => claimDeposit(tx, party, { startTime: tx.now, deposit })),
    );
  }

  release(party: string): Promise<void> {
    return transactAs(testEnvironment, this.testAccount, (tx) => releaseDepositClaims(tx, party));
  }

  find(id: PaymentIntentId) {
    return testEnvironment.database.read(this.testAccount.scope, (reader) => findDepositClaim(reader, id));
  }
}

describe('a payment', () => {
  test('is the deposit of one party, until the party gives it up', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    expect(await account.claim('party-1', 100, id)).toBe('done');
    expect(await account.claim('party-1', 100, id)).toBe('done');
    expect(await account.claim('party-2', 100, id)).toBe('payment_intent_is_deposit');
    await account.release('party-2');
    expect(await account.claim('party-2', 100, id)).toBe('payment_intent_is_deposit');
    await account.release('party-1');
    expect(await account.claim('party-2', 100, id)).toBe('done');
  });

  test('of another account is unknown, and its claim is no other account’s', async () => {
    const [one, other] = [await DepositAccount.create(), await DepositAccount.create()];
    const id = await one.pay();
    expect(await other.claim('party-1', 100, id)).toBe('payment_intent_unknown');
    expect(await one.claim('party-1', 100, id)).toBe('done');
    await other.release('party-1');
    expect(await one.find(id)).toMatchObject({ serviceId: 'party-1' });
  });

  test('becomes the deposit of exactly one of the parties that name it at once', async () => {
    const account = await DepositAccount.create();
    const ids = [await account.pay(), await account.pay()];
    // Each names both, in another order.
    const claims = Array.from({ length: 12 }, (_, at) =>
      account.claim(`party-${at}`, 4_000, ...(at % 2 === 0 ? ids : ids.toReversed())),
    );
    const outcomes = await Promise.all(claims);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'payment_intent_is_deposit']));
    const [first, second] = await Promise.all(ids.map((id) => account.find(id)));
    expect(first?.serviceId).toBe(second?.serviceId);
  });

  test('is locked before those with a greater id, in each order in which they are named', async () => {
    const account = await DepositAccount.create();
    const [first = '', second = ''] = [await account.pay(), await account.pay()].toSorted();
    const { promise, resolve } = createDeferred();
    const locked = createDeferred();
    const { scope } = account.testAccount;
    const holder = testEnvironment.database.transact(scope, async (tx) => {
      await lockIntent(tx, first);
      locked.resolve();
      await promise;
    });
    await locked.promise;
    const claim = account.claim('party-1', 4_000, second, first);
    await waitUntilBlocked(testEnvironment.database);
    // Nobody else waits for the second one.
    const sql = 'select id from payment_intents where id = $1 for no key update nowait';
    expect(await testEnvironment.database.dataSource.query(sql, [second])).toHaveLength(1);
    resolve();
    await holder;
    expect(await claim).toBe('done');
  });

  test('that one party cannot have leaves the other payments of the deposit free', async () => {
    const account = await DepositAccount.create();
    const [taken, free] = [await account.pay(), await account.pay()];
    await account.claim('party-1', 100, taken);
    expect(await account.claim('party-2', 4_000, free, taken)).toBe('payment_intent_is_deposit');
    expect(await account.find(free)).toBeNull();
  });
});

describe('the sum of a deposit', () => {
  test('is covered by several payments, each of which counts once', async () => {
    const account = await DepositAccount.create();
    const [one, two, three] = [await account.pay(), await account.pay(), await account.pay()];
    expect(await account.claim('party-1', 2_001, one, one)).toBe('validation_failed');
    expect(await account.claim('party-1', 4_001, one, two)).toBe('validation_failed');
    expect(await account.find(one)).toBeNull();
    expect(await account.claim('party-1', 2_500, one, two, three)).toBe('done');
    const parts = await Promise.all([one, two, three].map(async (id) => (await account.find(id))?.amount.value));
    expect(parts).toEqual([2_000, 500, undefined]);
    expect(await account.claim('party-2', 2_000, three)).toBe('done');
  });

  test('names no payment without money, although the others cover it', async () => {
    const account = await DepositAccount.create();
    const [paid, unpaid] = [await account.pay(), await createIntent(testEnvironment, account.testAccount)];
    const deposit = { totalAmount: gbp(100), paymentIntentIds: [paid, unpaid] };
    const claim = transactAs(testEnvironment, account.testAccount, (tx) =>
      claimDeposit(tx, 'party-1', { startTime: tx.now, deposit }),
    );
    await expect(claim).rejects.toMatchObject({
      members: { 'deposit.paymentIntentIds': [`${unpaid} has no money.`] },
    });
    expect(await account.find(paid)).toBeNull();
  });

  test('of a party that changes may leave a payment of before free', async () => {
    const account = await DepositAccount.create();
    const [one, two] = [await account.pay(), await account.pay()];
    await account.claim('party-1', 2_500, one, two);
    // Until the EPOS has answered it may have either deposit.
    expect(await account.claim('party-1', 2_000, one, two)).toBe('done');
    expect((await account.find(two))?.amount.value).toBe(500);
  });

  test('must have the currency of its payments, and is no unpaid money', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    const deposit = { totalAmount: { value: 100, currencyCode: 'EUR' }, paymentIntentIds: [id] };
    const claim = transactAs(testEnvironment, account.testAccount, (tx) =>
      claimDeposit(tx, 'party-1', { startTime: tx.now, deposit }),
    );
    await expect(claim).rejects.toMatchObject({
      members: { 'deposit.totalAmount': [expect.stringContaining('currency')] },
    });
    const unpaid = await createIntent(testEnvironment, account.testAccount);
    expect(await account.claim('party-1', 1, unpaid)).toBe('validation_failed');
  });

  test('of a party that changes is the larger one until the EPOS has answered', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    const part = async () => (await account.find(id))?.amount.value;
    await account.claim('party-1', 1_500, id);
    await account.claim('party-1', 100, id);
    expect(await part()).toBe(1_500);
    await account.claim('party-1', 1_600, id);
    expect(await part()).toBe(1_600);
    const after = { intentId: id, amount: gbp(100), heldUntil: new Date(), startsAt: new Date() };
    await transactAs(testEnvironment, account.testAccount, (tx) => settleDepositClaims(tx, 'party-1', [after]));
    expect(await part()).toBe(100);
  });
});

describe('money of a deposit', () => {
  test('that has paid a bill is refused', async () => {
    const account = await DepositAccount.create();
    const { testAccount } = account;
    const [proved, proved2, recorded] = [await account.pay(), await account.pay(), await account.pay()];
    await testEnvironment.database.dataSource.query(
      `update payment_intents set payment_details = jsonb_set(payment_details, '{acquirerTransactionId}', '"ACQ-9"') where id = $1`,
      [proved2],
    );
    await transactAs(testEnvironment, testAccount, async (tx) => {
      const intent = requireValue(await findIntent(tx, proved), 'the payment');
      const { transactionId } = requireValue(intent.paymentDetails, 'its card transaction');
      insertProvedTransaction(tx, { transactionId, paymentId: 'payment-1' });
      // A device may have named the acquirer's own id.
      insertProvedTransaction(tx, { transactionId: 'ACQ-9', paymentId: 'payment-2' });
      await recordPayment(tx, recorded);
    });
    for (const id of [proved, proved2, recorded])
      expect(await account.claim('party-1', 100, id)).toBe('validation_failed');
  });

  test('pays a bill or is the deposit, never both', async () => {
    const account = await DepositAccount.create();
    const { testAccount } = account;
    const outcomes: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const id = await account.pay();
      await testEnvironment.database.dataSource.query(
        `update payment_intents set payment_details = jsonb_set(payment_details, '{transactionDateTime}', to_jsonb($2::text))
         where id = $1`,
        [id, new Date().toISOString()],
      );
      const intent = await readIntent(testEnvironment, testAccount, id);
      const bill = {
        ...{ paymentId: randomUUID(), transactionId: requireValue(intent.paymentDetails, 'details').transactionId },
        ...{ isCardPresent: true, tids: [testAccount.terminals[0].tid], total: gbp(2_000), cashback: gbp(0) },
        attemptedAt: new Date(),
      };
      const prove = () => transactAs(testEnvironment, testAccount, (tx) => proveByIntent(tx, bill));
      const [claimed, proof] = await Promise.all([account.claim(`party-${round}`, 100, id), prove()]);
      outcomes.push(`${claimed} ${proof.outcome}`);
      expect((await prove()).outcome).toBe(proof.outcome);
    }
    expect(outcomes.filter((each) => each !== 'done refused' && each !== 'validation_failed proved')).toEqual([]);
  });

  test('pays no order in advance, and the money of an order is no deposit', async () => {
    const testEpos = await TestEpos.open(testEnvironment);
    const account = new DepositAccount(testEpos.testAccount);
    const [deposit, ordered] = [await testEpos.createHeldPayment(), await testEpos.createHeldPayment()];
    expect(await account.claim('party-1', 100, deposit)).toBe('done');
    expect(await getOutcome(testEpos.submitOrder(deposit))).toBe('order_not_placeable');
    await testEpos.submitOrder(ordered);
    expect(await account.claim('party-2', 100, ordered)).toBe('validation_failed');
    await account.release('party-1');
    expect(await getOutcome(testEpos.submitOrder(deposit))).toBe('done');
  });
});

describe('a return of the money', () => {
  test('is refused as far as the party needs it, and accepted once the party gives it up', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    await account.claim('party-1', 1_500, id);
    expect(await account.money.refund(id, 501)).toBe('payment_intent_is_deposit');
    expect(await account.money.refund(id, 500)).toBe('done');
    expect(await account.money.refund(id, 1)).toBe('payment_intent_is_deposit');
    await account.release('party-1');
    expect(await account.money.refund(id, 1_500)).toBe('done');
  });

  test.each(['Auto', 'Manual'] as const)('is no reversal of a payment with capture %s either', async (captureMode) => {
    const account = await DepositAccount.create();
    const id = await account.pay(captureMode);
    await account.claim('party-1', 1, id);
    expect(await account.money.reverse(id)).toBe('payment_intent_is_deposit');
    await account.release('party-1');
    expect(await account.money.reverse(id)).toBe('done');
    expect(await account.claim('party-1', 1, id)).toBe('validation_failed');
  });

  test('is no refund over a card machine either', async () => {
    const account = await DepositAccount.create();
    const { testAccount } = account;
    const id = await account.pay();
    await account.claim('party-1', 1_500, id);
    const [terminal] = testAccount.terminals;
    const refund = (value: number) =>
      getOutcome(
        transactAs(testEnvironment, testAccount, (tx) =>
          testEnvironment.sessions.create(tx, FULL_PERMISSIONS, {
            ...{ sessionType: 'MatchedRefund', paymentIntentId: id, amount: gbp(value), terminalId: terminal.id },
          }),
        ),
      );
    expect(await refund(501)).toBe('payment_intent_is_deposit');
    expect(await refund(500)).toBe('done');
  });

  test('is accepted once the party has left, and the payment is no other party’s deposit', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    await account.claim('party-1', 2_000, id);
    await transactAs(testEnvironment, account.testAccount, (tx) => endDepositClaims(tx, 'party-1'));
    await account.release('party-1');
    expect(await account.claim('party-2', 100, id)).toBe('payment_intent_is_deposit');
    expect(await account.money.refund(id, 2_000)).toBe('done');
  });

  test('is accepted a day after the party was expected', async () => {
    const account = await DepositAccount.create();
    const id = await account.pay();
    await account.claim('party-1', 2_000, id);
    await moveClock(testEnvironment, account.testAccount.scope, DAY_MS - HOUR_MS);
    expect(await account.money.refund(id, 1)).toBe('payment_intent_is_deposit');
    await moveClock(testEnvironment, account.testAccount.scope, 2 * HOUR_MS);
    expect(await account.money.refund(id, 1)).toBe('done');
  });
});

/** Records a payment at a table that the intent has paid. */
async function recordPayment(tx: Parameters<typeof insertTablePayment>[0], intentId: PaymentIntentId): Promise<void> {
  const none = { journeyId: null, leaseId: null, orderId: null };
  const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
  const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
  const { payment } = createRelayedPayment({ ...part, intentId }, new Uint8Array([1]), tx.databaseNow);
  await insertTablePayment(tx, payment);
}
