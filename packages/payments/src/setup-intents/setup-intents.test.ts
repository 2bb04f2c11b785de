import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { applyCallMove, createAcquirerCall, concludeAcquirerCall } from '@pos/core/acquirer-calls';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import type { SetupIntentId } from '@pos/core/identity';
import {
  authoriseSetup,
  completeSetup,
  declineSetup,
  type SetupDecision,
  type SetupIntent,
  storeSetupCard,
} from '@pos/core/setup-intents';
import { createApproval, getDecline, NOTHING, VISA } from '@pos/core/testing';
import {
  insertAcquirerCall,
  listSetupEvents,
  lockAcquirerCall,
  lockSetupIntent,
  updateAcquirerCall,
} from '@pos/store/payments';
import { verifySetupChain } from '@pos/store/testing';
import { defineStatement } from '@pos/postgres/statements';
import { commitSetupIntent } from './setup-intent-commit.js';
import type { SetupIntentRequest } from './setup-intents.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  listTimers,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
});
afterAll(() => testEnvironment.close());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function createSetupRequest(request: Partial<SetupIntentRequest> = {}): SetupIntentRequest {
  return {
    merchantInitiatedTransactionType: 'NoShow',
    terms: 'A no-show pays £25.00.',
    intendedAmount: null,
    reference: 'Saturday',
    description: null,
    paymentMethods: ['Card'],
    paymentSource: 'api',
    expireAt: null,
    metadata: {},
    savedCard: {},
    details: { config: DEFAULT_INTENT_CONFIG },
    ...request,
  };
}

const create = async (request: Partial<SetupIntentRequest> = {}): Promise<SetupIntentId> =>
  (
    await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.setups.create(tx, createSetupRequest(request)),
    )
  ).setup.id;
const read = (id: string) =>
  testEnvironment.database.read(testAccount.scope, (reader) => testEnvironment.setups.get(reader, id));
const statusOf = async (id: string) => (await read(id)).setup.status;
const decide = (id: string, change: (setup: SetupIntent, now: Date) => SetupDecision) =>
  transactAs(testEnvironment, testAccount, async (tx) => {
    const locked = (await lockSetupIntent(tx, id))!;
    return commitSetupIntent(tx, locked, change(locked.setup, tx.now));
  });
/** The card's last month ends that many months after this one. */
const approve = (id: string, expiryDate: string | null = null) =>
  decide(id, (setup, now) => authoriseSetup(setup, { ...createApproval(NOTHING), card: { ...VISA, expiryDate } }, now));
const inDays = async (days: number) => {
  const [row] = await testEnvironment.database.read(testAccount.scope, (reader) =>
    reader.query<{ offset_ms: number }>(OFFSET, [testAccount.scope.accountId]),
  );
  const at = new Date(Date.now() + (row?.offset_ms ?? 0) + days * DAY_MS);
  return at.toISOString().slice(0, 10);
};
const OFFSET = defineStatement('test_offset', 'select offset_ms from sandbox_clocks where account_id = $1');

describe('a setup intent that is not paid', () => {
  test('expires after 30 days of the account, and its secret after 30 minutes', async () => {
    const id = await create();
    expect((await read(id)).setup.clientSecret).toMatch(/^[\w-]{158}==$/);
    await elapseTime(testEnvironment, testAccount.scope, 31 * MINUTE_MS);
    expect((await read(id)).setup).toMatchObject({ status: 'Created', clientSecret: null, clientSecretExpireAt: null });
    await elapseTime(testEnvironment, testAccount.scope, 29 * DAY_MS);
    expect(await statusOf(id)).toBe('Created');
    await elapseTime(testEnvironment, testAccount.scope, DAY_MS);
    expect([await statusOf(id), (await read(id)).events, await listTimers(testEnvironment, testAccount)]).toEqual([
      'Expired',
      [],
      [],
    ]);
  });

  test('waits to end until a running attempt has ended', async () => {
    const id = await create();
    await transactAs(testEnvironment, testAccount, (tx) =>
      insertAcquirerCall(
        tx,
        createAcquirerCall({
          ...{
            reference: `check ${id}`,
            kind: 'Authorise',
            acquirer: 'default',
            merchantId: 'M-1',
            originalReference: null,
            terminalSessionId: null,
          },
          ...{ paymentIntentId: null, setupIntentId: id, amount: NOTHING, deadlineAt: tx.databaseNow },
        }),
      ),
    );
    const give = () =>
      transactAs(testEnvironment, testAccount, (tx) =>
        testEnvironment.setups.cancel(tx, id, { includeAuthorized: true }),
      );
    const refresh = () =>
      transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.refreshSecret(tx, id));
    expect([await getOutcome(give()), await getOutcome(refresh())]).toEqual(['setup_intent_busy', 'setup_intent_busy']);
    await elapseTime(testEnvironment, testAccount.scope, 31 * DAY_MS);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual([
      'Created',
      [`setup-expiry ${id}`],
    ]);
    await transactAs(testEnvironment, testAccount, async (tx) => {
      const call = (await lockAcquirerCall(tx, `check ${id}`))!;
      await updateAcquirerCall(tx, concludeAcquirerCall(applyCallMove(call, 'decline'), 'Declined'));
    });
    await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual(['Expired', []]);
  });

  test('keeps its deadline no longer than it is needed when it is given up or authorised', async () => {
    const given = await create();
    const authorised = await create();
    expect(await listTimers(testEnvironment, testAccount)).toHaveLength(2);
    await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.setups.cancel(tx, given, { includeAuthorized: false }),
    );
    await approve(authorised);
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await elapseTime(testEnvironment, testAccount.scope, 40 * DAY_MS);
    expect([await statusOf(given), await statusOf(authorised)]).toEqual(['Canceled', 'Authorized']);
  });
});

