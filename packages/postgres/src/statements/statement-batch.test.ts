import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../testing/test-database.js';
import { destroyConnection, pipeline, type PipelinedStatement } from './pipeline.js';
import { awaitAll } from './query-results.js';
import { defineStatement, type Statement } from './statement.js';

let url: string;
let owner: pg.Client;
let client: pg.Client;
let sentBytes: Buffer[];

beforeAll(async () => {
  url = await createTestDatabase();
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
});

beforeEach(async () => {
  client = new pg.Client({ connectionString: url, pipeline: true });
  client.on('error', () => undefined);
  await client.connect();
  await owner.query('drop table if exists batch_rows');
  await owner.query('create table batch_rows (id int primary key, note text)');
  sentBytes = [];
  const { stream } = (client as unknown as { readonly connection: pg.Connection }).connection;
  const write = stream.write.bind(stream);
  Object.assign(stream, {
    write: (bytes: Buffer, ...rest: never[]) => {
      sentBytes.push(Buffer.from(bytes));
      return write(bytes, ...rest);
    },
  });
});
afterEach(async () => {
  await client.end().catch(() => undefined);
});

const BEGIN: PipelinedStatement = { statement: { text: 'begin' } };
const COMMIT: PipelinedStatement = { statement: { text: 'commit' } };
const ADD = defineStatement('add', 'insert into batch_rows (id, note) values ($1, $2)');
const ALL = defineStatement('all', 'select * from batch_rows order by id');
const DIVIDE = defineStatement('divide', 'select 1 / $1::int as result');

async function run(...statements: readonly PipelinedStatement[]): Promise<(readonly unknown[])[]> {
  return (await awaitAll(pipeline(client, statements))).map(({ rows }) => rows);
}
const add = (id: unknown, note: unknown = null): PipelinedStatement => ({ statement: ADD, values: [id, note] });
const bare = (statement: Statement): PipelinedStatement => ({ statement });
const divide = (by: unknown): PipelinedStatement => ({ statement: DIVIDE, values: [by] });
const codesOf = async (answers: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(answers)).map((each) =>
    each.status === 'rejected' ? (each.reason as { code?: unknown }).code : 'fulfilled',
  );
const storedIds = async (): Promise<unknown[]> =>
  (await owner.query<{ id: number }>('select id from batch_rows order by id')).rows.map(({ id }) => id);
/** The types of the protocol's messages in what was written. */
function listMessages(bytes: Buffer): string {
  let types = '';
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) types += String.fromCharCode(bytes[at] ?? 0);
  return types;
}

test('statements leave in one buffer with one Sync, and a known one is neither parsed nor described', async () => {
  await run(add(1), bare(ALL));
  await run(add(2), bare(ALL), bare(ALL));
  expect(sentBytes.map(listMessages)).toEqual(['PBDEPBDES', 'BEBEBES']);
});

test('a result without Describe has the names and types of the first one', async () => {
  const types = defineStatement(
    'types',
    `select 7 as number, 'text' as text, true as boolean, null as nothing, '{"a":1}'::jsonb as json, '{1,2}'::int[] as list, '\\x00ff'::bytea as bytes`,
  );
  const [first] = await run(bare(types));
  const [second] = await run(bare(types));
  expect(second).toEqual(first);
  expect(second).toEqual([
    {
      number: 7,
      text: 'text',
      boolean: true,
      nothing: null,
      json: { a: 1 },
      list: [1, 2],
      bytes: Buffer.from([0, 255]),
    },
  ]);
});

test('texts, bytes, empty values and values larger than the buffer arrive unchanged', async () => {
  const echo = defineStatement(
    'echo',
    'select $1::text as text, $2::bytea as bytes, $3::text as nothing, $4::text as empty',
  );
  const text = 'ä€😀'.repeat(300_000);
  const bytes = Buffer.alloc(200_000, 0xfe);
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await run({ statement: echo, values: [text, bytes, null, ''] })).toEqual([
      [{ text, bytes, nothing: null, empty: '' }],
    ]);
  }
});

test('after a change of the schema a statement fails once, and then runs with its new columns', async () => {
  await run(add(1, 'one'), bare(ALL));
  await owner.query('alter table batch_rows add column extra int default 5');
  await expect(run(bare(ALL))).rejects.toMatchObject({ code: '0A000' });
  expect(await run(bare(ALL))).toEqual([[{ id: 1, note: 'one', extra: 5 }]]);
  expect(await run(bare(ALL))).toEqual([[{ id: 1, note: 'one', extra: 5 }]]);
});

