import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import type { PaymentIntentId } from '@pos/core/identity';
import { createOnlineApproval, createSetupRequest, gbp } from '@pos/core/testing';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { Charges } from '@pos/payments/captures-refunds';
import { OnlinePayments } from '@pos/payments/online';
import {
  createIntent,
  createOperation,
  createPaidIntent,
  createSubmission,
  createTestEnvironment,
  createUnansweredAttempt,
  elapseTime,
  getOutcome,
  JourneyTransfers,
  listBookings,
  listPublishedStates,
  MoneyOperations,
  readCall,
  readIntent,
  runDueWork,
  type SetupIntentRequest,
  type TestAccount,
  TestCardMachine,
  type TestEnvironment,
  TestEpos,
  transactAs,
} from '@pos/payments/testing';
import { Leases, TablePayments } from '@pos/payments/tables';
import { disableAccount, enableAccount } from './account-administration.js';

const CHANGE = { actor: 'anna', reason: 'contract ended' };

let testEnvironment: TestEnvironment;
let epos: TestEpos;
let testAccount: TestAccount;
let online: OnlinePayments;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  epos = await TestEpos.open(testEnvironment);
  ({ testAccount } = epos);
  online = new OnlinePayments(testEnvironment);
});
afterAll(() => testEnvironment.close());

async function changeStatus(change: typeof disableAccount): Promise<void> {
  await transactAs(testEnvironment, testAccount, (tx) => change(tx, CHANGE));
  testEnvironment.expireAccounts();
}

const SETUP_REQUEST: SetupIntentRequest = { ...createSetupRequest(), savedCard: {} };
const newIntent = (more: Parameters<typeof createIntent>[2] = {}) => createIntent(testEnvironment, testAccount, more);
const newSetup = async () =>
  (await transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.create(tx, SETUP_REQUEST))).setup;

async function refreshSecret(id: PaymentIntentId): Promise<string> {
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecretPublic(tx, id),
  );
  return requireValue(intent.clientSecret, 'the secret');
}

const DECLINED: AcquirerAnswer = {
  outcome: 'declined',
  decline: { reference: 'r', transactionId: 't', transactionDateTime: '', message: 'DECLINED', card: null },
};
const payWith = (secret: string, answer: AcquirerAnswer) =>
  online.pay(
    { ...createSubmission(secret), isConsentGiven: true },
    { authorise: () => Promise.resolve(answer), storeCard: () => undefined },
  );

/** Each prepares what exists before the account is disabled, and returns what starts something new. */
const STARTS: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'a payment by API': () => Promise.resolve(() => newIntent()),
  'a setup by API': () => Promise.resolve(() => newSetup()),
  'a new secret for the page of a payment': async () => {
    const id = await newIntent();
    return () => refreshSecret(id);
  },
  'a new secret for the page of a setup': async () => {
    const { id } = await newSetup();
    return () => transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.refreshSecretPublic(tx, id));
  },
  'the device data of a payer': async () => {
    const secret = await refreshSecret(await newIntent());
    return () => online.requireUsableSecret(secret);
  },
  'a payment by a typed card': async () => {
    const secret = await refreshSecret(await newIntent());
    return () => payWith(secret, DECLINED);
  },
  'a setup of a payer': async () => {
    const { clientSecret } = await newSetup();
    return () => payWith(requireValue(clientSecret, 'the secret'), DECLINED);
  },
  'a session of a card machine': async () => {
    const paymentIntentId = await newIntent();
    return () => TestCardMachine.startSale(testEnvironment, testAccount, paymentIntentId);
  },
  'an order that is paid in advance': async () => {
    const id = await epos.createPayment();
    return () => epos.submitOrder(id);
  },
};

/** The same for what needs more than this test has: they are refused before anything else of them is read. */
const REFUSED_FIRST: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'a payment by a saved card': async () => {
    const secret = await refreshSecret(await newIntent({ paymentMethods: ['Card', 'SavedCard'] }));
    const submission = { ...createSubmission(secret), customerSecret: 'cs', paymentMethodId: 'pm' };
    return () => online.payWithSavedCard(submission, () => Promise.reject(new Error('a card was opened')));
  },
  'a charge of a stored card': async () => {
    const id = await newIntent();
    const charges = new Charges({ ...testEnvironment, vault: {} as never });
    return () => charges.charge(createOperation(testEnvironment, testAccount), id);
  },
  'a payment at a table': () => {
    const { accounts, intents, sessions, queue } = testEnvironment;
    const tablePayments = new TablePayments({ accounts, intents, sessions, leases: new Leases(), queue });
    const start = (tx: Parameters<TablePayments['startPayment']>[0]) =>
      tablePayments.startPayment(tx, { permissions: new Set() }, {} as never);
    return Promise.resolve(() => transactAs(testEnvironment, testAccount, start));
  },
};

