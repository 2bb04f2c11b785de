import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations';
import {
  createTestDatabase,
  readTestServer,
  runWithOtherPepper,
  startBeforeDatabase,
  TEST_SECRETS,
  type TestDatabase,
} from '@pos/store/testing';
import { getInternalTls } from '@pos/service-kit/testing';
import { defineInLongRun } from '@pos/testing';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

let testEnvironment: TestDatabase;
beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  await testEnvironment.open();
});
afterAll(() => testEnvironment.close());

testLong('with a database of another pepper it exits with 2, and one log line names the setting', async () => {
  const { code, output } = await runWithOtherPepper(testEnvironment, {
    ...getInternalTls('card-vault'),
    ACQUIRER_ADDRESS: '127.0.0.1:1',
    VAULT_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
    HTTP_PORT: '0',
  });
  expect(code).toBe(2);
  expect(output).toContain('  KEY_PEPPER: is not the one');
  expect(output).not.toContain('    at ');
});

test('with the login of the other apps it exits with 2, and one log line names the setting', async () => {
  const { code, output } = await runWithOtherPepper(testEnvironment, {
    ...{ ACQUIRER_ADDRESS: '127.0.0.1:1', HTTP_PORT: '0', NODE_ENV: 'test' },
    ...getInternalTls('card-vault'),
    KEY_PEPPER: TEST_SECRETS.pepper,
    VAULT_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
  });
  expect(code).toBe(2);
  expect(output).toContain('  DATABASE_URL: the login is not the role service_vault');
  expect(output).not.toContain('    at ');
});

testLong('without its database it waits, logs one line, and starts when the database is available', async () => {
  const url = buildRoleUrl(testEnvironment.ownerUrl, VAULT_ROLE, readTestServer().vaultPassword);
  const { lines, stderr, code } = await startBeforeDatabase(
    { url },
    {
      ...getInternalTls('card-vault'),
      ACQUIRER_ADDRESS: '127.0.0.1:1',
      VAULT_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
      ...{ HTTP_PORT: '0', GRPC_PORT: '0' },
    },
  );
  expect(stderr).toBe('');
  const events = lines.map(({ event }) => event);
  expect(events.filter((event) => event === 'database.awaited')).toHaveLength(1);
  // Its acquirer does not answer, at any time.
  const starting = events.filter((event) => event !== 'acquirer.capabilities_unanswered').slice(0, 3);
  expect(starting).toEqual(['database.awaited', 'database.reached', 'process.started']);
  expect(lines[0]).toMatchObject({ level: 40, reason: 'away', code: 'ECONNREFUSED' });
  expect(JSON.stringify(lines)).not.toContain(new URL(url).password);
  expect(code).toBe(0);
});
