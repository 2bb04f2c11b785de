import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EVENT_KINDS } from '@pos/core/event-kind';
import type { Scope } from '@pos/core/identity';
import type { Reader } from '@pos/store/database';
import { type Statement, statement } from '@pos/store/statement';
import { freshDatabase, freshScope, type TestDatabase } from '@pos/store/testing';
import { refusalOf } from './testing.js';
import { getSubscription, listSubscriptions, subscribe, type SubscriptionWish, unsubscribe } from './webhooks.js';

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase({ poolMax: 25 });
});
afterAll(async () => {
  await place.close();
});

const RAW = statement(
  'raw_secrets',
  `select value_ciphertext as bytes from webhook_secrets where account_id = $1 and environment = $2`,
);
const WISH: SubscriptionWish = { events: ['payment_intent.created'], url: 'https://a.example/hook', description: null };

const subscribed = (scope: Scope, wish: Partial<SubscriptionWish> = {}) =>
  place.database.transact(scope, (tx) => subscribe(tx, { ...WISH, ...wish }));

test('a subscription has one active secret of its own and its kinds once, in the order of the catalogue', async () => {
  const scope = freshScope();
  const events = ['terminal_session.created', 'payment_intent.created', 'terminal_session.created'] as const;
  const made = await subscribed(scope, { events, description: 'the kitchen' });
  expect(made).toMatchObject({ events: ['payment_intent.created', 'terminal_session.created'], isPaused: false });
  expect(made.secrets).toEqual([expect.objectContaining({ isActive: true, lastUsedAt: null })]);
  const read = await place.database.read(scope, listSubscriptions);
  expect(read.map(({ events: kinds, ...rest }) => ({ ...rest, events: [...kinds].sort() }))).toEqual([
    { ...made, events: [...made.events].sort() },
  ]);
  const other = await subscribed(scope, { events: ['terminal_session.notification'] });
  expect(other.secrets[0]?.value).not.toBe(made.secrets[0]?.value);
  expect(await place.database.read(scope, listSubscriptions)).toHaveLength(2);
});

test.each([
  ['listed', (reader: Reader) => listSubscriptions(reader)],
  ['read', async (reader: Reader, id: string) => [await getSubscription(reader, id)]],
] as const)('a subscription that is deleted while it is %s is shown whole', async (_, look) => {
  const scope = freshScope();
  const made = await subscribed(scope);
  const found = await place.database.read(scope, (reader) => {
    // After each statement somebody else deletes it: a second statement finds nothing of it.
    const interrupted: Reader = Object.create(reader, {
      query: {
        value: async (asked: Statement, values: readonly unknown[]) => {
          const rows = await reader.query(asked, values);
          await place.database.transact(scope, (tx) => unsubscribe(tx, made.id)).catch(() => undefined);
          return rows;
        },
      },
      open: { value: (...sealed: Parameters<Reader['open']>) => reader.open(...sealed) },
      scope: { value: scope },
    }) as Reader;
    return look(interrupted, made.id);
  });
  expect(found).toEqual([{ ...made, secrets: made.secrets.map((each) => ({ ...each, createdAt: expect.any(Date) })) }]);
  expect(await place.database.read(scope, listSubscriptions)).toEqual([]);
});

test('a secret is sealed where it lies', async () => {
  const scope = freshScope();
  const { secrets } = await subscribed(scope);
  const rows = await place.database.read(scope, (reader) =>
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
] as const)('%s that another subscription has is refused, and nothing of it is kept', async (_says, events) => {
  const scope = freshScope();
  await subscribed(scope);
  expect(await refusalOf(subscribed(scope, { events }))).toBe('event_kind_taken');
  expect(await place.database.read(scope, listSubscriptions)).toHaveLength(1);
});

test('each account and each environment has its own kinds', async () => {
  const sandbox = freshScope();
  const production: Scope = { ...sandbox, environment: 'production' };
  for (const scope of [sandbox, production, freshScope()]) {
    expect(await refusalOf(subscribed(scope, { events: EVENT_KINDS }))).toBe('done');
  }
});

test('twenty subscriptions to overlapping kinds at once: one is made, the others are refused', async () => {
  const scope = freshScope();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      refusalOf(subscribed(scope, { events: index % 2 === 0 ? EVENT_KINDS : [...EVENT_KINDS].reverse().slice(0, 4) })),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['done', 'event_kind_taken']));
  expect(await place.database.read(scope, listSubscriptions)).toHaveLength(1);
});
