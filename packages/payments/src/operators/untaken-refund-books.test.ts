import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { parseKnownId } from '@pos/core/identity';
import { createApproval } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import { createPaidIntent, TestCardMachine } from '../testing/card-machine.js';
import { createOperation } from '../testing/money-operations.js';
import { createOperatorService } from '../testing/operator-service.js';
import { getDayFromNow, declareAcquirer, importFile, SETTLEMENT_HEADER } from '../testing/settlement-files.js';
import {
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { createUntakenRefund, moveCallBack } from '../testing/untaken-refunds.js';

const DEFAULT = { environment: 'sandbox', name: 'default' } as const;
const REFUSED = 'pending_payment_not_decidable';
const CALLER = { keyId: parseKnownId('apiKey', 'key_AAAAAAAAAAAAAAAAAAAAAA') };

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  // The import of settlement files needs the stored declaration.
  await declareAcquirer(testEnvironment);
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

type Untaken = Awaited<ReturnType<typeof createUntakenRefund>>;

/** Sends the decision. Returns its outcome, and what the payment counts as refunded. */
async function settle({ testAccount, intentId, reference }: Omit<Untaken, 'machine'>) {
  const outcome = await getOutcome(
    createOperatorService(testEnvironment).concludeFromBooks(createOperation(testEnvironment, testAccount), {
      ...{ caller: CALLER, paymentId: reference, action: 'SettleAsListed', note: 'not in the books of the acquirer' },
    }),
  );
  return [outcome, (await readIntent(testEnvironment, testAccount, intentId)).refunded.value];
}

/** Imports the files of these days, counted from today. Each has one line: of another call, unless one is named. */
async function importDays(
  testAccount: TestAccount,
  days: readonly number[],
  named: string | null = null,
): Promise<void> {
  const lines = days.map((day) => {
    const line = named ?? `other${day},capture,400`;
    return `${line},GBP,${getDayFromNow(day)},${named === null ? 'B' : 'N'}${day},0`;
  });
  const text = [SETTLEMENT_HEADER, ...lines, ''].join('\n');
  await importFile(testEnvironment, testAccount, { text, name: `days${days[0]}.csv` });
}

const daysBetween = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

// Made 10 days ago; it could arrive for one more day, and its line may follow 4 days later.
const [FIRST, LAST] = [-11, -4];

describe('an acquirer with settlement files only', () => {
  const NAMES: readonly (readonly [string, Omit<CapabilityLimits, 'lacks'>])[] = [
    ['answers "not found"', {}],
    ['says so when that is its last word', { notFoundFinalAfterMs: DAY_MS }],
    ['has forgotten the refund', { notFoundFinalAfterMs: HOUR_MS, inquiryHorizonMs: DAY_MS }],
  ];

  test.each(NAMES)('%s: the refund stays in the books until the files of all its days are here', async (_, limits) => {
    limitAcquirer({ lacks: ['booked_list'], ...limits });
    const untaken = await createUntakenRefund(testEnvironment, 500, 10 * DAY_MS);
    expect(await settle(untaken)).toEqual([REFUSED, 500]);
    await importDays(untaken.testAccount, daysBetween(FIRST + 1, LAST));
    // The day before may be that of the refund by the calendar of the acquirer.
    expect(await settle(untaken)).toEqual([REFUSED, 500]);
    await importDays(untaken.testAccount, [FIRST]);
    expect(await settle(untaken)).toEqual(['done', 0]);
  });

  test('the files of the days after the refund are needed, too', async () => {
    limitAcquirer({ lacks: ['booked_list'] });
    const untaken = await createUntakenRefund(testEnvironment, 500, 10 * DAY_MS);
    await importDays(untaken.testAccount, daysBetween(FIRST, -7));
    expect(await settle(untaken)).toEqual([REFUSED, 500]);
    await importDays(untaken.testAccount, daysBetween(-6, LAST));
    expect(await settle(untaken)).toEqual(['done', 0]);
  });

  test.each(['refund', 'capture'])('a line (%s) under the reference keeps the refund in the books', async (kind) => {
    limitAcquirer({ lacks: ['booked_list'] });
    const untaken = await createUntakenRefund(testEnvironment, 500, 10 * DAY_MS);
    await importDays(untaken.testAccount, daysBetween(FIRST, LAST));
    await importDays(untaken.testAccount, [-9], `${untaken.reference},${kind},500`);
    expect(await settle(untaken)).toEqual([REFUSED, 500]);
  });
});

describe('an acquirer with a list', () => {
  test.each([
    ['a day, unless it declares another time', {}, 23 * HOUR_MS, 2 * HOUR_MS],
    ['as long as it declares', { notFoundFinalAfterMs: 3 * DAY_MS }, 2 * DAY_MS, 2 * DAY_MS],
    ['as long as it declares, however short', { notFoundFinalAfterMs: HOUR_MS }, HOUR_MS / 2, 2 * HOUR_MS],
  ])('may still book the refund for %s', async (_, limits, agoMs, moreMs) => {
    limitAcquirer({ lacks: [], ...limits });
    const untaken = await createUntakenRefund(testEnvironment, 500, agoMs);
    expect(await settle(untaken)).toEqual([REFUSED, 500]);
    await moveCallBack(testEnvironment, { ...untaken, agoMs: moreMs });
    expect(await settle(untaken)).toEqual(['done', 0]);
  });

  test('decides by its list, although an inquiry has forgotten the refund', async () => {
    limitAcquirer({ lacks: [], inquiryHorizonMs: DAY_MS });
    expect(await settle(await createUntakenRefund(testEnvironment, 500, 10 * DAY_MS))).toEqual(['done', 0]);
  });
});

test('an alarm about a refund that the acquirer has under another transaction does not show that it is missing', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  const real = await machine.chargeCard();
  const { transactionId } = createApproval(machine.session.total);
  await machine.sendReport({ kind: 'approved', approval: { ...real, transactionId }, isSignatureRequired: false });
  await runDueWork(testEnvironment, testAccount.scope);
  const reference = machine.session.acquirerReference;
  await moveCallBack(testEnvironment, { testAccount, reference, agoMs: 2 * DAY_MS });
  // Neither an inquiry nor the list of these days finds it.
  const { books } = testEnvironment.acquirerServer.acquirer;
  const bookedAt = new Date(Date.now() - 30 * DAY_MS).toISOString();
  books.recordCall({ ...books.findCall(reference)!, bookedAt });
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Inquire' }, effect: 'refuse', status: 'NOT_FOUND' },
  ]);
  expect(await settle({ testAccount, intentId, reference })).toEqual([REFUSED, 2_000]);
});
