import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { awaitDatabase } from './await-database.js';
import { APP_ROLE, migrate, urlFor } from './migrate.js';
import { TEST_SECRETS, testServer } from './testing.js';

const server = testServer();
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

test('a database that is not migrated yet is waited for, and opened once it is', async () => {
  const name = `bare_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await asOwner(`create database ${name}`);
  const opening = awaitDatabase(optionsFor(urlFor(ownerUrlOf(name), APP_ROLE, server.appPassword)), {
    ...log,
    warn: (event, fields) => {
      log.warn(event, fields);
      void migrate(ownerUrlOf(name), server);
    },
  });
  const database = await opening;
  await database.isReady();
  await database.close();
  expect(lines).toMatchObject([
    { event: 'database.awaited', reason: 'not migrated', code: '42P01', database: name },
    { event: 'database.reached', database: name },
  ]);
});

test.each([
  ['a wrong password', () => urlFor(server.ownerUrl, APP_ROLE, 'not the password'), '28P01'],
  ['an unknown role', () => urlFor(server.ownerUrl, 'nobody_at_all', 'a password'), '28P01'],
  ['an unknown database', () => urlFor(ownerUrlOf('not_there'), APP_ROLE, server.appPassword), '3D000'],
])('%s is not waited for: the setting is named, and no secret', async (_, url, state) => {
  const opening = awaitDatabase(optionsFor(url()), log);
  await expect(opening).rejects.toMatchObject({ name: 'WrongSetting' });
  await expect(opening).rejects.toThrow(`DATABASE_URL: the server refuses the login`);
  await expect(opening).rejects.toThrow(state);
  await expect(opening).rejects.not.toThrow('password');
  expect(lines).toEqual([]);
});

test('a database that answers at once is opened without a line', async () => {
  const name = `ready_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await asOwner(`create database ${name} template ${server.template}`);
  const database = await awaitDatabase(optionsFor(urlFor(ownerUrlOf(name), APP_ROLE, server.appPassword)), log);
  await database.close();
  expect(lines).toEqual([]);
});
