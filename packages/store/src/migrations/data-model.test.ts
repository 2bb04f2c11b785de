import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const PAGE = new URL('../../../../docs/reference/data-model.md', import.meta.url);

const HEAD = `# Data model

For contributors, and for operators who query a copy of the database. At its end you know every table, its key, and what it refers to.

This page is generated from a migrated database and its comments; \`pnpm golden --filter=@pos/store\` rewrites it. The columns are in \`packages/store/migrations\`, one file per subject. Keys begin with \`account_id\` and \`environment\` where a table belongs to an account; the tables below do not repeat them.
`;

interface TableRow {
  readonly name: string;
  readonly comment: string | null;
  readonly key: readonly string[];
  /** The tables that foreign keys name, without repetition. */
  readonly refers: readonly string[];
}

const SCOPE = ['account_id', 'environment'];

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** Each migration with its subject and the tables that it creates, in its order. */
function listMigrations(): { readonly subject: string; readonly tables: readonly string[] }[] {
  return readdirSync(MIGRATIONS)
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8');
      const subject = sql.split('\n')[0]?.replace(/^-- /, '') ?? '';
      return {
        subject,
        tables: [...sql.matchAll(/^create (?:unlogged )?table ([\w.]+)/gm)].map(([, name = '']) => name),
      };
    })
    .filter(({ tables }) => tables.length > 0);
}

async function readTables(): Promise<ReadonlyMap<string, TableRow>> {
  const { rows } = await owner.query<TableRow>(
    `select case n.nspname when 'public' then t.relname else n.nspname || '.' || t.relname end as name,
       obj_description(t.oid, 'pg_class') as comment,
       array(select a.attname::text from pg_index x cross join unnest(x.indkey) with ordinality k(attnum, place)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
         where x.indrelid = t.oid and x.indisprimary order by k.place) as key,
       array(select distinct r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid
         where c.conrelid = t.oid and c.contype = 'f' order by 1) as refers
     from pg_class t join pg_namespace n on n.oid = t.relnamespace
     where t.relkind = 'r' and n.nspname in ('public', 'vault')`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

function renderDiagram(tables: readonly TableRow[]): string[] {
  const arrows = tables.flatMap(({ name, refers }) =>
    refers.map((other) => `  ${other} ||--o{ ${name.replace('.', '_')} : has`),
  );
  return arrows.length === 0 ? [] : ['```mermaid', 'erDiagram', ...arrows, '```', ''];
}

function renderTable({ name, comment, key, refers }: TableRow): string {
  const own = key.filter((column) => !SCOPE.includes(column)).map((column) => `\`${column}\``);
  const others = refers.map((other) => `\`${other}\``);
  return `| \`${name}\` | ${comment ?? ''} | ${own.join(', ') || 'the account'} | ${others.join(', ')} |`;
}

test('docs/reference/data-model.md shows every table with its key and what it refers to', async () => {
  const tables = await readTables();
  const sections = listMigrations().map(({ subject, tables: names }) => {
    const shown = names.flatMap((name) => tables.get(name) ?? []);
    const head = ['| table | content | key | refers to |', '|---|---|---|---|'];
    const [title = '', ...rest] = subject.split(/(?<=\.) /);
    const text = rest.length === 0 ? [] : [rest.join(' '), ''];
    return [
      `## ${title.replace(/\.$/, '')}`,
      '',
      ...text,
      ...renderDiagram(shown),
      ...head,
      ...shown.map(renderTable),
      '',
    ].join('\n');
  });
  const wanted = [HEAD, ...sections].join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, wanted);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(wanted);
});

test('every table is created by one migration and has a comment', async () => {
  const tables = await readTables();
  const created = listMigrations().flatMap(({ tables: names }) => names);
  expect([...tables.keys()].filter((name) => !created.includes(name))).toEqual(['migrations']);
  expect(created.filter((name) => created.indexOf(name) !== created.lastIndexOf(name))).toEqual([]);
  expect([...tables.values()].filter(({ comment }) => comment === null).map(({ name }) => name)).toEqual([
    'migrations',
  ]);
});
