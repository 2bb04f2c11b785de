import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type AccountServer, openAccountServer } from '../dev/account-server.js';
import { AccountRefusal, type Restaurant } from '../dev/throwaway-accounts.js';

const RESTAURANT: Restaurant = {
  ...{ name: 'throwaway-1', tradingName: 'Throwaway 1', accountId: 'acc_1', apiKey: 'sk_sandbox_1' },
  ...{ way: 'rest', wayInWords: 'over REST' },
};
const called: string[] = [];
let failure: Error | null = null;
let server: AccountServer;
beforeAll(async () => {
  const note = (call: string): void => {
    called.push(call);
    if (failure !== null) throw failure;
  };
  server = await openAccountServer({
    create: async () => {
      note('create');
      return Promise.resolve(RESTAURANT);
    },
    delete: async (name) => {
      note(`delete ${name}`);
      return Promise.resolve();
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  called.length = 0;
  failure = null;
});

async function send(route: string, authorization = `Bearer ${server.token}`) {
  const [method = '', path = ''] = route.split(' ');
  const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization } });
  return { status: answer.status, body: await answer.text() };
}

test('an account is created, and deleted by its name', async () => {
  const created = await send('POST /accounts');
  expect([created.status, JSON.parse(created.body)]).toEqual([201, RESTAURANT]);
  expect(await send('DELETE /accounts/throwaway-1')).toEqual({ status: 204, body: '' });
  expect(called).toEqual(['create', 'delete throwaway-1']);
});

test.each(['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic sk_sandbox_1', 'bearer x'])(
  'nothing is done with %j in place of the token',
  async (authorization) => {
    for (const route of ['POST /accounts', 'DELETE /accounts/throwaway-1']) {
      expect(await send(route, authorization)).toMatchObject({ status: 401 });
    }
    expect(called).toEqual([]);
  },
);

test.each([
  'GET /accounts',
  'DELETE /accounts',
  'DELETE /accounts/a/b',
  'DELETE /accounts/a%2Fb',
  'POST /',
  'PUT /accounts/a',
])('%s is unknown', async (route) => {
  expect(await send(route)).toMatchObject({ status: 404, body: expect.stringContaining('there are POST /accounts') });
  expect(called).toEqual([]);
});

test.each([
  [new AccountRefusal(404, 'x is no throw-away account'), 404],
  [new AccountRefusal(409, '20 throw-away accounts exist'), 409],
  [new Error('the database is away'), 500],
])('a failure is answered in its own words: %s', async (error, status) => {
  failure = error;
  const answer = await send('DELETE /accounts/x');
  expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { detail: error.message }]);
});
