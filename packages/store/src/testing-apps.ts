import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TEST_SECRETS, type TestDatabase } from './testing.js';

/** Starts the built app of the package whose tests run, with another pepper than its database has; how it ends. */
export async function endWithAnotherPepper(
  { url }: Pick<TestDatabase, 'url'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    env: {
      DATABASE_URL: url,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: 'another pepper for tests',
      ...settings,
    },
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
