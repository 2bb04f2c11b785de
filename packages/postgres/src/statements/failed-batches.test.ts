import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { createTestDatabase } from '../testing/test-database.js';
import { pipeline, type PipelinedStatement } from './pipeline.js';
import { awaitAll } from './query-results.js';
import { defineStatement, type Statement } from './statement.js';

let url: string;
let owner: pg.Client;
let first: pg.Client;
let second: pg.Client;

beforeAll(async () => {
  url = await createTestDatabase();
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
});
beforeEach(async () => {
  await owner.query('drop table if exists batch_rows');
  await owner.query('create table batch_rows (id int primary key, note text)');
  [first, second] = await Promise.all([openClient(), openClient()]);
});
afterEach(async () => {
  await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
});

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const BEGIN: PipelinedStatement = { statement: { text: 'begin' } };
const COMMIT: PipelinedStatement = { statement: { text: 'commit' } };
const ADD = defineStatement('add', 'insert into batch_rows (id, note) values ($1, $2)');
const ALL = defineStatement('all', 'select * from batch_rows order by id');
const OTHER_OF_THE_NAME: Statement = { name: ALL.name, text: 'select 1' };

const add = (id: unknown, note: unknown = null): PipelinedStatement => ({ statement: ADD, values: [id, note] });
const bare = (statement: Statement): PipelinedStatement => ({ statement });

async function run(client: pg.Client, ...statements: readonly PipelinedStatement[]): Promise<(readonly unknown[])[]> {
  return (await awaitAll(pipeline(client, statements))).map(({ rows }) => rows);
}
const storedIds = async (): Promise<unknown[]> =>
  (await owner.query<{ id: number }>('select id from batch_rows order by id')).rows.map(({ id }) => id);

test.each<[string, PipelinedStatement]>([
  ['a name that another statement has', bare(OTHER_OF_THE_NAME)],
  ['a value whose JSON is nothing', add(2, { toJSON: () => undefined })],
])('a batch that fails at %s writes nothing to the next connection', async (_, refused) => {
  await run(first, bare(ALL));
  expect(() => pipeline(first, [BEGIN, add(1), refused, COMMIT])).toThrow();
  expect(await run(second, bare(ALL))).toEqual([[]]);
  expect(await storedIds()).toEqual([]);
  await first.query('rollback');
  expect(await run(first, add(3), bare(ALL))).toEqual([[], [{ id: 3, note: null }]]);
});

const codesOf = async (answers: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(answers)).map((each) =>
    each.status === 'rejected' ? (each.reason as { code?: unknown }).code : 'fulfilled',
  );

const STOP = defineStatement('stop', 'select pg_terminate_backend(pg_backend_pid())');

test('a server that stops in the middle of a batch stores nothing of it, with BEGIN and without', async () => {
  const codes = await codesOf(pipeline(first, [add(1), bare(STOP), add(2)]));
  expect(codes).toEqual(['57P01', '57P01', '57P01']);
  const [began, ...others] = await codesOf(pipeline(second, [BEGIN, add(3), bare(STOP), COMMIT]));
  expect(began).toBe('fulfilled');
  expect(others).not.toContain('fulfilled');
  expect(await storedIds()).toEqual([]);
});

test.each([
  ['renamed', 'alter table batch_rows rename note to remark', { id: 1, remark: 'one' }],
  ['of another type', 'alter table batch_rows alter id type text', { id: '1', note: 'one' }],
  [
    'exchanged',
    'alter table batch_rows rename id to tmp; alter table batch_rows rename note to id; alter table batch_rows rename tmp to note',
    { id: 'one', note: 1 },
  ],
  ['dropped', 'alter table batch_rows drop note', { id: 1 }],
])('after a column is %s, no row is read by the columns of before', async (_, change, row) => {
  await run(first, add(1, 'one'), bare(ALL));
  await owner.query(change);
  // Both are sent before the first answer.
  const codes = await codesOf([...pipeline(first, [bare(ALL)]), ...pipeline(first, [bare(ALL)])]);
  expect(codes).toEqual(['0A000', '0A000']);
  expect(await run(first, bare(ALL), bare(ALL))).toEqual([[row], [row]]);
});

