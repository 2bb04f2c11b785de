import type { Scope } from '@pos/core/identity';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccountCache } from '@pos/payments/accounts';
import { createAccount, deleteEposIntegration, putEposIntegration } from '@pos/store/repositories';
import { insertConnection } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { EposRouteCache } from './epos-route-cache.js';
import { waitUntil } from '../testing/polling.js';

/** Longer than any test waits: what is looked up again then was dropped. */
const ROUTES_NEVER_EXPIRE_MS = 3_600_000;

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

/** A database that counts how often it is read, and can be made to fail. */
function createCountingDatabase(): { readonly database: Database; reads: number; isAway: boolean } {
  const { database } = testDatabase;
  const readCounter = {
    reads: 0,
    isAway: false,
    database: new Proxy(database, {
      get(target, key) {
        if (key === 'read') {
          readCounter.reads += 1;
          if (readCounter.isAway) return () => Promise.reject(new Error('away'));
        }
        const member: unknown = Reflect.get(target, key, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
  };
  return readCounter;
}

async function account(url: string | null = 'http://127.0.0.1:1'): Promise<Scope> {
  const scope = createTestScope();
  await createAccount(testDatabase.database, {
    id: scope.accountId,
    name: 'shed',
    tradingName: 'The Oyster Shed',
    locationId: `loc_${randomBytes(16).toString('base64url')}`,
    merchantId: 'm-1',
    currencies: ['GBP'],
    settings: {},
    createdAt: new Date(),
  });
  if (url !== null) await register(scope, url);
  return scope;
}

const register = (scope: Scope, url: string): Promise<void> =>
  testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind: 'grpc', url, username: 'u', password: 'p', capabilities: [] }),
  );

/** A cache that is notified of changes. It keeps nothing that it read before it listened. */
async function createListeningCache(scope: Scope, routesFreshMs = ROUTES_NEVER_EXPIRE_MS) {
  const readCounter = createCountingDatabase();
  const routeCache = new EposRouteCache({
    database: readCounter.database,
    accounts: new AccountCache(),
    routesMaxAgeMs: routesFreshMs,
  });
  await waitUntil(async () => !(await routeCache.findRoutes(scope)).isFresh);
  routeCache.invalidate(scope);
  readCounter.reads = 0;
  return { routeCache, readCounter };
}

test('consecutive calls look up the route once', async () => {
  const scope = await account();
  const { routeCache, readCounter } = await createListeningCache(scope);
  const found = await Promise.all([1, 2, 3, 4].map(() => routeCache.findRoutes(scope)));
  expect(found.map(({ isFresh }) => isFresh)).toEqual([true, false, false, false]);
  expect(readCounter.reads).toBe(1);
});

test('a route is read again when it was invalidated, and for another account', async () => {
  const scope = await account();
  const other = await account();
  const { routeCache } = await createListeningCache(scope);
  await routeCache.findRoutes(scope);
  expect((await routeCache.findRoutes(other)).isFresh).toBe(true);
  routeCache.invalidate(scope);
  expect((await routeCache.findRoutes(scope)).isFresh).toBe(true);
  expect((await routeCache.findRoutes(other)).isFresh).toBe(false);
});

test('a route is read again after a while, without a notification', async () => {
  const scope = await account();
  const { routeCache } = await createListeningCache(scope, 250);
  await routeCache.findRoutes(scope);
  await waitUntil(async () => (await routeCache.findRoutes(scope)).isFresh);
});

test.each<[string, (scope: Scope) => Promise<unknown>]>([
  ['an EPOS connects to another gateway', insertEposConnection],
  ['the registered address changes', (scope) => register(scope, 'http://127.0.0.1:2')],
  [
    'the registered address is taken away',
    (s) => testDatabase.database.transact(s, (tx) => deleteEposIntegration(tx, 'grpc')),
  ],
])('when %s, the cached route is deleted by the hint alone', async (_, change) => {
  const scope = await account();
  const { routeCache } = await createListeningCache(scope);
  const before = await routeCache.findRoutes(scope);
  await change(scope);
  let after = before;
  await waitUntil(async () => (after = await routeCache.findRoutes(scope)).isFresh);
  expect(after).not.toMatchObject({ live: before.liveConnections, integrations: before.integrations });
});

test('an account without a route is looked up for each call, so that its first EPOS serves at once', async () => {
  const scope = await account();
  const { routeCache } = await createListeningCache(scope);
  const without = await account(null);
  expect((await routeCache.findRoutes(without)).isFresh).toBe(true);
  expect((await routeCache.findRoutes(without)).isFresh).toBe(true);
});

test('a database that is away is no answer, and the next call asks again', async () => {
  const scope = await account();
  const { routeCache, readCounter } = await createListeningCache(scope);
  readCounter.isAway = true;
  await expect(routeCache.findRoutes(scope)).rejects.toThrow('away');
  readCounter.isAway = false;
  expect((await routeCache.findRoutes(scope)).isFresh).toBe(true);
});

function insertEposConnection(scope: Scope): Promise<unknown> {
  const connectionRequest = { connectionId: randomUUID(), kind: 'epos-grpc-stream', key: '', inUse: false } as const;
  return testDatabase.database.transact(scope, (tx) =>
    insertConnection(tx, { ...connectionRequest, gatewayId: randomUUID(), gatewayAddress: '127.0.0.1:1' }),
  );
}
