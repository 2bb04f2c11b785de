import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { awaitDatabase, connectDatabase } from './database-startup.js';
import { APP_ROLE, migrate, buildRoleUrl, VAULT_ROLE } from '../migrations/migrate.js';
import { RELEASE } from '../migrations/release.js';
import { TEST_SECRETS, readTestServer } from '../testing/test-database.js';

const server = readTestServer();
const made: string[] = [];
const lines: Record<string, unknown>[] = [];
const log = {
  info: (event: string, fields: object) => void lines.push({ event, ...fields }),
  warn: (event: string, fields: object) => void lines.push({ event, ...fields }),
  error: (event: string, fields: object) => void lines.push({ event, ...fields }),
};

beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  for (const name of made) await asOwner(`drop database if exists ${name} with (force)`);
});

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function ownerUrlOf(name: string): string {
  return new URL(`/${name}`, server.ownerUrl).href;
}

function optionsFor(url: string) {
  return { url, applicationName: 'awaits', secrets: TEST_SECRETS };
}

/** Opening as an app and as a command: neither waits for a schema. */
const OPENERS = [
  ['awaitDatabase', (url: string) => awaitDatabase(optionsFor(url), log)],
  ['connectDatabase', (url: string) => connectDatabase(optionsFor(url))],
] as const;

test.each(OPENERS)('%s: a database without a schema ends the start with one sentence', async (_, open) => {
  const name = `bare_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await asOwner(`create database ${name}`);
  const url = buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword);
  const sentence = `cannot start: the database ${name} at ${new URL(url).host} has no schema: run pos-admin migrate`;
  await expect(open(url)).rejects.toMatchObject({ name: 'StartFailure', message: sentence });
  expect(lines).toEqual([]);
});

test.each(OPENERS)('%s: a database that lacks a migration of this release ends the start', async (_, open) => {
  const name = await createMigratedDatabase();
  await onDatabase(name, `delete from migrations where name like 'portal%'`);
  const url = buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword);
  await expect(open(url)).rejects.toThrow(
    `is older than release ${RELEASE} (it lacks 0014_portal.sql): run pos-admin migrate`,
  );
  expect(lines).toEqual([]);
});

test.each(OPENERS)('%s: a newer schema that has dropped what this release needs ends the start', async (_, open) => {
  const name = await createMigratedDatabase();
  await onDatabase(name, `update schema_compatibility set release = '9.1.0', oldest_release = '9.0.0'`);
  const url = buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword);
  await expect(open(url)).rejects.toThrow(
    `was migrated by release 9.1.0 and needs release 9.0.0 or newer, and this is release ${RELEASE}`,
  );
});

test.each(OPENERS)('%s: a newer schema that accepts this release is opened', async (_, open) => {
  const name = await createMigratedDatabase();
  await onDatabase(name, `insert into migrations (timestamp, name) values (9999, 'newer_0000000009999')`);
  await onDatabase(name, `update schema_compatibility set release = '9.1.0', oldest_release = '${RELEASE}'`);
  const database = await open(buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword));
  await database.close();
  expect(lines).toEqual([]);
});

test('a migration of an older release leaves the compatibility of a newer one', async () => {
  const name = await createMigratedDatabase();
  await onDatabase(name, `update schema_compatibility set release = '9.1.0', oldest_release = '9.0.0'`);
  await migrate(ownerUrlOf(name), server);
  const url = buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword);
  await expect(connectDatabase(optionsFor(url))).rejects.toThrow('release 9.1.0');
});

test.each([
  ['a wrong password', () => buildRoleUrl(server.ownerUrl, APP_ROLE, 'not the password'), '28P01'],
  ['an unknown role', () => buildRoleUrl(server.ownerUrl, 'nobody_at_all', 'a password'), '28P01'],
  ['an unknown database', () => buildRoleUrl(ownerUrlOf('not_there'), APP_ROLE, server.appPassword), '3D000'],
])('%s is not waited for: the setting is named, and no secret', async (_, url, state) => {
  const opening = awaitDatabase(optionsFor(url()), log);
  await expect(opening).rejects.toMatchObject({ name: 'WrongSetting' });
  await expect(opening).rejects.toThrow(`DATABASE_URL: the server refuses the login`);
  await expect(opening).rejects.toThrow(state);
  await expect(opening).rejects.not.toThrow('password');
  expect(lines).toEqual([]);
});

test('a database that answers at once is opened without a log line', async () => {
  const name = `ready_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await asOwner(`create database ${name} template ${server.template}`);
  const database = await awaitDatabase(optionsFor(buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword)), log);
  await database.close();
  expect(lines).toEqual([]);
});

/** A migrated database of this test only. */
async function createMigratedDatabase(): Promise<string> {
  const name = `ready_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await asOwner(`create database ${name} template ${server.template}`);
  return name;
}

async function onDatabase(name: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrlOf(name) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

test('a login without the role of the apps is a wrong setting, and is not awaited', async () => {
  const name = await createMigratedDatabase();
  const login = `stranger_${randomBytes(6).toString('hex')}`;
  await asOwner(`create role ${login} login password 'p'`);
  const opening = awaitDatabase(optionsFor(buildRoleUrl(ownerUrlOf(name), login, 'p')), log);
  await expect(opening).rejects.toMatchObject({
    name: 'WrongSetting',
    problems: ['DATABASE_URL: the login is not the role service_app, and not a member of it'],
  });
  expect(lines).toEqual([]);
  await asOwner(`drop role ${login}`);
});

test.each([
  ['awaitDatabase', (url: string) => awaitDatabase({ ...optionsFor(url), role: VAULT_ROLE }, log)],
  ['connectDatabase', (url: string) => connectDatabase({ ...optionsFor(url), role: VAULT_ROLE })],
])('%s: the role of the apps does not do for the card vault', async (_, open) => {
  const url = buildRoleUrl(ownerUrlOf(await createMigratedDatabase()), APP_ROLE, server.appPassword);
  await expect(open(url)).rejects.toMatchObject({
    name: 'WrongSetting',
    problems: ['DATABASE_URL: the login is not the role service_vault, and not a member of it'],
  });
});

test('a login of the right role that was not granted the relations ends the start', async () => {
  const name = await createMigratedDatabase();
  await onDatabase(name, `revoke all on all tables in schema public from ${APP_ROLE}`);
  const opening = awaitDatabase(optionsFor(buildRoleUrl(ownerUrlOf(name), APP_ROLE, server.appPassword)), log);
  await expect(opening).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('the login may not read the schema'),
  });
});

test('a server without TLS, although DATABASE_URL requires it, is a wrong setting', async () => {
  const url = new URL(buildRoleUrl(ownerUrlOf(await createMigratedDatabase()), APP_ROLE, server.appPassword));
  url.searchParams.set('sslmode', 'require');
  await expect(awaitDatabase(optionsFor(url.href), log)).rejects.toMatchObject({
    name: 'WrongSetting',
    problems: [expect.stringContaining('DATABASE_URL: no TLS connection to the server')],
  });
});

test('a command does not wait for its database: it fails with one sentence', async () => {
  const away = new URL(buildRoleUrl(ownerUrlOf('any'), APP_ROLE, server.appPassword));
  away.hostname = '127.0.0.1';
  away.port = '1';
  await expect(connectDatabase(optionsFor(away.href))).rejects.toThrow(
    'cannot start: the database server 127.0.0.1:1 does not answer (ECONNREFUSED)',
  );
});
