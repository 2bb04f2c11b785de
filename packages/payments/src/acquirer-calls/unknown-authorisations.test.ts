import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { gbp } from '@pos/core/testing';
import { HOUR_MS } from '@pos/core/time';
import { type CapabilityLimits } from '@pos/sandbox/acquirer';
import { APPROVED } from '@pos/sandbox/testing';
import { listAlarmPage } from '../alarms/alarms.js';
import { createUnansweredAttempt } from '../testing/online-attempts.js';
import { MoneyOperations } from '../testing/money-operations.js';
import { TestCardMachine } from '../testing/card-machine.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  listTimers,
  readCall,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { listPendingCalls } from './open-calls.js';

const FINAL_MS = 30 * 60_000;
const DEFAULT = { environment: 'sandbox', name: 'default' } as const;
const TOMBSTONE = 'reversal_of_unknown_reference';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
  testEnvironment.acquirerServer.capabilities.reset();
  testEnvironment.settings.acquirers.declare(DEFAULT, COMPLETE_CAPABILITIES);
});
afterAll(() => testEnvironment.close());

/** The acquirer declares this, and the process knows it. */
function limitAcquirer(limits: CapabilityLimits): void {
  const { capabilities } = testEnvironment.acquirerServer;
  capabilities.limit(limits);
  testEnvironment.settings.acquirers.declare(DEFAULT, capabilities.declared);
}

async function createUnanswered(limits: Omit<CapabilityLimits, 'lacks'>) {
  limitAcquirer({ lacks: [TOMBSTONE], ...limits });
  const testAccount = await createTestAccount(testEnvironment);
  const { id, reference } = await createUnansweredAttempt(testEnvironment, testAccount);
  return { testAccount, id, reference };
}

/** The authorisation arrives at the acquirer after all. */
async function arrive({ merchantId }: TestAccount, reference: string): Promise<void> {
  const card = { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A' };
  const instrument = { kind: 'present', terminalId: '90000001', card, verdict: APPROVED } as const;
  await testEnvironment.acquirerServer.authorise({
    ...{ reference, merchantId, amount: gbp(2_000), isPurchase: true, instrument },
  });
}

async function readState(testAccount: TestAccount, reference: string): Promise<string> {
  const { state, outcome, reverseReference } = await readCall(testEnvironment, testAccount, reference);
  const reversal = reverseReference === null ? null : await readCall(testEnvironment, testAccount, reverseReference);
  return `${state} ${outcome}, reversal ${reversal?.state} ${reversal?.outcome}`;
}

async function alarmsOf({ scope }: TestAccount): Promise<string[]> {
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind }) => kind).toSorted();
}

async function unansweredOf({ scope }: TestAccount): Promise<string[]> {
  const page = { isAnswered: false, limit: 100 };
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, page));
  return alarms.map(({ kind }) => kind);
}

async function countPending({ scope }: TestAccount): Promise<number> {
  const databaseNow = await testEnvironment.database.now();
  const { settings } = testEnvironment;
  const pending = await testEnvironment.database.read(scope, (reader) =>
    listPendingCalls(reader, { databaseNow, settings }),
  );
  return pending.length;
}

const OPEN = 'Sent null, reversal Prepared null';
const OVER = 'Settled Reversed, reversal Settled Declined';

test('an authorisation that never arrived is inquired until "not found" is final, and is pending until then', async () => {
  const { testAccount, id, reference } = await createUnanswered({ notFoundFinalAfterMs: FINAL_MS });
  await elapseTime(testEnvironment, testAccount.scope, 10 * 60_000);
  expect((await readState(testAccount, reference)).replace('Unknown', 'Sent')).toBe(OPEN);
  await elapseTime(testEnvironment, testAccount.scope, 10 * 60_000);
  expect([await countPending(testAccount), await alarmsOf(testAccount)]).toEqual([1, ['AcquirerCallOpen']]);
  // Three answers after the declared time, with waits between them.
  for (let step = 0; step < 2; step += 1) {
    await elapseTime(testEnvironment, testAccount.scope, 20 * 60_000);
    expect((await readState(testAccount, reference)).replace('Unknown', 'Sent')).toBe(OPEN);
  }
  await elapseTime(testEnvironment, testAccount.scope, 2 * HOUR_MS);
  await elapseTime(testEnvironment, testAccount.scope, 2 * HOUR_MS);
  expect(await readState(testAccount, reference)).toBe(OVER);
  expect(await countPending(testAccount)).toBe(0);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Created');
  expect((await listTimers(testEnvironment, testAccount)).filter((timer) => timer.startsWith('acquirer-call'))).toEqual(
    [],
  );
});

