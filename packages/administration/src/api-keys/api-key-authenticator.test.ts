import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createId, createApiKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { deleteApiKey, insertApiKey, listApiKeys } from '@pos/store/repositories';
import { createModelLimiter, createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount, disableAccount, enableAccount } from '../accounts/account-administration.js';
import { createRoleKey } from './api-key-administration.js';
import { ApiKeyAuthenticator, createApiKey } from '@pos/payments/accounts';

const ADDRESS = '192.0.2.1';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

async function key(environment: 'sandbox' | 'production' = 'sandbox') {
  const scope = createTestScope(environment);
  const text = createApiKeyText(environment, randomBytes(32));
  const id = createId('apiKey', environment, randomBytes(16));
  const permissions = ROLES['webhooks-only'];
  await testDatabase.database.transact(scope, (tx) => insertApiKey(tx, { id, text, label: 'a test', permissions }));
  return { scope, text, id };
}

test.each(['sandbox', 'production'] as const)('a %s key has an owner and permissions', async (environment) => {
  const { scope, text, id } = await key(environment);
  expect(await new ApiKeyAuthenticator(testDatabase.database).authenticate(text, ADDRESS)).toEqual({
    ...{ scope, keyId: id, permissions: new Set(ROLES['webhooks-only']), ratePerSecond: null },
    isStrict: true,
  });
});

test('a key is strict unless its creator says otherwise', async () => {
  const change = { actor: 'anna', reason: 'a test' };
  const { id: accountId } = await createAccount(testDatabase.database, change, {
    ...{
      name: 'strict',
      tradingName: 'Strict Kitchen',
      merchantId: randomBytes(5).toString('hex'),
      currencies: ['GBP'],
    },
  });
  const scope = { accountId, environment: 'sandbox' } as const;
  const keys = await testDatabase.database.transact(scope, async (tx) => {
    const permissions = ROLES['webhooks-only'];
    await createRoleKey(tx, change, { label: 'by role', role: 'full' });
    await createRoleKey(tx, change, { label: 'lenient', role: 'full', isStrict: false });
    await createApiKey(tx, { permissions: new Set(ROLES.full) }, { label: 'by permissions', permissions });
    return listApiKeys(tx);
  });
  expect(Object.fromEntries(keys.map(({ label, isStrict }) => [label, isStrict]))).toEqual({
    ...{ 'by role': true, 'by permissions': true, lenient: false },
  });
});

