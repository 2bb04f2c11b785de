import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const PAGE = new URL('../../../../docs/reference/data-model.md', import.meta.url);

const HEAD = `# Data model

For contributors, and for operators who query a copy of the database. At its end you know every relation, its key, and its references.

This page is generated from a migrated database and its comments; \`pnpm golden --filter=@pos/store\` rewrites it. The columns are in \`packages/store/migrations\`, one file per subject. Keys begin with \`account_id\` and \`environment\` where a relation belongs to an account; the lists below do not repeat them.
`;

interface RelationRow {
  readonly name: string;
  readonly comment: string | null;
  readonly key: readonly string[];
  /** The relations that foreign keys name, without repetition. */
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

/** Each migration with its subject and the relations that it creates, in its order. */
function listMigrations(): { readonly subject: string; readonly relations: readonly string[] }[] {
  return readdirSync(MIGRATIONS)
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8');
      const subject = sql.split('\n')[0]?.replace(/^-- /, '') ?? '';
      return {
        subject,
        relations: [...sql.matchAll(/^create (?:unlogged )?table ([\w.]+)/gm)].map(([, name = '']) => name),
      };
    })
    .filter(({ relations }) => relations.length > 0);
}

async function readRelations(): Promise<ReadonlyMap<string, RelationRow>> {
  const { rows } = await owner.query<RelationRow>(
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

function renderDiagram(relations: readonly RelationRow[]): string[] {
  const arrows = relations.flatMap(({ name, refers }) =>
    refers.map((other) => `  ${other} ||--o{ ${name.replace('.', '_')} : has`),
  );
  return arrows.length === 0 ? [] : ['```mermaid', 'erDiagram', ...arrows, '```', ''];
}

function renderTable({ name, comment, key, refers }: RelationRow): string {
  const own = key.filter((column) => !SCOPE.includes(column)).map((column) => `\`${column}\``);
  const others = refers.map((other) => `\`${other}\``);
  return `| \`${name}\` | ${comment ?? ''} | ${own.join(', ') || 'the account'} | ${others.join(', ')} |`;
}

test('docs/reference/data-model.md shows every relation with its key and its references', async () => {
  const relations = await readRelations();
  const sections = listMigrations().map(({ subject, relations: names }) => {
    const shown = names.flatMap((name) => relations.get(name) ?? []);
    const head = ['| relation | content | key | refers to |', '|---|---|---|---|'];
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

test('every relation is created by one migration and has a comment', async () => {
  const relations = await readRelations();
  const created = listMigrations().flatMap(({ relations: names }) => names);
  expect([...relations.keys()].filter((name) => !created.includes(name))).toEqual(['migrations']);
  expect(created.filter((name) => created.indexOf(name) !== created.lastIndexOf(name))).toEqual([]);
  expect([...relations.values()].filter(({ comment }) => comment === null).map(({ name }) => name)).toEqual([
    'migrations',
  ]);
});