test('an authorisation that arrives during its inquiries is reversed', async () => {
  const { testAccount, reference } = await createUnanswered({ notFoundFinalAfterMs: FINAL_MS });
  await elapseTime(testEnvironment, testAccount.scope, 10 * 60_000);
  await arrive(testAccount, reference);
  await elapseTime(testEnvironment, testAccount.scope, 20 * 60_000);
  expect(await readState(testAccount, reference)).toBe('Settled Reversed, reversal Settled Approved');
  expect(testEnvironment.acquirerServer.acquirer.books.findCall(reference)?.isReversed).toBe(true);
});

test('one that the acquirer cannot reverse once it is captured is refunded', async () => {
  const { testAccount, reference } = await createUnanswered({ notFoundFinalAfterMs: FINAL_MS });
  limitAcquirer({ lacks: [TOMBSTONE, 'reversal_after_capture'], notFoundFinalAfterMs: FINAL_MS });
  // From the order of the reversal on, an approval is not taken any more.
  await elapseTime(testEnvironment, testAccount.scope, 10 * 60_000);
  await arrive(testAccount, reference);
  for (let step = 0; step < 3; step += 1) await elapseTime(testEnvironment, testAccount.scope, 20 * 60_000);
  expect(await readState(testAccount, reference)).toBe(OVER);
  const related = testEnvironment.acquirerServer.acquirer.books.listRelatedCalls(reference);
  expect(related.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual(['Refund Approved']);
});

test('without a declared time "not found" ends nothing, however often it is answered', async () => {
  const { testAccount, reference } = await createUnanswered({});
  for (let day = 0; day < 4; day += 1) await elapseTime(testEnvironment, testAccount.scope, 24 * HOUR_MS);
  expect((await readState(testAccount, reference)).replace('Unknown', 'Sent')).toBe(OPEN);
  expect([await countPending(testAccount), await alarmsOf(testAccount)]).toEqual([1, ['AcquirerCallOpen']]);
});

test('a call that the acquirer has deleted raises an alarm, and an operator ends it by the books', async () => {
  const { testAccount, reference } = await createUnanswered({ inquiryHorizonMs: 2 * HOUR_MS });
  for (let step = 0; step < 3; step += 1) await elapseTime(testEnvironment, testAccount.scope, 2 * HOUR_MS);
  expect(await alarmsOf(testAccount)).toEqual(['AcquirerCallOpen', 'AuthorisationUntraceable']);
  const reversal = (await readCall(testEnvironment, testAccount, reference)).reverseReference!;
  // It may still arrive for a day, because the acquirer has not declared how long a call can be on its way.
  expect(await testEnvironment.calls.concludeFromBooks(testAccount.scope, reversal)).toBe('open');
  await elapseTime(testEnvironment, testAccount.scope, 24 * HOUR_MS);
  expect(await testEnvironment.calls.concludeFromBooks(testAccount.scope, reversal)).toBe('over');
  expect(await readState(testAccount, reference)).toBe(OVER);
  expect(await unansweredOf(testAccount)).toEqual([]);
});

test('books that show captured money have it refunded', async () => {
  const { testAccount, reference } = await createUnanswered({ inquiryHorizonMs: 2 * HOUR_MS });
  limitAcquirer({ lacks: [TOMBSTONE, 'reversal_after_capture'], inquiryHorizonMs: 0 });
  await arrive(testAccount, reference);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  const reversal = (await readCall(testEnvironment, testAccount, reference)).reverseReference!;
  expect(await testEnvironment.calls.concludeFromBooks(testAccount.scope, reversal)).toBe('over');
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect(await readState(testAccount, reference)).toBe(OVER);
});

test('the rest of a hold is not released at an acquirer without that capability, and no alarm is raised', async () => {
  limitAcquirer({ lacks: ['partial_reversal'] });
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.approvePayment();
  expect(await new MoneyOperations(testEnvironment, testAccount).capture(intentId, 500)).toBe('done');
  for (let day = 0; day < 9; day += 1) await elapseTime(testEnvironment, testAccount.scope, 24 * HOUR_MS);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  const { books } = testEnvironment.acquirerServer.acquirer;
  const related = books.listRelatedCalls(machine.session.acquirerReference);
  expect(related.map(({ kind }) => kind)).toEqual(['Capture']);
  expect(await alarmsOf(testAccount)).toEqual([]);
});
