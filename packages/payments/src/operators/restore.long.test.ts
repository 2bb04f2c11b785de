import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type EmbeddedPostgres,
  findDataDirectory,
  queryServer,
  startPostgres,
  writeClientPrograms,
  findFreePort,
} from '@pos/dev-database';
import { listChainSubjects, verifyChains } from '@pos/store/reconciliation';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import { APP_ROLE, buildRoleUrl, migrate } from '@pos/store/migrations';
import { TEST_SECRETS } from '@pos/store/testing';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountCache } from '../accounts/account-cache.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { MoneyOperations } from '../testing/money-operations.js';
import {
  createTestAccount,
  createTestEnvironment,
  findDifferences,
  readIntent,
  type TestEnvironment,
} from '../testing/test-environment.js';

const PAGE = new URL('../../../../docs/operate/back-up-and-restore.md', import.meta.url);
const PASSWORDS = { appPassword: 'app password', vaultPassword: 'vault password' };
const SECONDS = 1_000;
const TRIES_MAX = 500;

/** The blocks of commands of the page, in its order. */
const [ARCHIVE = '', BACK_UP = '', RESTORE = ''] = [
  ...readFileSync(PAGE, 'utf8').matchAll(/^```bash\n(.*?)^```$/gms),
].map(([, commands = '']) => commands);

let folder: string;
let server: EmbeddedPostgres;
let testEnvironment: TestEnvironment;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-restore-'));
  for (const name of ['', 'programs', 'backups', 'restored']) mkdirSync(path.join(folder, name), { recursive: true });
  // The account that runs PostgreSQL for root must be able to pass, and to write WAL and logs.
  for (const name of ['', 'programs']) chmodSync(path.join(folder, name), 0o755);
  for (const name of ['backups', 'restored']) chmodSync(path.join(folder, name), 0o777);
  writeClientPrograms(path.join(folder, 'programs'));
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: true, afterExit: 'remove' });
  // The launcher gives it on the command line, and a restored server needs at least as many.
  await queryServer(server, 'alter system set max_connections = 200');
  await migrate(server.url, PASSWORDS);
  testEnvironment = await createTestEnvironment({
    openDatabase: async () => {
      const database = await open(server.url);
      return {
        url: server.url,
        ownerUrl: server.url,
        database,
        open: () => open(server.url),
        close: () => database.close(),
      };
    },
  });
  settings = {
    PATH: `${path.join(folder, 'programs')}:${process.env['PATH']}`,
    ...{
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: server.superuser.name,
      PGPASSWORD: server.superuser.password,
    },
    ...{ PGDATA: await findDataDirectory(server), BACKUPS: path.join(folder, 'backups') },
    ...{ RESTORED: path.join(folder, 'restored', 'cluster'), RESTORED_PORT: String(await findFreePort()) },
  };
}, 60 * SECONDS);
afterAll(async () => {
  await runScript('pg_ctl -D "$RESTORED" -m immediate stop').catch(() => undefined);
  await testEnvironment.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

function open(ownerUrl: string): Promise<Database> {
  const url = buildRoleUrl(ownerUrl, APP_ROLE, PASSWORDS.appPassword);
  return openDatabase({ url, applicationName: 'restore', secrets: TEST_SECRETS });
}

/** Runs commands of the page, and returns what they print. */
function runScript(script: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  // What the commands make must be accessible to the account of the server.
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', `umask 000\n${script}`], {
    env: { ...settings, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`the commands ended with ${code}: ${output}`));
    });
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (await isSo()) return;
    await pause(20);
  }
  throw new Error(`never came true: ${what}`);
}

/**
 * Payments before the base backup, between it and the moment, and in the time that is lost: a capture and a refund of
 * known payments, and a whole payment. Then the server is gone.
 */
async function makeHistory() {
  const account = await createTestAccount(testEnvironment);
  const operations = new MoneyOperations(testEnvironment, account);
  const pay = async () => (await createPaidIntent(testEnvironment, account, { captureMode: 'Manual' })).intentId;
  const before = await pay();
  expect(await operations.capture(before, 700)).toBe('done');
  await runScript(BACK_UP);
  const between = await pay();
  expect(await operations.capture(between, 600)).toBe('done');
  const held = await pay();
  const [moment] = await queryServer<{ at: string }>(server, 'select clock_timestamp()::text as at');

  expect(await operations.capture(held, 500)).toBe('done');
  expect(await operations.refund(before, 200)).toBe('done');
  const lost = await pay();
  await queryServer(server, 'select pg_switch_wal()');
  await until('all WAL is archived', async () => {
    const [row] = await queryServer<{ done: boolean }>(
      server,
      'select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as done from pg_stat_archiver',
    );
    return row?.done === true;
  });
  await server.stop();
  return { account, before, between, held, lost, moment: moment?.at ?? '' };
}

test(
  'the commands of the page restore a moment, and reconciliation names what the acquirer has since',
  async () => {
    await runScript(ARCHIVE);
    await until('the service continues after the restart', () =>
      testEnvironment.database.checkReady().then(
        () => true,
        () => false,
      ),
    );
    const { account, before, between, held, lost, moment } = await makeHistory();
    await runScript(RESTORE, { TARGET_TIME: moment });
    const restoredUrl = server.url.replace(`:${server.port}/`, `:${settings['RESTORED_PORT']}/`);
    await until('the restore has ended', async () => {
      const [row] = await queryServer<{ done: boolean }>(
        { url: restoredUrl },
        'select not pg_is_in_recovery() as done',
      );
      return row?.done === true;
    });
    const database = await open(restoredUrl);
    const restored = { ...testEnvironment, database, accounts: new AccountCache() };
    try {
      const captured = async (id: typeof before) => (await readIntent(restored, account, id)).captured.value;
      expect([await captured(before), await captured(between), await captured(held)]).toEqual([700, 600, 0]);
      expect((await readIntent(restored, account, before)).refunded.value).toBe(0);
      expect(await readIntent(restored, account, lost)).toBeNull();
      // Every chain of records is intact up to the moment.
      const subjects = await database.read(account.scope, (reader) => listChainSubjects(reader, '', 50));
      expect(subjects.map(({ id }) => id)).toEqual(expect.arrayContaining([before, between, held]));
      expect(await verifyChains(database, account.scope, subjects)).toEqual([]);
      // What the acquirer has, and the restored books lack: each booking by its reference and amount.
      const { books } = testEnvironment.acquirerServer.acquirer;
      const findings = await findDifferences(restored, account);
      expect(findings.map(({ kind, amount }) => [kind, amount?.value]).toSorted()).toMatchInlineSnapshot(`
       [
         [
           "NotAskedFor",
           200,
         ],
         [
           "NotAskedFor",
           2000,
         ],
         [
           "NotAskedFor",
           500,
         ],
       ]
      `);
      for (const { reference } of findings)
        expect(books.findCall(reference)).toMatchObject({ merchantId: account.merchantId });
    } finally {
      await database.close();
    }
  },
  90 * SECONDS,
);
