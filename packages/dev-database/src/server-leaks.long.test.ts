import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KNOWN } from '@pos/core/testing';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.js';
import { removeServer } from './jest-server.js';
import { createFullScan, formatLeak, scanFile, scanFolder } from '@pos/verification/leaks';
import { retainWal, disableCompression } from './server-leaks.js';

const scan = createFullScan();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'leaks-'));
  // The account that runs PostgreSQL for root must be able to pass.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a number is found once and in its place, also where two parts of a long file meet', () => {
  const file = path.join(folder, 'long');
  const meeting = 16 * 1024 * 1024;
  const bytes = Buffer.alloc(meeting + 4_096, 0x20);
  const places = [3, meeting - 400, meeting - 7, meeting + 2_000];
  for (const place of places) bytes.write(KNOWN, place);
  writeFileSync(file, bytes);
  expect(scanFile(scan, file).map(({ at }) => at)).toEqual(places);
  expect(scanFile(scan, path.join(folder, 'gone'))).toEqual([]);
});

test('a number that spans two pages of the write-ahead log is found', () => {
  mkdirSync(path.join(folder, 'pg_wal'));
  const file = path.join(folder, 'pg_wal', '000000010000000000000001');
  const bytes = Buffer.alloc(3 * 8192);
  bytes.write(KNOWN.slice(0, 9), 2 * 8192 - 9);
  bytes.write(KNOWN.slice(9), 2 * 8192 + 24);
  writeFileSync(file, bytes);
  const [leak, ...others] = scanFolder(scan, path.dirname(file));
  expect(formatLeak(leak!)).toMatch(
    /^card number \(plain\) in .*000000010000000000000001 at \d+: .*44565300\*{4}1014\]$/,
  );
  expect(others).toEqual([]);
});

test.each<[string, string, readonly string[], string]>([
  ['a row', 'card number', [`insert into notes values ('it is ${KNOWN}')`], 'base'],
  ['a document that counts with it', 'card number', [`insert into docs values ('{"a":${KNOWN}}')`], 'base'],
  [
    'a long value',
    'card number',
    [`insert into notes values (repeat('all the same ', 1000) || '${KNOWN}' || repeat('all the same ', 1000))`],
    'base',
  ],
  [
    'a table that is gone',
    'card number',
    ['create table gone (note text)', `insert into gone values ('${KNOWN}')`, 'drop table gone', 'checkpoint'],
    'pg_wal',
  ],
  ['a statement that failed', 'CV2', [`select '{"cV2":"020"}' from nowhere`], 'server.log'],
])(
  'a run that leaves %s fails with the %s, the file and nothing of the number',
  async (_title, kind, statements, file) => {
    const home = mkdtempSync(path.join(folder, 'run-'));
    chmodSync(home, 0o755);
    const server = await startPostgres({ dataDir: path.join(home, 'postgres'), durable: false });
    await retainWal(server);
    await runQuery(server, ['create table notes (note text)', 'create table docs (doc jsonb)']);
    await disableCompression(server.url);
    await runQuery(server, statements).catch(() => undefined);
    const fault = await removeServer(server, home).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(fault).toContain(`${kind} (`);
    expect(fault).toContain(`/${file}`);
    expect(fault).not.toContain(KNOWN);
    expect(fault).not.toContain('020');
  },
);

async function runQuery({ url }: EmbeddedPostgres, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
