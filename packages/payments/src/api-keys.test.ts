import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/permissions';
import { deleteApiKey, insertApiKey } from '@pos/store/api-keys';
import { freshDatabase, freshScope, type TestDatabase } from '@pos/store/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyRing } from './api-keys.js';

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(async () => {
  await place.close();
});

async function key(environment: 'sandbox' | 'production' = 'sandbox') {
  const scope = freshScope(environment);
  const text = newKeyText(environment, randomBytes(32));
  const id = newId('apiKey', environment, randomBytes(16));
  const permissions = ROLES['webhooks-only'];
  await place.database.transact(scope, (tx) => insertApiKey(tx, { id, text, label: 'a test', permissions }));
  return { scope, text, id };
}

test.each(['sandbox', 'production'] as const)('a %s key says whose it is and what it may', async (environment) => {
  const { scope, text, id } = await key(environment);
  expect(await new KeyRing(place.database).authenticate(text)).toEqual({
    ...{ scope, keyId: id, permissions: new Set(ROLES['webhooks-only']) },
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
  ['a key that never was', () => newKeyText('sandbox', randomBytes(32))],
  ['a text of a megabyte', () => `sk_sandbox_${'A'.repeat(1_000_000)}`],
  ['a text that tries to be SQL', () => `sk_sandbox_' or true --`],
])('%s opens nothing', async (_says, textOf) => {
  const { text } = await key();
  expect(await new KeyRing(place.database).authenticate(textOf(text))).toBeNull();
});

test('a deleted key opens nothing a second later, in the process that has just used it too', async () => {
  const { scope, text, id } = await key();
  const rings = [new KeyRing(place.database), new KeyRing(await place.open())];
  for (const ring of rings) expect(await ring.authenticate(text)).not.toBeNull();
  await place.database.transact(scope, (tx) => deleteApiKey(tx, id));
  await pause(1_000);
  for (const ring of rings) expect(await ring.authenticate(text)).toBeNull();
  expect(await new KeyRing(place.database).authenticate(text)).toBeNull();
});

test('a database that does not answer makes nobody unknown: the next request asks again', async () => {
  const { text } = await key();
  const other = await place.open();
  const ring = new KeyRing(other);
  await other.dataSource.destroy();
  await expect(ring.authenticate(text)).rejects.toThrow();
  await other.dataSource.initialize();
  expect(await ring.authenticate(text)).not.toBeNull();
});
