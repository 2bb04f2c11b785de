import type { Scope } from '@pos/core/identity';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccountCache } from '@pos/payments/accounts';
import { createAccount } from '@pos/store/accounts';
import { insertConnection } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { deleteEposIntegration, putEposIntegration } from '@pos/store/epos-integrations';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { until } from '../testing.js';
import { EposRouteBook } from './epos-routes.js';

/** Longer than any test waits: what is looked up anew then was dropped. */
const NEVER_OLD_MS = 3_600_000;

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.close());

/** A database that counts how often it is read, and can be made to fail. */
function counted(): { readonly database: Database; reads: number; isAway: boolean } {
  const { database } = place;
  const seen = {
    reads: 0,
    isAway: false,
    database: new Proxy(database, {
      get(target, key) {
        if (key === 'read') {
          seen.reads += 1;
          if (seen.isAway) return () => Promise.reject(new Error('away'));
        }
        const member: unknown = Reflect.get(target, key, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
  };
  return seen;
}

async function account(url: string | null = 'http://127.0.0.1:1'): Promise<Scope> {
  const scope = createTestScope();
  await createAccount(place.database, {
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
  place.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind: 'grpc', url, username: 'u', password: 'p', capabilities: [] }),
  );

/** A book that hears of changes: what it looked up before it listened it does not keep. */
async function listening(scope: Scope, routesFreshMs = NEVER_OLD_MS) {
  const seen = counted();
  const book = new EposRouteBook({ database: seen.database, accounts: new AccountCache(), routesFreshMs });
  await until(async () => !(await book.find(scope)).isFresh);
  book.drop(scope);
  seen.reads = 0;
  return { book, seen };
}

test('calls that follow each other at once look the way up once', async () => {
  const scope = await account();
  const { book, seen } = await listening(scope);
  const found = await Promise.all([1, 2, 3, 4].map(() => book.find(scope)));
  expect(found.map(({ isFresh }) => isFresh)).toEqual([true, false, false, false]);
  expect(seen.reads).toBe(1);
});

test('a way is looked up anew when it was dropped, and for another account', async () => {
  const scope = await account();
  const other = await account();
  const { book } = await listening(scope);
  await book.find(scope);
  expect((await book.find(other)).isFresh).toBe(true);
  book.drop(scope);
  expect((await book.find(scope)).isFresh).toBe(true);
  expect((await book.find(other)).isFresh).toBe(false);
});

test('a way is looked up anew after a while, without any sign of a change', async () => {
  const scope = await account();
  const { book } = await listening(scope, 250);
  await book.find(scope);
  await until(async () => (await book.find(scope)).isFresh);
});

test.each<[string, (scope: Scope) => Promise<unknown>]>([
  ['an EPOS connects to another gateway', connected],
  ['the registered address changes', (scope) => register(scope, 'http://127.0.0.1:2')],
  [
    'the registered address is taken away',
    (s) => place.database.transact(s, (tx) => deleteEposIntegration(tx, 'grpc')),
  ],
])('when %s, the way is dropped by the hint alone', async (_, change) => {
  const scope = await account();
  const { book } = await listening(scope);
  const before = await book.find(scope);
  await change(scope);
  let after = before;
  await until(async () => (after = await book.find(scope)).isFresh);
  expect(after).not.toMatchObject({ live: before.live, integrations: before.integrations });
});

test('an account without a way is looked up each time, so that its first EPOS serves at once', async () => {
  const scope = await account();
  const { book } = await listening(scope);
  const without = await account(null);
  expect((await book.find(without)).isFresh).toBe(true);
  expect((await book.find(without)).isFresh).toBe(true);
});

test('a database that is away is no answer, and the next call asks again', async () => {
  const scope = await account();
  const { book, seen } = await listening(scope);
  seen.isAway = true;
  await expect(book.find(scope)).rejects.toThrow('away');
  seen.isAway = false;
  expect((await book.find(scope)).isFresh).toBe(true);
});

function connected(scope: Scope): Promise<unknown> {
  const wish = { connectionId: randomUUID(), kind: 'epos-grpc-stream', key: '', inUse: false } as const;
  return place.database.transact(scope, (tx) =>
    insertConnection(tx, { ...wish, gatewayId: randomUUID(), gatewayAddress: '127.0.0.1:1' }),
  );
}