test.each([
  ['nothing', () => ''],
  ['a word', () => 'password'],
  ['a key of no environment', (text: string) => text.replace('sk_sandbox_', 'sk_')],
  ['a key of the other environment', (text: string) => text.replace('sk_sandbox_', 'sk_prod_')],
  ['a key with one letter changed', (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`],
  ['a key with a letter more', (text: string) => `${text}A`],
  ['a key with a space behind it', (text: string) => `${text} `],
  ['a key that never was', () => createApiKeyText('sandbox', randomBytes(32))],
  ['a text of a megabyte', () => `sk_sandbox_${'A'.repeat(1_000_000)}`],
  ['a text that tries to be SQL', () => `sk_sandbox_' or true --`],
])('%s opens nothing', async (_title, textOf) => {
  const { text } = await key();
  expect(await new ApiKeyAuthenticator(testDatabase.database).authenticate(textOf(text), ADDRESS)).toBeNull();
});

test('the use of a key is recorded, however often it is used', async () => {
  const { scope, text } = await key();
  const ring = new ApiKeyAuthenticator(testDatabase.database);
  for (let use = 0; use < 5; use += 1) await ring.authenticate(text, ADDRESS);
  let used: Date | null = null;
  while (used === null) {
    await pause(5);
    used = (await testDatabase.database.read(scope, listApiKeys))[0]?.lastUsedAt ?? null;
  }
  await ring.authenticate(text, ADDRESS);
  await pause(50);
  const [again] = await testDatabase.database.read(scope, listApiKeys);
  expect(again?.lastUsedAt).toEqual(used);
});

test('a deleted key is refused a second later, also in the process that has just used it', async () => {
  const { scope, text, id } = await key();
  const rings = [new ApiKeyAuthenticator(testDatabase.database), new ApiKeyAuthenticator(await testDatabase.open())];
  for (const ring of rings) expect(await ring.authenticate(text, ADDRESS)).not.toBeNull();
  await testDatabase.database.transact(scope, (tx) => deleteApiKey(tx, id));
  await pause(1_000);
  for (const ring of rings) expect(await ring.authenticate(text, ADDRESS)).toBeNull();
  expect(await new ApiKeyAuthenticator(testDatabase.database).authenticate(text, ADDRESS)).toBeNull();
});

test('the keys of a disabled account are refused a second later in every process, and accepted once it is enabled', async () => {
  const { database } = testDatabase;
  const change = { actor: 'anna', reason: 'contract ended' };
  const { id: accountId } = await createAccount(database, change, {
    ...{ name: 'test', tradingName: 'Test Kitchen', merchantId: randomBytes(5).toString('hex'), currencies: ['GBP'] },
  });
  const scope = { accountId, environment: 'production' } as const;
  const key = { label: 'shop', role: 'full' } as const;
  const { text } = await database.transact(scope, (tx) => createRoleKey(tx, change, key));
  const rings = [new ApiKeyAuthenticator(database), new ApiKeyAuthenticator(await testDatabase.open())];
  for (const ring of rings) expect(await ring.authenticate(text, ADDRESS)).not.toBeNull();
  await database.transact(scope, (tx) => disableAccount(tx, change));
  await pause(1_000);
  for (const ring of rings) expect(await ring.authenticate(text, ADDRESS)).toBeNull();
  await database.transact(scope, (tx) => enableAccount(tx, change));
  expect(await new ApiKeyAuthenticator(database).authenticate(text, ADDRESS)).toMatchObject({ scope });
});

test('a database that does not answer makes no key unknown: the next request queries it again', async () => {
  const { text } = await key();
  const other = await testDatabase.open();
  const ring = new ApiKeyAuthenticator(other);
  await other.dataSource.destroy();
  await expect(ring.authenticate(text, ADDRESS)).rejects.toThrow();
  await other.dataSource.initialize();
  expect(await ring.authenticate(text, ADDRESS)).not.toBeNull();
});

test('a lookup that fails takes nothing from its address, during an outage and after it', async () => {
  const other = await testDatabase.open();
  const ring = new ApiKeyAuthenticator(other, { limits: createModelLimiter(() => 1), now: () => 1 });
  await other.dataSource.destroy();
  const texts = Array.from({ length: 5 }, () => createApiKeyText('production', randomBytes(32)));
  const codes: unknown[] = [];
  for (let call = 0; call < 200; call += 1) {
    const failed: unknown = await ring.authenticate(texts[call % 5]!, ADDRESS).catch((error: unknown) => error);
    codes.push(failed instanceof Refusal ? failed.code : 'another error');
  }
  expect(codes).not.toContain('rate_limited');
  await other.dataSource.initialize();
  const strangers = Array.from({ length: 51 }, () => createApiKeyText('production', randomBytes(32)));
  for (const text of strangers.slice(1)) expect(await ring.authenticate(text, ADDRESS)).toBeNull();
  await expect(ring.authenticate(strangers[0]!, ADDRESS)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a lookup that was refused returns no token', async () => {
  const ring = new ApiKeyAuthenticator(testDatabase.database, { limits: createModelLimiter(() => 1), now: () => 1 });
  const outcomes: unknown[] = [];
  for (let call = 0; call < 120; call += 1) {
    const results = ring.authenticate(createApiKeyText('production', randomBytes(32)), ADDRESS);
    outcomes.push(await results.catch((error: unknown) => error instanceof Refusal && error.code));
  }
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(50);
  expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(70);
});

test('keys of one turn of the event loop are looked up with one query, each for its own request', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => key()));
  const stranger = createApiKeyText('sandbox', randomBytes(32));
  let questions = 0;
  const ring = new ApiKeyAuthenticator(
    new Proxy(testDatabase.database, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name === 'readSystem') questions += 1;
        return member.bind(target) as unknown;
      },
    }),
  );
  const bearers = await Promise.all(
    [...keys.map(({ text }) => text), stranger].map((text, at) => ring.authenticate(text, `192.0.2.${at}`)),
  );
  expect(bearers.map((bearer) => bearer?.keyId ?? null)).toEqual([...keys.map(({ id }) => id), null]);
  expect(questions).toBe(1);
});

test('unknown keys of an address are limited before the database is queried, and its valid keys are not', async () => {
  const flooding = '198.51.100.1';
  const { text } = await key();
  const ring = new ApiKeyAuthenticator(testDatabase.database, { now: () => 1 });
  expect(await ring.authenticate(text, flooding)).not.toBeNull();
  const unknown = Array.from({ length: 200 }, () => createApiKeyText('sandbox', randomBytes(32)));
  const results = await Promise.allSettled(unknown.map((each) => ring.authenticate(each, flooding)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(150);
  expect(refused).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: 'rate_limited' }) }),
  );
  expect(await ring.authenticate(text, flooding)).not.toBeNull();
  expect(await ring.authenticate(unknown[199]!, '192.0.2.2')).toBeNull();
});

test('unknown keys of an address are limited over all processes of the app together', async () => {
  const authenticators = [
    new ApiKeyAuthenticator(testDatabase.database),
    new ApiKeyAuthenticator(await testDatabase.open()),
    new ApiKeyAuthenticator(await testDatabase.open()),
  ];
  /** How many of 450 keys were looked up, and how many tokens have returned meanwhile. */
  const flood = async (address: string) => {
    const startedMs = performance.now();
    const calls = Array.from({ length: 450 }, (_, at) =>
      authenticators[at % 3]!.authenticate(createApiKeyText('sandbox', randomBytes(32)), address),
    );
    const results = await Promise.allSettled(calls);
    const count = results.filter(({ status }) => status === 'fulfilled').length;
    return { count, isTogether: count <= 60 + (performance.now() - startedMs) / 1000 };
  };
  // On a busy machine the database answers too late, and each process counts alone for a second (ADR 0059).
  let outcome = await flood('198.51.100.2');
  for (let tries = 1; tries < 10 && !outcome.isTogether; tries += 1) {
    await pause(1_100);
    outcome = await flood(`198.51.100.${10 + tries}`);
  }
  expect(outcome.isTogether).toBe(true);
  expect(outcome.count).toBeGreaterThanOrEqual(40);
});
