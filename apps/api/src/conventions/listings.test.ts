import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActivityRecorder, NewActivity } from '@pos/core/activities';
import { parseKnownId, type Scope } from '@pos/core/identity';
import { ACTIVITIES } from '@pos/nest-modules';
import * as accounts from '@pos/rest-contracts/accounts';
import * as runs from '@pos/rest-contracts/operators';
import * as orders from '@pos/rest-contracts/orders';
import * as paymentIntents from '@pos/rest-contracts/payment-intents';
import { insertConnection } from '@pos/store/connections';
import { ApiTestEnvironment, GBP_20 } from '../testing/api-test-environment.js';
import { createCustomer } from '../testing/customer-requests.js';
import { createTesterRun } from '../testing/epos/epos-activity-requests.js';
import { submitOrder } from '../testing/order-requests.js';
import { createStoredCard } from '../testing/saved-card-requests.js';

let testEnvironment: ApiTestEnvironment;
let call: ReturnType<ApiTestEnvironment['createClient']>;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  call = testEnvironment.createClient();
});
afterAll(() => testEnvironment.close());

describe('customers', () => {
  // oxfmt-ignore
  test.each([
    [{ name: 'ANN' },                     ['Ann Lee', 'Anna Berg']],
    [{ name: 'Ann ' },                    ['Ann Lee']],
    [{ emailAddress: 'Bob@' },            ['Bob_Ray']],
    [{ name: 'Bob_' },                    ['Bob_Ray']],
    [{ name: 'ÄNNE' },                    ['änne %']],
    [{ name: 'B%' },                      []],
    [{ name: 'Lee' },                     []],
    [{ emailAddress: 'corner.example' },  []],
    [{ name: "' or 1=1 --" },             []],
  ])('a search for %j finds %j', async (terms, names) => {
    await seedCustomers();
    const { data } = await call(accounts.searchCustomers, { body: terms });
    expect(data.map(({ name }) => name).sort()).toEqual(names);
  });

  test('a search is continued page by page, and other customers stay out of it', async () => {
    await seedCustomers();
    const first = await call(accounts.searchCustomers, { body: { name: 'ann', limit: 1 } });
    expect([first.data.length, first.before]).toEqual([1, null]);
    const second = await call(accounts.searchCustomers, { body: { name: 'ann', limit: 1, after: first.after ?? '' } });
    expect([...first.data, ...second.data].map(({ name }) => name).sort()).toEqual(['Ann Lee', 'Anna Berg']);
    expect(second.after).toBeNull();
  });

  test('the payments of a customer are listed without those of others', async () => {
    const [one, other] = [await createCustomer(testEnvironment), await createCustomer(testEnvironment)];
    const create = async (id: string) =>
      (await call(paymentIntents.createPaymentIntent, { body: { amount: GBP_20, reference: 'r', customer: { id } } }))
        .id;
    const [first, second] = [await create(one), await create(one)];
    await create(other);
    const list = async (customerId: string) =>
      (await call(paymentIntents.searchPaymentIntents, { body: { customerId } })).data.map(({ id }) => id);
    expect(await list(one)).toEqual([second, first]);
    expect(await list(`cust_sandbox_${'A'.repeat(22)}`)).toEqual([]);
  });

  test('the merchant lists a saved card without its number, and removes it for good', async () => {
    const customerId = parseKnownId('customer', await createCustomer(testEnvironment));
    const paymentMethodId = await createStoredCard(testEnvironment, { customerId });
    const list = async () =>
      (await call(paymentIntents.listSavedCards, { params: { customerId } })).savedPaymentMethods;
    expect(await list()).toEqual([
      {
        id: paymentMethodId,
        cardDetails: { pan: '44565300****1014', expiryDate: '2999-12-31', scheme: 'VISA' },
      },
    ]);
    await call(paymentIntents.deleteSavedCard, { params: { customerId, paymentMethodId } });
    expect(await list()).toEqual([]);
  });
});

/** Four customers, once. */
let seeded: Promise<void> | null = null;
function seedCustomers(): Promise<void> {
  seeded ??= (async () => {
    const profiles = [
      { name: 'Ann Lee', emailAddress: 'ann@corner.example' },
      { name: 'Anna Berg' },
      { name: 'Bob_Ray', emailAddress: 'bob@corner.example' },
      { name: 'änne %' },
    ];
    for (const body of profiles) await createCustomer(testEnvironment, body);
  })();
  return seeded;
}

