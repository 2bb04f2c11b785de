import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listCallsBetween } from '@pos/store/payments';
import { expectCaught } from '../testing/broken-epos-cases.js';
import { TABLES_BREAKAGES } from '../testing/tables-breakage-cases.js';
import { listBrokenClauses, type Restaurant, TesterTestEnvironment } from '../testing/tester-environment.js';

let testEnvironment: TesterTestEnvironment;

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
}, 60_000);

afterAll(() => testEnvironment.close());

describe('an EPOS', () => {
  test.each(TABLES_BREAKAGES)(
    '$epos is caught by $flow, which reports $clause',
    (breakage) => expectCaught(testEnvironment, breakage),
    30_000,
  );

  test('that is slower than the limit of the step gets no verdict, and the run times out', async () => {
    const restaurant = await testEnvironment.createRestaurant('stream');
    restaurant.epos.faults.replaceFaults([{ effect: 'slow', method: 'LockSession', delayMs: 3_000 }]);
    const run = await testEnvironment.play(restaurant, 'LockSession', { timeoutSeconds: 1 });
    expect(listBrokenClauses(run)).toEqual([]);
    expect(run.steps.map(({ name, status }) => [name, status])).toEqual([
      ['connected', 'SUCCESS'],
      ['call', 'TIMED_OUT'],
      ['cleanup', 'SUCCESS'],
    ]);
    expect(run.status).toBe('TIMED_OUT');
    // A lock that arrived too late is released all the same.
    expect(restaurant.epos.epos.listLocks()).toEqual([]);
  }, 30_000);
});

describe('the money of a run', () => {
  test('stays when it is on the bill, also when a later step fails', async () => {
    const restaurant = await testEnvironment.createRestaurant('dialled');
    restaurant.epos.faults.replaceFaults([
      { effect: 'refuse', code: 'SESSION_UNABLE_TO_UNLOCK', method: 'UnlockSession', times: 1 },
    ]);
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
    expect(run.status).toBe('FAILURE');
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.listPayments()).toHaveLength(1);
    expect(restaurant.epos.epos.listLocks()).toEqual([]);
  }, 30_000);

  test('stays, and the run reports it, when a refusal follows a missing answer, which proves nothing', async () => {
    const restaurant = await testEnvironment.createRestaurant('dialled');
    restaurant.epos.faults.replaceFaults([
      { effect: 'answer-lost', method: 'RecordPayment', times: 1 },
      { effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'RecordPayment' },
    ]);
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'FAILURE' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
  }, 30_000);

  test('is returned to its card when the EPOS has refused the payment', async () => {
    const restaurant = await testEnvironment.createRestaurant('dialled');
    restaurant.epos.faults.replaceFaults([{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'RecordPayment' }]);
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
    expect(listBrokenClauses(run)).toEqual(['record.books']);
    expect(await callsMade(restaurant)).toEqual(['Authorise', 'Reverse']);
    await testEnvironment.settleCalls(restaurant);
    expect(await testEnvironment.listIntentStatuses(restaurant)).toEqual(['Reversed']);
    expect(restaurant.epos.epos.listPayments()).toEqual([]);
    expect(restaurant.epos.epos.listLocks()).toEqual([]);
  }, 30_000);

  test('stays when only the answer was lost, because the repeated payment is on the bill', async () => {
    const restaurant = await testEnvironment.createRestaurant('dialled');
    restaurant.epos.faults.replaceFaults([{ effect: 'answer-lost', method: 'RecordPayment', times: 1 }]);
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
    expect(listBrokenClauses(run)).toEqual(['answer.in-time']);
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'SUCCESS' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.listPayments()).toHaveLength(1);
    expect(restaurant.epos.epos.listLocks()).toEqual([]);
  }, 30_000);

  test('stays, and the run reports it, when the booking at the EPOS cannot be determined', async () => {
    const restaurant = await testEnvironment.createRestaurant('dialled');
    restaurant.epos.faults.replaceFaults([{ effect: 'answer-lost', method: 'RecordPayment' }]);
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'FAILURE' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.listLocks()).toEqual([]);
  }, 40_000);
});

test('a lock of another device is reported, and stays', async () => {
  const restaurant = await testEnvironment.createRestaurant('dialled');
  const { epos } = restaurant.epos;
  const waiter = { kind: 'cardMachine', terminalId: '90000002', waiterId: 1 } as const;
  for (const { id } of epos.restaurant.sessions()) epos.lockSession(id, waiter);
  const locked = epos.listLocks().length;
  const run = await testEnvironment.play(restaurant, 'tables-pay-in-full');
  expect(listBrokenClauses(run)).toEqual(['lock.takes']);
  expect(epos.listLocks()).toHaveLength(locked);
});

/** Every call about the restaurant's money, in the order in which they were written. */
async function callsMade({ scope }: Restaurant): Promise<string[]> {
  const { database } = testEnvironment.store;
  const calls = await database.read(scope, (reader) => listCallsBetween(reader, new Date(0), new Date('2999-01-01')));
  return calls.map(({ kind }) => kind).sort();
}