test('a statement that the server has lost fails once, and is prepared again', async () => {
  await run(bare(ALL));
  await client.query('deallocate all');
  await expect(run(bare(ALL))).rejects.toMatchObject({ code: '26000' });
  expect(await run(bare(ALL))).toEqual([[]]);
});

test('a statement that cannot be prepared fails each time with its reason, and later when it can, runs', async () => {
  const later = defineStatement('later', 'select count(*)::int as count from batch_later');
  await owner.query('drop table if exists batch_later');
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await codesOf(pipeline(client, [bare(later), bare(ALL)]))).toEqual(['42P01', '42P01']);
  }
  await owner.query('create table batch_later ()');
  expect(await run(bare(later), bare(ALL))).toEqual([[{ count: 0 }], []]);
});

test('a first use with a wrong value does not prevent the next one', async () => {
  await expect(run(divide('wrong'))).rejects.toMatchObject({ code: '22P02' });
  expect(await run(divide(1))).toEqual([[{ result: 1 }]]);
});

test('outside of a transaction a failure stores nothing of its batch', async () => {
  expect(await codesOf(pipeline(client, [add(1), divide(0), add(2)]))).toEqual(['22012', '22012', '22012']);
  expect(await storedIds()).toEqual([]);
  expect(await run(add(3), bare(ALL))).toEqual([[], [{ id: 3, note: null }]]);
});

test('in a transaction a failure turns COMMIT into ROLLBACK, and the connection serves the next one', async () => {
  const answers = pipeline(client, [BEGIN, add(1), add(1), add(2), COMMIT]);
  expect(await codesOf(answers)).toEqual(['fulfilled', '23505', '23505', '23505', 'fulfilled']);
  expect((await answers.at(-1))?.command).toBe('ROLLBACK');
  expect(await storedIds()).toEqual([]);
  await run(BEGIN, add(4), COMMIT);
  expect(await storedIds()).toEqual([4]);
});

test('a batch that was sent behind one that failed has its own result', async () => {
  await run(divide(1));
  const failing = pipeline(client, [divide(0)]);
  const behind = pipeline(client, [divide(1)]);
  expect(await codesOf([...failing, ...behind])).toEqual(['22012', 'fulfilled']);
});

test('a statement that commits itself is reported only after its commit, which a deferred constraint refuses', async () => {
  await owner.query(`create or replace function refuse_row() returns trigger language plpgsql as
    $$ begin raise exception 'refused at commit' using errcode = '23514'; end $$`);
  await owner.query(`create constraint trigger refuse_at_commit after insert on batch_rows
    deferrable initially deferred for each row execute function refuse_row()`);
  expect(await codesOf(pipeline(client, [add(1)]))).toEqual(['23514']);
  expect(await storedIds()).toEqual([]);
});

test('a cancelled statement fails with its code, and the connection continues', async () => {
  const nap = defineStatement('nap', 'select pg_sleep(60)');
  const [pid] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
  const napping = codesOf(pipeline(client, [bare(nap), bare(ALL)]));
  const isRunning = async (): Promise<boolean> =>
    (await owner.query(`select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`, [pid?.pid]))
      .rowCount === 1;
  while (!(await isRunning()));
  await owner.query('select pg_cancel_backend($1)', [pid?.pid]);
  expect(await napping).toEqual(['57014', '57014']);
  expect(await run(bare(ALL))).toEqual([[]]);
});

test('every statement fails when the connection ends, and one behind it too', async () => {
  const nap = defineStatement('long_nap', 'select pg_sleep(60)');
  const answers = [...pipeline(client, [bare(nap), bare(ALL)]), ...pipeline(client, [bare(ALL)])];
  setImmediate(() => destroyConnection(client));
  const outcomes = await Promise.allSettled(answers);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a row that cannot be read fails its batch, and the next row is read', async () => {
  client.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    if (text === '13') throw new Error('unreadable');
    return Number(text);
  });
  const number = defineStatement('number', 'select $1::bigint as number');
  await expect(run({ statement: number, values: ['13'] })).rejects.toThrow('unreadable');
  expect(await run({ statement: number, values: ['14'] })).toEqual([[{ number: 14 }]]);
});

test('a value or a name that cannot be sent is refused before anything is sent', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect(() => pipeline(client, [BEGIN, add(1), add(2, circular), COMMIT])).toThrow('circular');
  const many = { statement: ADD, values: Array.from({ length: 65_536 }, () => 1) };
  expect(() => pipeline(client, [BEGIN, many, COMMIT])).toThrow('too many values');
  expect(sentBytes).toEqual([]);
  expect(await run(add(1))).toEqual([[]]);
  expect(() => pipeline(client, [bare({ name: ADD.name, text: 'select 1' })])).toThrow('two statements are named');
});
