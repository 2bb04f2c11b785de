import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, credentials } from '@grpc/grpc-js';
import { queryHealth, STORED_NUMBERS_HEALTH } from '@pos/service-kit/internal';
import { buildDatabaseOptions } from '@pos/nest-modules';
import { readConfig } from '@pos/service-kit/config';
import { createLog } from '@pos/service-kit/telemetry';
import { openDatabase } from '@pos/store/startup';
import { defineInLongRun } from '@pos/testing';
import { Config, readDatabaseOptions } from '../config/config.js';
import { createMasterKeys } from '../keys/create-master-keys.js';
import { createMasterKey } from '../testing/card-requests.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { CardNumberCipher } from './card-number-cipher.js';
import { checkStoredNumbers } from './stored-number-check.js';
import { createTestChannel } from '@pos/service-kit/testing';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

let testEnvironment: VaultTestEnvironment;
beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

/** What a vault with these keys reports about the stored numbers. */
async function askVault(settings: Readonly<Record<string, string>>): Promise<string> {
  const { internalGrpc } = await testEnvironment.startAnother(settings);
  const channel = createTestChannel('admin', { app: 'card-vault', address: internalGrpc });
  const client = new Client(internalGrpc, channel.credentials, channel.options);
  try {
    for (let look = 0; look < 100; look += 1) {
      const answer = await queryHealth(client, STORED_NUMBERS_HEALTH, 5_000);
      if (answer !== 'unknown') return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return 'unknown';
  } finally {
    client.close();
  }
}

test('without a stored number every key will do', async () => {
  expect(await askVault({ VAULT_KEYS: createMasterKey('first', 7) })).toBe('serving');
});

test('with the key of a stored number the vault serves, and with other bytes under its id it does not start', async () => {
  const payable = await testEnvironment.createCustomerPayable();
  await testEnvironment.payByCard(payable, { cardNumber: '4456530000091014', savePaymentMethod: true });
  expect(await askVault({})).toBe('serving');
  expect(await askVault({ VAULT_KEYS: `${createMasterKey('second', 2)},${createMasterKey('first', 1)}` })).toBe(
    'serving',
  );
  await expect(askVault({ VAULT_KEYS: createMasterKey('first', 7) })).rejects.toThrow(
    'VAULT_KEYS: lacks first, or has other bytes under the id, and stored cards need it',
  );
});

testLong('one damaged number is no sign of a wrong key', async () => {
  const [row] = await testEnvironment.queryRows<{ card_id: string }>(
    `insert into vault.card_numbers (account_id, environment, card_id, key_id, wrapped_key, ciphertext, created_at)
     select account_id, environment, 'pm_AAAAAAAAAAAAAAAAAAAAAA', key_id, '\\x00', '\\x00', created_at
     from vault.card_numbers returning card_id`,
  );
  expect(await askVault({})).toBe('serving');
  await testEnvironment.queryRows('delete from vault.card_numbers where card_id = $1 returning card_id', [
    row!.card_id,
  ]);
});

test('a vault finds numbers that another one has stored under other bytes of one of its keys', async () => {
  const [both, differing] = [2, 7].map((fill) => `${createMasterKey('second', fill)},${createMasterKey('first', 1)}`);
  const at = await testEnvironment.startAnother({ VAULT_KEYS: both! });
  const payable = await testEnvironment.createCustomerPayable();
  const card = { cardNumber: '4456530000091014', savePaymentMethod: true };
  expect((await testEnvironment.payByCard(payable, card, { at })).body['statusCode']).toBe(0);
  const config = readConfig(Config, testEnvironment.buildEnvironment({ VAULT_KEYS: differing! }));
  const log = createLog({ app: 'test', level: 'error', write: () => undefined });
  const database = await openDatabase(buildDatabaseOptions(config, readDatabaseOptions(config)));
  const findings = await checkStoredNumbers(database, new CardNumberCipher(createMasterKeys(config, log)));
  await database.close();
  expect(findings).toEqual({ unusable: ['second'], unanswered: [] });
  await testEnvironment.queryRows(`delete from vault.card_numbers where key_id = 'second' returning card_id`);
});

testLong('a key in components opens with all of them, and a vault with one of them does not start', async () => {
  const components = {
    VAULT_KEYS: `${createMasterKey('split', 1)},${createMasterKey('first', 1)}`,
    VAULT_KEYS_SECOND: createMasterKey('split', 2),
    VAULT_KEYS_THIRD: createMasterKey('split', 4),
  };
  const at = await testEnvironment.startAnother(components);
  const payable = await testEnvironment.createCustomerPayable();
  const card = { cardNumber: '4456530000091014', savePaymentMethod: true };
  expect((await testEnvironment.payByCard(payable, card, { at })).body['statusCode']).toBe(0);
  expect(await askVault(components)).toBe('serving');
  // The whole key opens the same numbers: 1 xor 2 xor 4 is 7.
  expect(await askVault({ VAULT_KEYS: `${createMasterKey('split', 7)},${createMasterKey('first', 1)}` })).toBe(
    'serving',
  );
  for (const missing of ['VAULT_KEYS_SECOND', 'VAULT_KEYS_THIRD']) {
    await expect(askVault({ ...components, [missing]: '' })).rejects.toThrow(/lacks split, or has other bytes/);
  }
  await expect(askVault({ ...components, VAULT_KEY_COMPONENTS: '2' })).rejects.toThrow(
    'first has 1 of at least 2 components',
  );
});

test('a name that the vault does not have is unknown, and so is a port that does not answer', async () => {
  const client = new Client('127.0.0.1:1', credentials.createInsecure());
  expect(await queryHealth(client, STORED_NUMBERS_HEALTH, 500)).toBe('unknown');
  client.close();
});
