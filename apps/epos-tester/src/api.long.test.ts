import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/identity';
import { DAY_MS } from '@pos/core/time';
import { findTesterRun, insertApiKey, insertTesterRun, type TesterRun } from '@pos/store/repositories';
import { randomBytes, randomUUID } from 'node:crypto';
import { RUNS_AT_ONCE_MAX } from './runs/run-service.js';
import { type Restaurant, TesterTestEnvironment, waitUntil } from './testing/tester-environment.js';
import { changeAccountSettings } from '@pos/payments/account-settings';

let testEnvironment: TesterTestEnvironment;
let restaurant: Restaurant;
let other: Restaurant;

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
  restaurant = await testEnvironment.createRestaurant('dialled');
  other = await testEnvironment.createRestaurant('dialled');
}, 60_000);

afterAll(() => testEnvironment.close());

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  testEnvironment.request('POST', '/flows', { key: restaurant.testerKey, body, headers });

test('the flows are listed with their parameters', async () => {
  const { status, body } = await testEnvironment.request('GET', '/flows', { key: restaurant.testerKey });
  expect(status).toBe(200);
  expect(body).toContainEqual({
    name: 'tables-split',
    params: expect.arrayContaining([
      expect.objectContaining({ name: 'transport', type: 'text', required: false, default: 'auto' }),
      expect.objectContaining({ name: 'timeoutSeconds', type: 'integer', required: false, default: '30' }),
      expect.objectContaining({ name: 'people', type: 'integer', required: false, default: '2' }),
      expect.objectContaining({ name: 'sessionId', type: 'text', required: false, default: '' }),
    ]),
  });
});

test('the flows of the EPOS Data API state the types of their times and seconds', async () => {
  const { body } = await testEnvironment.request('GET', '/flows', { key: restaurant.testerKey });
  const findParams = (flow: string) =>
    (body as { name: string; params: object[] }[]).find(({ name }) => name === flow)?.params;
  expect(findParams('SearchReservations')).toContainEqual(
    expect.objectContaining({ name: 'fromTime', type: 'timestamp', default: '' }),
  );
  expect(findParams('lock-expiry')).toContainEqual(
    expect.objectContaining({ name: 'waitSeconds', type: 'integer', default: '70' }),
  );
});

describe('a flow starts with parameters in any valid form', () => {
  test.each([
    ['none', {}],
    ['a null', { tableName: null }],
    ['numbers as text', { timeoutSeconds: '20' }],
    ['a flag as text', { payableOnly: 'FALSE' }],
    ['another case', { TIMEOUTSECONDS: 20, PayableOnly: true }],
    ['a waiter as a number', { waiterId: 2 }],
    ['a waiter with zeros', { waiterId: '002' }],
  ])('%s', async (_, params) => {
    expect(await testEnvironment.play(restaurant, 'ListSessions', params)).toMatchObject({ status: 'SUCCESS' });
  });
});

test('no flow of the pay-at-table contract starts where pay at table is switched off; others do', async () => {
  const disabled = await testEnvironment.createRestaurant('dialled');
  const change = { actor: 'test', reason: 'the restaurant asked for it' };
  await testEnvironment.store.database.transact(disabled.scope, (tx) =>
    changeAccountSettings(tx, change, { 'payAtTable.isEnabled': false }),
  );
  const begin = (flow: string) =>
    testEnvironment.request('POST', '/flows', { key: disabled.testerKey, body: { flow } });
  expect(await begin('ListSessions')).toMatchObject({ status: 403 });
  expect(await begin('tables-split')).toMatchObject({ status: 403 });
  expect(await begin('SearchReservations')).toMatchObject({ status: 200 });
});