test('the sessions of a terminal are listed newest first, page by page, without those of others', async () => {
  const first = await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'));
  await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'));
  const params = { terminalId: first.terminalId };
  const { data, before, after } = await call(accounts.listTerminalSessions, { params });
  expect({ before, after }).toEqual({ before: null, after: null });
  expect(data).toMatchObject([
    { id: first.id, status: 'InitiateRequested', sessionType: 'Sale', amount: { value: 2000, currencyCode: 'GBP' } },
  ]);
});

test('submitted orders are listed newest first, and a page continues where the last ended', async () => {
  const [older, newer] = [await submitOrder(testEnvironment), await submitOrder(testEnvironment)];
  const first = await call(orders.listOrderPlacements, { query: { limit: 1 } });
  expect(first.data).toEqual([newer]);
  const second = await call(orders.listOrderPlacements, { query: { limit: 1, after: first.after ?? '' } });
  expect(second.data).toEqual([older]);
  const back = await call(orders.listOrderPlacements, { query: { limit: 1, before: second.before ?? '' } });
  expect(back.data).toEqual([newer]);
});

test('a run of the tester is listed by its first failure, and read with its steps', async () => {
  const runId = await createTesterRun(testEnvironment);
  const { data } = await call(runs.listTesterRuns, {});
  expect(data.find(({ flowID }) => flowID === runId)).toMatchObject({
    ...{ flowName: 'tables-pay-in-full', status: 'FAILURE', stepCount: 2, failedStep: 'RecordPayment' },
  });
  const { steps } = await call(runs.readTesterRun, { params: { runId: runId.toUpperCase() } });
  expect(steps.map(({ name, additionalInformation }) => [name, additionalInformation])).toEqual([
    ['LockSession', []],
    ['RecordPayment', ['the EPOS answered 500']],
  ]);
});

describe('the EPOS', () => {
  test('its open connections are listed, and neither card machines nor closed ones', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    const { database } = testEnvironment.testDatabase;
    const gateway = { gatewayId: 'g', gatewayAddress: 'g:1', inUse: false };
    await database.transact(scope, async (tx) => {
      await insertConnection(tx, { ...gateway, connectionId: randomUUID(), kind: 'tables-ws', key: '' });
      await insertConnection(tx, { ...gateway, connectionId: randomUUID(), kind: 'machine', key: '90000001' });
    });
    const list = () => testEnvironment.createClient(key)(accounts.listEposConnections, {});
    expect((await list()).map(({ transport }) => transport)).toEqual(['socket']);
    await testEnvironment.queryRows('update connections set closed_at = now() where account_id = $1 returning key', [
      scope.accountId,
    ]);
    expect(await list()).toEqual([]);
  });

  test('its last calls are listed newest first, and requests of integrators are none', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    await recordCalls(scope);
    const client = testEnvironment.createClient(key);
    const calls = await client(accounts.listEposCalls, {});
    expect(calls.map(({ name, outcome, reason, transport }) => [name, outcome, reason, transport])).toEqual([
      ['RecordPayment', 'Failed', 'noAnswer', 'socket'],
      ['GetBill', 'Succeeded', undefined, 'socket'],
    ]);
    expect((await client(accounts.listEposCalls, { query: { limit: 1 } })).map(({ name }) => name)).toEqual([
      'RecordPayment',
    ]);
    expect(calls.map(({ unreadableMembers }) => unreadableMembers)).toEqual([
      undefined,
      [{ element: 's-118', member: 'items[0].quantity', clause: 'answer.schema', problem: 'is 0,5', skipped: false }],
    ]);
  });
});

/** Records an answered call, a later one without an answer, and a request of an integrator, as their processes do. */
async function recordCalls(scope: Scope): Promise<void> {
  const log = testEnvironment.api.app.get<ActivityRecorder>(ACTIVITIES, { strict: false });
  const ended: NewActivity = {
    ...{ scope, kind: 'EposCall', name: 'GetBill', subjectId: 's-118', outcome: 'Succeeded', status: null },
    ...{ reason: null, keyId: null, traceId: null, startedAtMs: performance.now() - 500, tookMs: 34 },
    details: { transport: 'socket' },
  };
  const member = { element: 's-118', member: 'items[0].quantity', clause: 'answer.schema', problem: 'is 0,5' };
  log.record({ ...ended, details: { ...ended.details, unreadable: [{ ...member, isSkipped: false }] } });
  log.record({ ...ended, kind: 'ApiRequest', name: 'createPaymentIntent', startedAtMs: performance.now() - 300 });
  const unanswered = { name: 'RecordPayment', outcome: 'Failed', reason: 'noAnswer' } as const;
  log.record({ ...ended, ...unanswered, startedAtMs: performance.now() - 100 });
  await log.flush();
}
