import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../testing/test-database.js';
import { exactTypeParsers } from './exact-type-parsers.js';
import { encodeParameter } from './parameter-encoding.js';
import { pipeline } from './pipeline.js';
import { defineStatement } from './statement.js';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({
    connectionString: await createTestDatabase(),
    types: exactTypeParsers,
    pipeline: true,
  });
  await client.connect();
});
afterAll(() => client.end());

const AWKWARD = ['', 'a,b', '"quoted"', 'back\\slash', '{brace}', 'NULL', ' space ', 'é𝄞', 'line\nbreak', '\\x00'];
const MOMENT = new Date('2026-03-01T12:00:00.123Z');

// oxfmt-ignore
test.each<[string, string, unknown]>([
  // type          what                                value
  ['text',         'a text with every awkward sign',   AWKWARD.join('')],
  ['text',         'an empty text',                    ''],
  ['text',         'nothing',                          null],
  ['integer',      'a negative number',                -7],
  ['bigint',       'the largest safe number',          Number.MAX_SAFE_INTEGER],
  ['boolean',      'a boolean',                        false],
  ['timestamptz',  'a moment',                         MOMENT],
  ['timestamptz',  'the last day that is stored',      new Date('9999-12-31T00:00:00.000Z')],
  ['timestamptz',  'a moment before 1970',             new Date('1969-07-20T20:17:40.001Z')],
  ['bytea',        'bytes',                            Buffer.from([0, 92, 34, 255])],
  ['bytea',        'no bytes',                         Buffer.alloc(0)],
  ['text[]',       'awkward texts',                    AWKWARD],
  ['text[]',       'no texts',                         []],
  ['text[]',       'texts and nothing',                ['a', null, 'null']],
  ['integer[]',    'numbers',                          [0, -1, 2_147_483_647]],
  ['timestamptz[]','moments',                          [MOMENT, null]],
  ['bytea[]',      'lists of bytes',                   [Buffer.from([0, 1, 255]), Buffer.alloc(0)]],
  ['jsonb',        'an object',                        { a: [1, null, { b: '"' }] }],
])('%s: %s is read as it was sent', async (type, _title, value) => {
  const statement = defineStatement('test_parameter', `select $1::${type} as value`);
  const [result] = await Promise.all(pipeline(client, [{ statement, values: [value] }]));
  expect(result?.rows).toEqual([{ value }]);
});

test('a view of bytes is sent as those bytes alone', () => {
  const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
  expect(encodeParameter(bytes)).toEqual(Buffer.from([2, 3]));
});

test.each<[string, unknown]>([
  ['an invalid date', new Date(NaN)],
  ['an invalid date in a list', [new Date(NaN)]],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['an object without JSON', { toJSON: () => undefined }],
])('%s is refused before anything is sent', (_title, value) => {
  expect(() => encodeParameter(value)).toThrow('is no parameter of a statement');
});
