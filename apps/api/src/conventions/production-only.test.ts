import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disableAccount, enableAccount } from '@pos/administration/accounts';
import { readAcquirerConnections, readConfig } from '@pos/service-kit/config';
import { Config } from '../config/config.js';
import { ApiTestEnvironment, GBP_20 } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  // Only the acquirer of production is configured.
  testEnvironment = await ApiTestEnvironment.open(({ acquirer }) =>
    Promise.resolve({ ACQUIRER_ADDRESS: '', ACQUIRER_ADDRESS_PRODUCTION: acquirer.address }),
  );
});
afterAll(() => testEnvironment.close());

const UNLINKED_REFUND = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } };

test('without an acquirer of sandboxes their money operations are refused, and those of production are not', async () => {
  const { keys, production } = testEnvironment;
  const start = async (key: string, terminalId: string) => {
    const body = { details: UNLINKED_REFUND, terminalId };
    const answer = await testEnvironment.sendRequest('POST', '/terminal-sessions', { key, body });
    return [answer.status, await testEnvironment.findRefusal(answer)];
  };
  expect(await start(keys.full, await testEnvironment.createTerminal())).toEqual([503, 'acquirer_not_configured']);
  const terminal = await testEnvironment.createTerminal({ scope: production });
  expect((await start(keys.production, terminal))[0]).toBe(200);
  const read = await testEnvironment.sendRequest('GET', '/terminals', { key: keys.full });
  expect(read.status).toBe(200);
});

test('the keys of a disabled account are refused within a second, as unknown ones are', async () => {
  const { scope, key } = await testEnvironment.createAccount();
  const read = () => testEnvironment.sendRequest('GET', '/terminals', { key });
  const change = { actor: 'anna', reason: 'contract ended' };
  expect((await read()).status).toBe(200);
  await testEnvironment.testDatabase.database.transact(scope, (tx) => disableAccount(tx, change));
  await pause(1_000);
  const refused = await read();
  expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([401, 'unauthenticated']);
  await testEnvironment.testDatabase.database.transact(scope, (tx) => enableAccount(tx, change));
  // An unknown key is not looked up again for five seconds.
  await pause(5_000);
  expect((await read()).status).toBe(200);
});

test('an API without any acquirer does not start', () => {
  const config = readConfig(Config, {
    ...{ DATABASE_URL: 'postgres://localhost/x', KEY_PEPPER: 'a pepper for tests' },
    ...{ ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), NODE_ENV: 'test' },
  });
  expect(() => readAcquirerConnections(config)).toThrow(
    'ACQUIRER_ADDRESS: is not set, and ACQUIRER_ADDRESS_PRODUCTION is not set, either',
  );
});
