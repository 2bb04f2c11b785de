import { expect, test } from '@jest/globals';
import { combineStatements, type QueuedStatement } from './combined-statement.js';
import { sql } from './sql-parts.js';
import {
  defineChange,
  defineCombinableRead,
  defineSeparateChange,
  defineSingleRowChange,
  defineStatement,
  type QueueableStatement,
  type Statement,
} from './statement.js';

const PAGES = { name: 'pages', rowParameters: [3] };
const OPEN = defineChange(
  'open_page',
  sql.insertInto(PAGES)`(book, shelf, number, note) values (${1}, ${2}, ${3}, ${4}) returning number`,
);
const TEAR = defineChange(
  'tear_page',
  sql.deleteFrom(PAGES)`
   where book = ${1} and shelf = ${2} and number = ${3}`,
);
const MARK = sql.update('marks')`set page = ${4} where book = ${1} and shelf = ${2} and id = ${3} and page < ${4}`;
const MARK_ANY = defineChange('move_mark', MARK);
const MARK_ONE = defineSingleRowChange('move_one_mark', MARK);
const READ = defineCombinableRead(
  'read_title',
  'books',
  sql`select title from books where book = ${1} and shelf = ${2}`,
);

const queue = (
  statement: QueueableStatement,
  values: readonly unknown[],
  onRows?: QueuedStatement['onRows'],
): QueuedStatement<QueueableStatement> => ({
  statement,
  values: ['b', 's', ...values],
  onRows,
});
const combine = (...changes: readonly QueuedStatement<QueueableStatement>[]) => {
  const { statement } = combineStatements(changes)!.statement as { readonly statement: Statement };
  return statement;
};

test('a change is a statement of its own with the parameters as they were given', () => {
  expect(OPEN.text).toBe('insert into pages (book, shelf, number, note) values ($1, $2, $3, $4) returning number');
  expect(TEAR.text).toBe('delete from pages\n   where book = $1 and shelf = $2 and number = $3');
  expect(MARK_ONE.text).toBe(`with changed as (${MARK_ANY.text}) select exactly_one(count(*), 'marks') from changed`);
  expect(combine(queue(OPEN, [1, 'x']))).toBe(OPEN);
});

test('the shared values are sent once, and the own parameters of each change follow those before', () => {
  const combined = combineStatements([queue(OPEN, [1, 'x']), queue(MARK_ANY, [7, 2]), queue(TEAR, [3])]);
  expect(combined?.statement).toMatchObject({ values: ['b', 's', 1, 'x', 7, 2, 3] });
  expect(combine(queue(OPEN, [1, 'x']), queue(MARK_ANY, [7, 2]), queue(TEAR, [3])).text).toBe(
    [
      'with part_0 as (insert into pages (book, shelf, number, note) values ($1, $2, $3, $4) returning number)',
      'part_1 as (update marks set page = $6 where book = $1 and shelf = $2 and id = $5 and page < $6)',
      'part_2 as (delete from pages\n   where book = $1 and shelf = $2 and number = $7) select 1 as done',
    ].join(', '),
  );
});

test('of a part its check is selected, else its rows if a callback wants them', () => {
  const noRows = (): void => undefined;
  const { text, combined } = combine(queue(MARK_ONE, [7, 2]), queue(READ, [], noRows), queue(TEAR, [3]));
  expect(text.slice(text.indexOf(' select (select'))).toBe(
    " select (select exactly_one(count(*), 'marks') from part_0) as part_0, (select coalesce(jsonb_agg(to_jsonb(part_1)), '[]') from part_1) as part_1",
  );
  expect(combined?.map(({ part }) => `${part?.verb} ${part?.relation}`)).toEqual([
    'update marks',
    'select books',
    'delete from pages',
  ]);
});

test('each callback receives the rows of its own part', () => {
  const received: unknown[] = [];
  const changes = [OPEN, MARK_ANY].map((statement, index) =>
    queue(statement, [index, 'x'], (rows) => received.push([index, rows])),
  );
  combineStatements(changes)?.deliverRows([{ part_0: [{ number: 1 }], part_1: [] }]);
  expect(received).toEqual([
    [0, [{ number: 1 }]],
    [1, []],
  ]);
});

test('a separate change runs only by itself', () => {
  const other = defineSeparateChange('delete_pages', 'delete from pages where book = $1 and shelf = $2');
  expect(combineStatements([queue(OPEN, [1, 'x']), queue(other, [])])).toBeNull();
  expect(combineStatements([queue(other, [])])).toBeNull();
  expect(combineStatements([])).toBeNull();
});

test('one statement changes no row twice', () => {
  expect(() => combineStatements([queue(OPEN, [1, 'x']), queue(TEAR, [1])])).toThrow(
    'the row pages 1 is changed twice',
  );
  expect(combineStatements([queue(OPEN, [1, 'x']), queue(TEAR, [2])])).not.toBeNull();
});

test('changes of two scopes are not combined', () => {
  const ofOther = { ...queue(TEAR, [2]), values: ['b', 'another shelf', 2] };
  expect(() => combineStatements([queue(OPEN, [1, 'x']), ofOther])).toThrow(
    'is combined with a change of another scope',
  );
});

test('a parameter that is written as text is refused: it would keep its number', () => {
  expect(() => defineChange('tear_page', sql.deleteFrom('pages')`where number = ${'$3'}`)).toThrow(
    'a parameter is written as text',
  );
});

test('parts contain parts, and lists of parts', () => {
  const ofBook = sql`book = ${1} and shelf = ${2}`;
  const sets = sql.join([sql`page = ${3}`, sql`note = ${4}`]);
  expect(defineStatement('move_mark', sql`update marks set ${sets} where ${ofBook}`).text).toBe(
    'update marks set page = $3, note = $4 where book = $1 and shelf = $2',
  );
});