const held = async () => createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });

/** Each begins something, and returns how it is finished and what then has to be true. */
const FINISHES: Readonly<Record<string, () => Promise<() => Promise<readonly [unknown, unknown]>>>> = {
  'the capture of a hold': async () => {
    const { intentId, reference } = await held();
    return async () => {
      const outcome = await new MoneyOperations(testEnvironment, testAccount).capture(intentId, 2_000);
      return [
        [outcome, listBookings(testEnvironment, reference)],
        ['done', ['Capture 2000 Approved']],
      ];
    };
  },
  'a refund that is reserved': async () => {
    const { intentId, reference } = await createPaidIntent(testEnvironment, testAccount);
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'down' }]);
    const outcome = await new MoneyOperations(testEnvironment, testAccount).refund(intentId, 500);
    testEnvironment.acquirerServer.rules.replaceRules([]);
    return async () => {
      await elapseTime(testEnvironment, testAccount.scope, 60_000);
      return [
        [outcome, listBookings(testEnvironment, reference)],
        ['acquirer_unanswered', ['Refund 500 Approved']],
      ];
    };
  },
  'an attempt whose answer was lost': async () => {
    const { reference } = await createUnansweredAttempt(testEnvironment, testAccount);
    return async () => {
      await elapseTime(testEnvironment, testAccount.scope, 180_000);
      await runDueWork(testEnvironment, testAccount.scope);
      const { state, outcome } = await readCall(testEnvironment, testAccount, reference);
      return [
        [state, outcome],
        ['Settled', 'Reversed'],
      ];
    };
  },
  'the challenge of an attempt': async () => {
    const id = await newIntent();
    const secret = await refreshSecret(id);
    const challenge = { transactionId: 'tx-1', card: null, stepUpUrl: 'https://issuer.example', paReq: 'p', md: 'm' };
    await payWith(secret, { outcome: 'challenged', ...challenge });
    return async () => {
      await online.completeChallenge({ secret, transactionId: 'tx-1', paRes: 'Y' }, ({ reference }) => {
        const approval = createOnlineApproval(gbp(2_000), { reference });
        return Promise.resolve({ outcome: 'approved', approval });
      });
      return [(await readIntent(testEnvironment, testAccount, id)).status, 'Captured'];
    };
  },
  // Last: its machine is in use until the report.
  'the report of a machine that has the card': async () => {
    const id = await newIntent();
    const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
    await machine.confirmSession();
    return async () => {
      await machine.approvePayment();
      const events = await listPublishedStates(testEnvironment, testAccount.scope, id);
      return [
        [(await readIntent(testEnvironment, testAccount, id)).status, events.at(-1)],
        ['Captured', 'Captured'],
      ];
    };
  },
};

test('a disabled account starts nothing, what runs is finished, and an enabled one starts again', async () => {
  const starts = await prepare({ ...STARTS, ...REFUSED_FIRST });
  const finishes = await prepare(FINISHES);
  await changeStatus(disableAccount);
  for (const [name, start] of starts) expect([name, await getOutcome(start())]).toEqual([name, 'account_disabled']);
  for (const [name, finish] of finishes) {
    const [found, expected] = await finish();
    expect([name, found]).toEqual([name, expected]);
  }
  await changeStatus(enableAccount);
  for (const [name, start] of starts) {
    if (name in STARTS) expect([name, await getOutcome(start())]).toEqual([name, 'done']);
  }
}, 60_000);

test('a payment that moves to another machine ends unpaid when the account is disabled meanwhile', async () => {
  const intentId = await newIntent();
  const [, second] = testAccount.terminals;
  const transfers = new JourneyTransfers({ leases: new Leases(), sessions: testEnvironment.sessions });
  await changeStatus(disableAccount);
  const next = await transactAs(testEnvironment, testAccount, (tx) =>
    transfers.startOnNextTerminal(tx, { intentId } as never, second.id),
  );
  expect(next).toEqual({
    ...{ kind: 'ended', reason: 'cancelled' },
    note: 'the payment could not be moved: the merchant takes no payments now',
  });
  await changeStatus(enableAccount);
}, 30_000);

async function prepare<T>(table: Readonly<Record<string, () => Promise<T>>>): Promise<(readonly [string, T])[]> {
  const prepared: (readonly [string, T])[] = [];
  for (const [name, make] of Object.entries(table)) prepared.push([name, await make()]);
  return prepared;
}