test('notices and notifications between the results of a batch change none of them', async () => {
  await owner.query(`create or replace function announce(x int) returns int language plpgsql as
    $$ begin raise notice 'at %', x; perform pg_notify('batch', x::text); return x; end $$`);
  const announce = defineStatement('announce', 'select announce($1::int) as result');
  const received: unknown[] = [];
  first.on('notice', ({ message }) => received.push(message));
  await first.query('listen batch');
  const statements = [7, 8, 9].map((x) => ({ statement: announce, values: [x] }));
  expect(await run(first, ...statements)).toEqual([[{ result: 7 }], [{ result: 8 }], [{ result: 9 }]]);
  expect(received).toEqual(['at 7', 'at 8', 'at 9']);
});

/** A statement of a random batch. Each has a number of its own, which its row repeats. */
const KINDS = ['echo', 'rows', 'insert', 'divide', 'missing', 'wrong value'] as const;
const STATEMENTS = {
  echo: 'select $1::int as mark, repeat(md5($1::text), 400) as filler',
  rows: 'select n, $1::int as mark from generate_series(0, -2, -1) n',
  insert: 'insert into batch_rows (id) values ($1) returning id as mark',
  divide: 'select $1::int as mark, 1 / ($1::int - $1::int) as broken',
  missing: 'select $1::int as mark from batch_nowhere',
  'wrong value': 'select $1::int as mark',
} as const;
const CODES: Partial<Record<(typeof KINDS)[number], string>> = {
  divide: '22012',
  missing: '42P01',
  'wrong value': '22P02',
};
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('echo', 'rows', 'insert') },
  { weight: 1, arbitrary: fc.constantFrom(...KINDS) },
);
const batch = fc.record({
  statements: fc.array(fc.tuple(kind, fc.nat({ max: 1 })), { minLength: 1, maxLength: 5 }),
  isTransaction: fc.boolean(),
});

test('each statement of many batches in flight has its own rows, or its batch has failed and stored nothing', async () => {
  let mark = 0;
  const stored: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), async (batches) => {
      const sent = batches.map(({ statements, isTransaction }) => {
        const parts = statements.map(([name, variant]) => ({ name, variant, mark: (mark += 1) }));
        const bound = parts.map(({ name, variant, mark: own }) => ({
          // Two texts of each kind, so that known and new statements alternate.
          statement: defineStatement(`${name} ${variant}`, `${STATEMENTS[name]} /* ${variant} */`),
          values: [name === 'wrong value' ? 'x' : own],
        }));
        const answers = pipeline(first, isTransaction ? [BEGIN, ...bound, COMMIT] : bound);
        return { parts, answers: isTransaction ? answers.slice(1, -1) : answers, end: answers.at(-1)! };
      });
      for (const { parts, answers, end } of sent) {
        const outcomes = await Promise.allSettled(answers);
        await end.catch(() => undefined);
        const found = outcomes.map((each) =>
          each.status === 'fulfilled'
            ? (each.value.rows as readonly { mark: number }[]).map((row) => row.mark)
            : (each.reason as { code: unknown }).code,
        );
        const failing = parts.find(({ name }) => CODES[name] !== undefined);
        // A statement is unknown if the batch that was to prepare it failed before that.
        const code = found.includes('26000') ? '26000' : failing && CODES[failing.name];
        expect(found).toEqual(parts.map((part) => code ?? Array(part.name === 'rows' ? 3 : 1).fill(part.mark)));
        if (code === undefined) stored.push(...parts.filter(({ name }) => name === 'insert').map((part) => part.mark));
      }
    }),
    { numRuns: 150 },
  );
  expect(await storedIds()).toEqual(stored);
}, 60_000);
