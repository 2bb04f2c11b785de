import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EVENT_KINDS } from '@pos/core/events';
import type { Scope } from '@pos/core/identity';
import type { Reader } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { getOutcome } from '../testing/test-environment.js';
import {
  getSubscription,
  listSubscriptions,
  createSubscription,
  type SubscriptionRequest,
  unsubscribe,
} from './subscriptions.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 25 });
});
afterAll(async () => {
  await testDatabase.close();
});

const RAW = defineStatement(
  'raw_secrets',
  `select value_ciphertext as bytes from webhook_secrets where account_id = $1 and environment = $2`,
);
const REQUEST: SubscriptionRequest = {
  events: ['payment_intent.created'],
  url: 'https://a.example/hook',
  description: null,
};

const createTestSubscription = (scope: Scope, request: Partial<SubscriptionRequest> = {}) =>
  testDatabase.database.transact(scope, (tx) => createSubscription(tx, { ...REQUEST, ...request }));

test('a subscription has one active secret of its own and its kinds once, in the order of the catalogue', async () => {
  const scope = createTestScope();
  const events = ['terminal_session.created', 'payment_intent.created', 'terminal_session.created'] as const;
  const made = await createTestSubscription(scope, { events, description: 'the kitchen' });
  expect(made).toMatchObject({ events: ['payment_intent.created', 'terminal_session.created'], isPaused: false });
  expect(made.secrets).toEqual([expect.objectContaining({ isActive: true, lastUsedAt: null })]);
  const read = await testDatabase.database.read(scope, listSubscriptions);
  expect(read.map(({ events: kinds, ...rest }) => ({ ...rest, events: [...kinds].sort() }))).toEqual([
    { ...made, events: [...made.events].sort() },
  ]);
  const other = await createTestSubscription(scope, { events: ['terminal_session.notification'] });
  expect(other.secrets[0]?.value).not.toBe(made.secrets[0]?.value);
  expect(await testDatabase.database.read(scope, listSubscriptions)).toHaveLength(2);
});

test.each([
  ['listed', (reader: Reader) => listSubscriptions(reader)],
  ['read', async (reader: Reader, id: string) => [await getSubscription(reader, id)]],
] as const)('a subscription that is deleted while it is %s is shown whole', async (_, look) => {
  const scope = createTestScope();
  const made = await createTestSubscription(scope);
  const found = await testDatabase.database.read(scope, (reader) => {
    // Another process deletes it after each statement: a second statement finds nothing of it.
    const deleteAfter = async <T>(rows: Promise<T>): Promise<T> => {
      await rows;
      await testDatabase.database.transact(scope, (tx) => unsubscribe(tx, made.id)).catch(() => undefined);
      return rows;
    };
    const interrupted: Reader = Object.create(reader, {
      query: { value: (...query: Parameters<Reader['query']>) => deleteAfter(reader.query(...query)) },
      runWithManager: {
        value: (...work: Parameters<Reader['runWithManager']>) => deleteAfter(reader.runWithManager(...work)),
      },
      open: { value: (...sealed: Parameters<Reader['open']>) => reader.open(...sealed) },
      scope: { value: scope },
    }) as Reader;
    return look(interrupted, made.id);
  });
  expect(found).toEqual([{ ...made, secrets: made.secrets.map((each) => ({ ...each, createdAt: expect.any(Date) })) }]);
  expect(await testDatabase.database.read(scope, listSubscriptions)).toEqual([]);
});

test('a secret is stored sealed', async () => {
  const scope = createTestScope();
  const { secrets } = await createTestSubscription(scope);
  const rows = await testDatabase.database.read(scope, (reader) =>
    reader.query<{ bytes: Buffer }>(RAW, [scope.accountId, scope.environment]),
  );
  const value = secrets[0]!.value;
  expect(value.length).toBeGreaterThan(30);
  expect(rows).toHaveLength(1);
  expect(rows[0]!.bytes.includes(value)).toBe(false);
  expect(rows[0]!.bytes.includes(value.slice(3, 15))).toBe(false);
});

test.each([
  ['the same kind', ['payment_intent.created']],
  ['one of many kinds', EVENT_KINDS],
] as const)('%s that another subscription has is refused, and nothing of it is kept', async (_title, events) => {
  const scope = createTestScope();
  await createTestSubscription(scope);
  expect(await getOutcome(createTestSubscription(scope, { events }))).toBe('event_kind_taken');
  expect(await testDatabase.database.read(scope, listSubscriptions)).toHaveLength(1);
});

test('each account and each environment has its own kinds', async () => {
  const sandbox = createTestScope();
  const production: Scope = { ...sandbox, environment: 'production' };
  for (const scope of [sandbox, production, createTestScope()]) {
    expect(await getOutcome(createTestSubscription(scope, { events: EVENT_KINDS }))).toBe('done');
  }
});

test('of twenty concurrent subscriptions to overlapping kinds one is created, and the others are refused', async () => {
  const scope = createTestScope();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      getOutcome(
        createTestSubscription(scope, {
          events: index % 2 === 0 ? EVENT_KINDS : [...EVENT_KINDS].reverse().slice(0, 4),
        }),
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['done', 'event_kind_taken']));
  expect(await testDatabase.database.read(scope, listSubscriptions)).toHaveLength(1);
});