describe('a stored card', () => {
  test('expires with its month, also long after it was authorised', async () => {
    const id = await create();
    await approve(id, await inDays(90));
    await elapseTime(testEnvironment, testAccount.scope, 89 * DAY_MS);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual([
      'Authorized',
      [`setup-card-expiry ${id}`],
    ]);
    await elapseTime(testEnvironment, testAccount.scope, 2 * DAY_MS);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual(['CardExpired', []]);
    expect((await read(id)).setup.cardExpireAt).toBeNull();
  });

  test('expires before it is authorised, and takes the setup with it', async () => {
    const id = await create();
    const expiryDate = await inDays(1);
    await decide(id, (setup, now) => storeSetupCard(setup, { expiryDate }, now));
    await elapseTime(testEnvironment, testAccount.scope, 3 * DAY_MS);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual(['CardExpired', []]);
  });

  test.each<[string, (id: string) => Promise<unknown>, string]>([
    ['declined', (id) => decide(id, (setup, now) => declineSetup(setup, getDecline(), now)), 'Created'],
    [
      'charged',
      async (id) => {
        await approve(id, await inDays(60));
        return decide(id, (setup, now) => completeSetup(setup, createApproval(NOTHING), now));
      },
      'Completed',
    ],
    [
      'given up',
      async (id) => {
        await approve(id, await inDays(60));
        return transactAs(testEnvironment, testAccount, (tx) =>
          testEnvironment.setups.cancel(tx, id, { includeAuthorized: true }),
        );
      },
      'Closed',
    ],
  ])('that is %s is waited for no longer', async (_, end, status) => {
    const id = await create();
    const expiryDate = await inDays(60);
    await decide(id, (setup, now) => storeSetupCard(setup, { expiryDate }, now));
    expect(await listTimers(testEnvironment, testAccount)).toContain(`setup-card-expiry ${id}`);
    await end(id);
    expect([await statusOf(id), await listTimers(testEnvironment, testAccount)]).toEqual([
      status,
      status === 'Created' ? [`setup-expiry ${id}`] : [],
    ]);
  });

  test('that replaces another one expires at its own time', async () => {
    const id = await create({ expireAt: new Date('2999-01-01T00:00:00.000Z') });
    for (const days of [30, 90]) {
      const expiryDate = await inDays(days);
      await decide(id, (setup, now) => storeSetupCard(setup, { expiryDate }, now));
    }
    await elapseTime(testEnvironment, testAccount.scope, 60 * DAY_MS);
    expect(await statusOf(id)).toBe('Created');
    await elapseTime(testEnvironment, testAccount.scope, 32 * DAY_MS);
    expect(await statusOf(id)).toBe('CardExpired');
  });
});

test('the history of a setup is intact after every operation', async () => {
  const id = await create();
  await decide(id, (setup, now) => declineSetup(setup, getDecline(), now));
  await transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.refreshSecret(tx, id));
  await approve(id);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.setups.cancel(tx, id, { includeAuthorized: true }),
  );
  const [events, faults] = await testEnvironment.database.readSnapshot(testAccount.scope, (snapshot) =>
    Promise.all([listSetupEvents(snapshot, id), verifySetupChain(snapshot, id)]),
  );
  expect([events.map(({ eventType }) => eventType), faults]).toEqual([['Declined', 'Authorized', 'Canceled'], []]);
});

describe('a payment that charges the card', () => {
  test('needs a setup intent that is authorised when the payment is stored', async () => {
    const id = await create();
    const name = () => createIntent(testEnvironment, testAccount, { setupIntentId: id });
    expect(await getOutcome(name())).toBe('validation_failed');
    await approve(id);
    const payment = await name();
    expect(await statusOf(id)).toBe('Authorized');
    await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.setups.cancel(tx, id, { includeAuthorized: true }),
    );
    expect(await getOutcome(name())).toBe('validation_failed');
    expect(
      (
        await testEnvironment.database.read(testAccount.scope, (reader) =>
          testEnvironment.intents.get(reader, payment, { returnCanceled: false }),
        )
      ).intent.setupIntentId,
    ).toBe(id);
  });

  test('and the cancellation of that setup come one after the other, in either order', async () => {
    const other = await createTestAccount(testEnvironment);
    for (let round = 0; round < 5; round += 1) {
      const id = await create();
      await approve(id);
      const [payment] = await Promise.allSettled([
        createIntent(testEnvironment, testAccount, { setupIntentId: id }),
        transactAs(testEnvironment, testAccount, (tx) =>
          testEnvironment.setups.cancel(tx, id, { includeAuthorized: true }),
        ),
      ]);
      expect(await statusOf(id)).toBe('Closed');
      if (payment.status === 'rejected') expect(payment.reason).toMatchObject({ code: 'validation_failed' });
      expect(await getOutcome(createIntent(testEnvironment, other, { setupIntentId: id }))).toBe('validation_failed');
    }
    await runDueWork(testEnvironment, testAccount.scope);
  });
});
