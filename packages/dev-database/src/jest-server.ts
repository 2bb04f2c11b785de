import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { formatLeak } from '@pos/verification/leaks';
import { scanServer } from './server-leaks.js';

/** A run with leaks has many of one kind. */
const LINES_MAX = 20;

/** Stops the run's server, scans its files for card numbers and secrets, and deletes them. Throws the leaks. */
export async function removeServer(server: EmbeddedPostgres, folder: string): Promise<void> {
  try {
    const lines = (await scanServer(server, folder)).map(formatLeak);
    if (lines.length === 0) return;
    throw new Error(
      [`the tests left ${lines.length} secrets in the database:`, ...lines.slice(0, LINES_MAX)].join('\n  '),
    );
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates an empty database of one test file on the server with this URL, and returns the URL of the database. */
export async function createEmptyDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
