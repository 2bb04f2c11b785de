import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, credentials } from '@grpc/grpc-js';
import { queryHealth, STORED_NUMBERS_HEALTH } from '@pos/service-kit/internal/health-query';
import { createMasterKey } from '../testing/card-requests.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';

let testEnvironment: VaultTestEnvironment;
beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

/** What a vault with these keys reports about the stored numbers. */
async function askVault(settings: Readonly<Record<string, string>>): Promise<string> {
  const { internalGrpc } = await testEnvironment.startAnother(settings);
  const client = new Client(internalGrpc, credentials.createInsecure());
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

test('with the key of a stored number the vault serves, and with other bytes under its id it reports that', async () => {
  const payable = await testEnvironment.createCustomerPayable();
  await testEnvironment.payByCard(payable, { cardNumber: '4456530000091014', savePaymentMethod: true });
  expect(await askVault({})).toBe('serving');
  expect(await askVault({ VAULT_KEYS: `${createMasterKey('second', 2)},${createMasterKey('first', 1)}` })).toBe(
    'serving',
  );
  expect(await askVault({ VAULT_KEYS: createMasterKey('first', 7) })).toBe('notServing');
});

test('a name that the vault does not have is unknown, and so is a port that does not answer', async () => {
  const client = new Client('127.0.0.1:1', credentials.createInsecure());
  expect(await queryHealth(client, STORED_NUMBERS_HEALTH, 500)).toBe('unknown');
  client.close();
});