describe('a flow does not start', () => {
  test.each<[string, unknown, string]>([
    ['without a name', {}, 'flow'],
    ['with an unknown name', { flow: 'tables-dance' }, 'flow'],
    ['on an order without an id', { flow: 'pay-in-full', params: { orderId: '' } }, 'params.orderId'],
    [
      'on a session in a flow about orders',
      { flow: 'pay-in-full', params: { sessionId: randomUUID() } },
      'params.sessionId',
    ],
    ['with a lock of zero seconds', { flow: 'lock-extend', params: { lockSeconds: 0 } }, 'params.lockSeconds'],
    ['with a lock of an hour', { flow: 'lock-extend', params: { lockSeconds: 3600 } }, 'params.lockSeconds'],
    ['with a wait shorter than its lock', { flow: 'lock-expiry', params: { lockSeconds: 90 } }, 'params.waitSeconds'],
    [
      'from an invalid date',
      { flow: 'SearchReservations', params: { fromTime: '2026-02-30T00:00:00Z' } },
      'params.fromTime',
    ],
    [
      'to a time before its start',
      { flow: 'SearchReservations', params: { fromTime: '2026-03-02T00:00:00Z', toTime: '2026-03-01T00:00:00Z' } },
      'params.toTime',
    ],
    ['whose parameters are a list', { flow: 'tables-split', params: [] }, 'params'],
    [
      'with too many parameters',
      { flow: 'tables-split', params: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, at])) },
      'params',
    ],
    ['with an unknown parameter', { flow: 'tables-split', params: { amount: 100 } }, 'params.amount'],
    ['with a misspelt parameter', { flow: 'tables-split', params: { peeple: 2 } }, 'params.peeple'],
    ['with a parameter sent twice', { flow: 'tables-split', params: { people: 2, PEOPLE: 3 } }, 'params.people'],
    ['for zero payers', { flow: 'tables-split', params: { people: 0 } }, 'params.people'],
    ['for too many payers', { flow: 'tables-split', params: { people: 21 } }, 'params.people'],
    ['for a payer and a half', { flow: 'tables-split', params: { people: 1.5 } }, 'params.people'],
    ['for two payers with a fraction', { flow: 'tables-split', params: { people: '2.0' } }, 'params.people'],
    ['with a tip in pounds', { flow: 'tables-split', params: { gratuity: '1.50' } }, 'params.gratuity'],
    ['for many', { flow: 'tables-split', params: { people: 'many' } }, 'params.people'],
    ['over an unknown transport', { flow: 'tables-split', params: { transport: 'pigeon' } }, 'params.transport'],
    ['with zero time', { flow: 'tables-split', params: { timeoutSeconds: 0 } }, 'params.timeoutSeconds'],
    ['with too much time', { flow: 'tables-split', params: { timeoutSeconds: 601 } }, 'params.timeoutSeconds'],
    [
      'on a session with an invalid UUID',
      { flow: 'tables-split', params: { sessionId: 'table 4' } },
      'params.sessionId',
    ],
    ['by a waiter who is not a number', { flow: 'tables-split', params: { waiterId: 'Tom' } }, 'params.waiterId'],
    ['with a negative tip', { flow: 'tables-split', params: { gratuity: -1 } }, 'params.gratuity'],
    ['paying nothing', { flow: 'tables-pay-in-full', params: { amount: 0 } }, 'params.amount'],
    ['with an invalid flag', { flow: 'ListSessions', params: { payableOnly: 'perhaps' } }, 'params.payableOnly'],
  ])('%s', async (_, body, member) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([member]);
  });

  test('and every bad parameter is named at once', async () => {
    const { body } = await ask({ flow: 'tables-split', params: { people: 0, gratuity: -1, dance: true } });
    expect(Object.keys((body as { errors: object }).errors).sort()).toEqual([
      'params.dance',
      'params.gratuity',
      'params.people',
    ]);
  });

  test('and of very many bad parameters the first hundred are named', async () => {
    const params = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, 1]));
    const { status, body } = await ask({ flow: 'tables-split', params });
    expect(status).toBe(400);
    expect(Object.keys((body as { errors: object }).errors)).toHaveLength(100);
  });
});

describe('who may not', () => {
  test.each<[string, () => Promise<string | undefined>, number]>([
    ['without a key', async () => undefined, 401],
    ['with a key that was never issued', async () => createApiKeyText('sandbox', randomBytes(32)), 401],
    ['with a key that may not run the tester', () => getKey('terminal-only', 'sandbox'), 403],
    ['with a production key', () => getKey('full', 'production'), 403],
  ])('%s', async (_, key, status) => {
    const text = await key();
    const paths = [
      ['GET', '/flows'],
      ['POST', '/flows'],
      ['GET', `/flows/${randomUUID()}`],
    ] as const;
    for (const [method, path] of paths) {
      const more = {
        ...(text !== undefined && { key: text }),
        ...(method === 'POST' && { body: { flow: 'ListSessions' } }),
      };
      expect((await testEnvironment.request(method, path, more)).status).toBe(status);
    }
  });
});

