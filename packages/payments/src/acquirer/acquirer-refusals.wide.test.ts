import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerErrorStatus } from '@pos/core/acquirer-calls';
import { DEFAULT_INTENT_CONFIG, type PaymentIntent } from '@pos/core/payment-intents';
import { gbp } from '@pos/core/testing';
import { listCallsOfIntent } from '@pos/store/payments';
import { listAlarmPage } from '../alarms/alarms.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { listBookings, MoneyOperations } from '../testing/money-operations.js';
import {
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  listTimers,
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

type Kind = 'Increase' | 'Capture' | 'Refund';
const KINDS: readonly Kind[] = ['Increase', 'Capture', 'Refund'];
const REFUSING = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'OUT_OF_RANGE', 'UNIMPLEMENTED'] as const;
const SILENT = ['UNAVAILABLE', 'INTERNAL', 'UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED'] as const;
const ACCESS = ['UNAUTHENTICATED', 'PERMISSION_DENIED'] as const;
const REFUSALS = { Increase: 'amount_raise_refused', Capture: 'capture_refused', Refund: 'refund_refused' } as const;
const UNTIL_REPEATED_MS = 6_000;

const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

/** £20 that were taken, or are held where a hold is moved, and what moves them. */
async function createTakenPayment(kind: Kind) {
  const testAccount = await createTestAccount(testEnvironment);
  const captureMode = kind === 'Refund' ? 'Auto' : 'Manual';
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, {
    captureMode,
    ...FLEXIBLE,
  });
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  const move = (): Promise<string> => {
    if (kind === 'Increase') return moneyOperations.changeAmount(id, gbp(2_500));
    return kind === 'Capture' ? moneyOperations.capture(id, 1_500) : moneyOperations.refund(id, 1_500);
  };
  return { testAccount, id, reference, moneyOperations, move };
}

async function readAlarms({ scope }: TestAccount): Promise<string[]> {
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind }) => kind);
}

async function readUnanswered({ scope }: TestAccount): Promise<string[]> {
  const page = { isAnswered: false, limit: 100 };
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, page));
  return alarms.map(({ kind }) => kind);
}

async function getReserved(testAccount: TestAccount, id: PaymentIntent['id']): Promise<number> {
  const { pendingCapture, pendingRefund } = await readIntent(testEnvironment, testAccount, id);
  return pendingCapture.value + pendingRefund.value;
}

/** In the long run each call with each status, otherwise each status with one of the calls. */
const each = <S extends AcquirerErrorStatus>(statuses: readonly S[]): [Kind, S][] =>
  statuses.flatMap((status, index) => {
    const kinds = KINDS.filter((_, at) => process.env['LONG'] === '1' || at === index % KINDS.length);
    return kinds.map((kind): [Kind, S] => [kind, status]);
  });

const rule = (kind: Kind, status: AcquirerErrorStatus, effect: 'refuse' | 'book-and-refuse' = 'refuse') =>
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind }, effect, status, times: 1 }]);

