import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findEposIntegration, putEposIntegration } from '@pos/store/repositories';
import { createTestDatabase, createTestScope, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { defineInLongRun } from '@pos/testing';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);
const NEXT_KEY = Buffer.alloc(32, 9);
const NEXT_PEPPER = 'the next pepper of tests';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Runs the built command as an operator does; returns its exit code and output. */
function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const settings = {
    DATABASE_URL: testDatabase.url,
    ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
    KEY_PEPPER: TEST_SECRETS.pepper,
    ...{ ACQUIRER_ADDRESS: '127.0.0.1:1', NODE_ENV: 'test' },
    ...env,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['bundle/replace-keys.js', ...args], { env: settings }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}` });
    });
  });
}

test('the command replaces the encryption key, from the first step to the last', async () => {
  const scope = createTestScope();
  const request = { kind: 'grpc', url: 'https://epos.example', username: 'epos', capabilities: [] } as const;
  await testDatabase.database.transact(scope, (tx) => putEposIntegration(tx, { ...request, password: 'pässword' }));
  const [old, next] = [TEST_SECRETS.encryptionKey.toString('base64'), NEXT_KEY.toString('base64')];
  expect(await runCommand(['encryption-key'], { ENCRYPTION_KEY: next, ENCRYPTION_KEY_ACCEPTED: old })).toMatchObject({
    code: 2,
  });
  await testDatabase.open({ secrets: { ...TEST_SECRETS, acceptedEncryptionKey: NEXT_KEY } });

  const rotated = await runCommand(['encryption-key'], { ENCRYPTION_KEY: next, ENCRYPTION_KEY_ACCEPTED: old });
  expect(rotated).toEqual({
    code: 0,
    output:
      'all values are sealed under ENCRYPTION_KEY; 1 were not\n' +
      'the previous key is retired: remove ENCRYPTION_KEY_ACCEPTED\n',
  });
  const finished = await testDatabase.open({ secrets: { ...TEST_SECRETS, encryptionKey: NEXT_KEY } });
  const found = await finished.read(scope, (reader) => findEposIntegration(reader, 'grpc'));
  expect(found?.password).toBe('pässword');
});

testLong('the command replaces the pepper, and refuses to end an overlap that is not over', async () => {
  const env = { ENCRYPTION_KEY: NEXT_KEY.toString('base64') };
  expect(await runCommand(['pepper'], env)).toEqual({ code: 0, output: 'no pepper is being replaced\n' });
  const both = { ...env, KEY_PEPPER: NEXT_PEPPER, KEY_PEPPER_ACCEPTED: TEST_SECRETS.pepper };
  expect((await runCommand(['pepper'], { ...env, KEY_PEPPER_ACCEPTED: NEXT_PEPPER })).code).toBe(0);
  const started = await runCommand(['retire-pepper'], both);
  expect(started.code).toBe(1);
  expect(started.output).toContain('the overlap is not over');
  expect((await runCommand(['pepper'], { ...env, KEY_PEPPER: NEXT_PEPPER })).output).toContain('KEY_PEPPER_ACCEPTED');
  expect((await runCommand(['retire-pepper', '--force'], both)).output).toContain('the previous pepper is retired');
  expect(await runCommand(['pepper'], { ...env, KEY_PEPPER: NEXT_PEPPER })).toMatchObject({ code: 0 });
});

testLong.each([[[]], [['everything']]])('a wrong command %j prints the usage', async (args) => {
  const { code, output } = await runCommand(args);
  expect(code).toBe(2);
  expect(output).toContain('usage: ');
});

testLong.each([
  [
    'its database is away',
    'postgres://service_app:p@127.0.0.1:1/pos',
    1,
    'the database server 127.0.0.1:1 does not answer',
  ],
  ['its login is refused', null, 2, 'DATABASE_URL: the server refuses the login'],
])('where %s it exits with one sentence', async (_, given, code, says) => {
  const url = new URL(testDatabase.url);
  url.password = 'wrong';
  const ended = await runCommand(['pepper'], { DATABASE_URL: given ?? url.href });
  expect(ended.code).toBe(code);
  expect(ended.output).toContain(says);
  expect(ended.output).not.toContain('    at ');
});