describe('a run', () => {
  test('is read by its id, with and without hyphens, in any case', async () => {
    const run = await testEnvironment.play(restaurant, 'ListTables');
    for (const id of [run.flowID, run.flowID.replaceAll('-', ''), run.flowID.toUpperCase()]) {
      expect(await testEnvironment.read(restaurant, id)).toEqual(run);
    }
    expect(Date.parse(run.finishedAt!)).toBeGreaterThanOrEqual(Date.parse(run.startedAt));
  });

  test.each([
    ['was never started', () => randomUUID()],
    ['with an invalid id', () => 'seven'],
    ['with too many hyphens', () => `-${randomUUID()}`],
  ])('that %s is not found', async (_, id) => {
    expect((await testEnvironment.request('GET', `/flows/${id()}`, { key: restaurant.testerKey })).status).toBe(404);
  });

  test('of another account is not found', async () => {
    const { flowID } = await testEnvironment.play(restaurant, 'ListTables');
    const [foreign, unknown] = await Promise.all(
      [flowID, randomUUID()].map((id) => testEnvironment.request('GET', `/flows/${id}`, { key: other.testerKey })),
    );
    expect(foreign?.status).toBe(404);
    const { traceId: _, ...problem } = foreign?.body as Record<string, unknown>;
    expect(unknown?.body).toMatchObject(problem);
  });

  test('shows requests and answers, and no secret', async () => {
    const run = await testEnvironment.play(restaurant, 'tables-pay-in-full', { waiterId: '2' });
    const text = JSON.stringify(run);
    const lock = run.steps.find(({ name }) => name === 'LockSession');
    expect(lock?.additionalInformation).toEqual([
      expect.stringMatching(/^request: LockSession \{"sessionId":".*"waiterId":2/),
      expect.stringMatching(/^answer: \{"billItems":\{.*"totalAmount":\d+/),
    ]);
    for (const secret of [
      restaurant.testerKey,
      restaurant.place.account.apiKey,
      restaurant.place.account.epos!.password,
    ])
      expect(text).not.toContain(secret);
  });

  test('requested twice under one idempotency key is one run', async () => {
    const headers = { idempotencykey: 'evening-1' };
    const [first, second] = [await ask({ flow: 'ListTables' }, headers), await ask({ flow: 'ListTables' }, headers)];
    expect(second.body).toBe(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await ask({ flow: 'ListSessions' }, headers)).status).toBe(409);
    expect((await testEnvironment.waitForEnd(restaurant, first.body as string)).status).toBe('SUCCESS');
  });

  test('is not shown once 30 days have passed', async () => {
    const at = (days: number): TesterRun => ({
      id: randomUUID(),
      flow: 'ListTables',
      status: 'SUCCESS',
      startedAt: new Date(Date.now() - days * DAY_MS),
      finishedAt: new Date(Date.now() - days * DAY_MS),
      steps: [],
      params: {},
    });
    const [old, recent] = [at(30.1), at(29.9)];
    for (const run of [old, recent]) {
      await testEnvironment.store.database.transact(restaurant.scope, (tx) => insertTesterRun(tx, run));
    }
    expect((await testEnvironment.request('GET', `/flows/${old.id}`, { key: restaurant.testerKey })).status).toBe(404);
    expect((await testEnvironment.read(restaurant, recent.id)).status).toBe('SUCCESS');
    // The next run deletes runs that can no longer be read.
    await testEnvironment.play(restaurant, 'ListTables');
    const { database } = testEnvironment.store;
    expect(await database.read(restaurant.scope, (reader) => findTesterRun(reader, old.id))).toBeNull();
    expect(await database.read(restaurant.scope, (reader) => findTesterRun(reader, recent.id))).not.toBeNull();
  });
});

describe('concurrent runs', () => {
  test('use separate sessions, and the sixth is refused by every tester', async () => {
    const busy = await testEnvironment.createRestaurant('dialled');
    busy.epos.faults.replaceFaults([{ effect: 'slow', method: 'ListSessions', delayMs: 2_000 }]);
    const second = await testEnvironment.startAnotherTester();
    const asked = Array.from({ length: 8 }, (_, index) =>
      testEnvironment.request('POST', '/flows', {
        key: busy.testerKey,
        body: { flow: 'tables-lock-rules' },
        base: index % 2 === 0 ? testEnvironment.tester.url : second.url,
      }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
    const begun = answers.filter(({ status }) => status === 200);
    expect(begun).toHaveLength(RUNS_AT_ONCE_MAX);
    await Promise.all(begun.map(({ body }) => testEnvironment.waitForEnd(busy, body as string)));
    expect(
      (await testEnvironment.request('POST', '/flows', { key: busy.testerKey, body: { flow: 'ListTables' } })).status,
    ).toBe(200);
    await second.close();
  }, 60_000);

  test('of one tester never share a session', async () => {
    const busy = await testEnvironment.createRestaurant('dialled');
    const ids = await Promise.all(
      Array.from({ length: RUNS_AT_ONCE_MAX }, () => testEnvironment.start(busy, 'tables-pay-in-full')),
    );
    const runs = await Promise.all(ids.map((id) => testEnvironment.waitForEnd(busy, id)));
    expect(runs.map(({ status }) => status)).toEqual(ids.map(() => 'SUCCESS'));
    const paid = busy.epos.epos.listPayments().map(({ sessionId }) => sessionId);
    expect(new Set(paid).size).toBe(RUNS_AT_ONCE_MAX);
  }, 60_000);
});

describe('a tester that shuts down', () => {
  test('ends its runs first, and releases their locks', async () => {
    const place = await testEnvironment.createRestaurant('dialled');
    const leaving = await testEnvironment.startAnotherTester();
    place.epos.faults.replaceFaults([{ effect: 'slow', method: 'GetBillItems', delayMs: 5_000, times: 1 }]);
    const more = { key: place.testerKey, base: leaving.url };
    const { body } = await testEnvironment.request('POST', '/flows', { ...more, body: { flow: 'tables-split' } });
    await waitUntil(() => place.epos.listCalls().some(({ method }) => method === 'GetBillItems'));
    await leaving.close();
    const run = await testEnvironment.read(place, body as string);
    expect(run.status).toBe('TIMED_OUT');
    expect(run.steps.map(({ name, status }) => [name, status])).toEqual([
      ['ListSessions', 'TIMED_OUT'],
      ['cleanup', 'SUCCESS'],
    ]);
    expect(place.epos.epos.listLocks()).toEqual([]);
  }, 30_000);

  test.each([
    ['that was not renewed is ended as timed out', -1_000, 'TIMED_OUT'],
    ['that another tester still plays is not ended', 60_000, 'IN_PROGRESS'],
  ])(
    'a run %s',
    async (_, aliveInMs, status) => {
      const id = randomUUID();
      const now = new Date();
      const step = {
        name: 'LockSession',
        status: 'IN_PROGRESS',
        startedAt: now.toISOString(),
        finishedAt: null,
        additionalInformation: [],
        checks: [],
        aliveUntil: new Date(now.getTime() + aliveInMs).toISOString(),
      };
      const run = {
        id,
        flow: 'LockSession',
        status: 'IN_PROGRESS',
        startedAt: new Date(now.getTime() - 1_000),
      } as const;
      await testEnvironment.store.database.transact(other.scope, (tx) =>
        insertTesterRun(tx, { ...run, finishedAt: null, steps: [step], params: {} }),
      );
      // At its start a tester takes care of the runs of its previous process.
      const restarted = await testEnvironment.startAnotherTester();
      await waitUntil(
        async () => status === 'IN_PROGRESS' || (await testEnvironment.read(other, id)).status !== 'IN_PROGRESS',
      );
      await restarted.close();
      expect(await testEnvironment.read(other, id)).toMatchObject({ status, steps: [{ name: 'LockSession', status }] });
    },
    30_000,
  );
});

test('a gateway that cannot be reached is passed over for the next one', async () => {
  const tester = await testEnvironment.startAnotherTester('127.0.0.1:1');
  const asked = { key: restaurant.testerKey, body: { flow: 'ListTables' }, base: tester.url };
  const { body: id } = await testEnvironment.request('POST', '/flows', asked);
  expect((await testEnvironment.waitForEnd(restaurant, id as string)).status).toBe('SUCCESS');
  await tester.close();
}, 30_000);

test('a total that would trigger the sandbox gets a tip of a few pennies', async () => {
  const place = await testEnvironment.createRestaurant('dialled');
  const run = await testEnvironment.play(place, 'tables-pay-in-full', { amount: 97 });
  expect(run.status).toBe('SUCCESS');
  const [payment] = place.epos.epos.listPayments();
  expect([payment?.base.value, payment?.gratuity.value]).toEqual([97, 3]);
});

async function getKey(role: keyof typeof ROLES, environment: 'sandbox' | 'production'): Promise<string> {
  const text = createApiKeyText(environment, randomBytes(32));
  const scope = { ...restaurant.scope, environment };
  await testEnvironment.store.database.transact(scope, async (tx) => {
    await insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: role, permissions: ROLES[role] });
  });
  return text;
}