test.each(each(REFUSING))(
  '%s answered with %s is refused, frees the money and can be done again',
  async (kind, status) => {
    const { testAccount, id, move } = await createTakenPayment(kind);
    rule(kind, status);
    expect(await move()).toBe(REFUSALS[kind]);
    expect([await getReserved(testAccount, id), await listTimers(testEnvironment, testAccount)]).toEqual([
      0,
      kind === 'Refund' ? [] : [`hold-end ${id}`],
    ]);
    expect(await move()).toBe('done');
    expect(await readAlarms(testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test.each(each([...REFUSING, 'ALREADY_EXISTS']))(
  '%s that was booked and then answered with %s counts as booked',
  async (kind, status) => {
    const { testAccount, id, reference, move } = await createTakenPayment(kind);
    rule(kind, status, 'book-and-refuse');
    expect(await move()).toBe('done');
    expect(listBookings(testEnvironment, reference)).toHaveLength(1);
    expect(await getReserved(testAccount, id)).toBe(0);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test.each(each(['ALREADY_EXISTS', ...SILENT]))(
  '%s answered with %s and unknown to an inquiry stays open, and is done when it is repeated',
  async (kind, status) => {
    const { testAccount, id, reference, move } = await createTakenPayment(kind);
    rule(kind, status);
    expect(await move()).toBe('acquirer_unanswered');
    expect(await getReserved(testAccount, id)).toBeGreaterThan(0);
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect(await getReserved(testAccount, id)).toBe(0);
    expect(listBookings(testEnvironment, reference)).toHaveLength(1);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test.each(each(ACCESS))(
  '%s answered with %s was not sent: an alarm is raised, and it is repeated',
  async (kind, status) => {
    const { testAccount, id, reference, move } = await createTakenPayment(kind);
    rule(kind, status);
    expect(await move()).toBe('acquirer_unanswered');
    expect(await readAlarms(testAccount)).toEqual(['AcquirerAccessRefused']);
    expect(listBookings(testEnvironment, reference)).toEqual([]);
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect(await getReserved(testAccount, id)).toBe(0);
    expect(listBookings(testEnvironment, reference)).toHaveLength(1);
    // The acquirer accepts the credentials again.
    expect(await readUnanswered(testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('a hold can be captured after a raise at an acquirer that has no incremental authorisation', async () => {
  const { testAccount, id, moneyOperations, move } = await createTakenPayment('Increase');
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Increase' }, effect: 'refuse', status: 'UNIMPLEMENTED' },
  ]);
  expect([await move(), await move()]).toEqual(['amount_raise_refused', 'amount_raise_refused']);
  expect((await readIntent(testEnvironment, testAccount, id)).amount).toEqual(gbp(2_000));
  expect(await moneyOperations.capture(id, 2_000)).toBe('done');
  await expectConsistent(testEnvironment, testAccount);
});

test('while an inquiry does not answer, a refusal by status frees nothing', async () => {
  const { testAccount, id, move } = await createTakenPayment('Capture');
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Capture' }, effect: 'book-and-refuse', status: 'FAILED_PRECONDITION', times: 1 },
    { match: { kind: 'Inquire' }, effect: 'down', times: 1 },
  ]);
  expect(await move()).toBe('acquirer_unanswered');
  expect(await getReserved(testAccount, id)).toBe(1_500);
  await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).captured).toEqual(gbp(1_500));
  await expectConsistent(testEnvironment, testAccount);
});

test('a payment whose reversal is refused by status stays as before and can be refunded', async () => {
  const { testAccount, id, moneyOperations } = await createTakenPayment('Refund');
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Reverse' }, effect: 'refuse', status: 'FAILED_PRECONDITION', times: 1 },
  ]);
  expect(await moneyOperations.reverse(id)).toBe('reversal_refused');
  expect(await getReserved(testAccount, id)).toBe(0);
  expect(await moneyOperations.refund(id, 2_000)).toBe('done');
  await expectConsistent(testEnvironment, testAccount);
});

test('the rest of a hold that the acquirer does not release raises an alarm, once', async () => {
  const { testAccount, id, moneyOperations } = await createTakenPayment('Capture');
  await moneyOperations.capture(id, 1_200);
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Reverse' }, effect: 'refuse', status: 'UNIMPLEMENTED' },
  ]);
  expect(await moneyOperations.refund(id, 1_200)).toBe('done');
  for (let round = 0; round < 3; round += 1) await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
  expect(await readAlarms(testAccount)).toEqual(['MoneyNotReturned']);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  const calls = await testEnvironment.database.read(testAccount.scope, (reader) => listCallsOfIntent(reader, id));
  expect(calls.filter(({ kind }) => kind === 'Release').map(({ outcome }) => outcome)).toEqual(['Declined']);
});
