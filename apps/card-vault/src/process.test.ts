import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

let world: TestDatabase;
beforeAll(async () => {
  world = await freshDatabase();
  await world.open();
});
afterAll(() => world.close());

test('a database of another pepper it does not serve: it ends with 2 and one line that names the setting', async () => {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    env: {
      DATABASE_URL: world.url,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: 'another pepper for tests',
      ACQUIRER_ADDRESS: '127.0.0.1:1',
      VAULT_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
      HTTP_PORT: '0',
    },
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(2);
  expect(said).toContain('  KEY_PEPPER: is not the one');
  expect(said).not.toContain('    at ');
});
