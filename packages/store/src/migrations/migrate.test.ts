import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database/embedded-postgres';
import { APP_ROLE, migrate, listMigrationNames, buildRoleUrl, VAULT_ROLE } from './migrate.js';

const PASSWORDS = { appPassword: 'app password', vaultPassword: 'vault password' };
const DATABASES = ['first', 'second', 'third', 'fourth'];
const MIGRATORS = 4;

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-migrate-'));
  // The account that runs PostgreSQL for root must be able to pass.
  chmodSync(folder, 0o755);
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false });
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function runQuery(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  return new URL(`/${database}`, server.url).href;
}

async function migrateAllAtOnce(): Promise<unknown[]> {
  const runs = DATABASES.flatMap((name) => Array.from({ length: MIGRATORS }, () => migrate(urlOf(name), PASSWORDS)));
  const ended = await Promise.allSettled(runs);
  return ended.filter(({ status }) => status === 'rejected');
}

// The logins belong to the server: migrators of different databases create them at the same time.
test('many concurrent migrators of a fresh server and its databases all succeed, repeatedly', async () => {
  for (const name of DATABASES) await runQuery(server.url, `create database ${name}`);
  expect(await migrateAllAtOnce()).toEqual([]);
  for (let round = 0; round < 3; round += 1) expect(await migrateAllAtOnce()).toEqual([]);
  for (const name of DATABASES) {
    const done = await runQuery(urlOf(name), 'select name from migrations order by name');
    expect(done).toEqual(
      listMigrationNames()
        .toSorted()
        .map((each) => ({ name: each })),
    );
    await runQuery(buildRoleUrl(urlOf(name), APP_ROLE, PASSWORDS.appPassword), 'select from accounts');
    await runQuery(buildRoleUrl(urlOf(name), VAULT_ROLE, PASSWORDS.vaultPassword), 'select from vault.card_numbers');
  }
});
