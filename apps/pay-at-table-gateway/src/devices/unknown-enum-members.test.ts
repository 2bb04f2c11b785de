import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { replaceUnknownValues } from './unknown-values.js';

const CONTRACT = new URL('../../../../proto/service/tables/v1/', import.meta.url);
const UNRECOGNIZED = 'UNRECOGNIZED';

/**
 * Members that are read, and are not passed on as they are: a request of an unknown requestor is refused, a line of a
 * receipt has the type of its member, and an unknown error is ERROR_INTERNAL_POS_ERROR.
 */
const READ = new Set(['requestorType', 'receiptLineType', 'errorCode']);
/** An alignment is optional, and an unknown one is left out. */
const LEFT_OUT = new Set(['align']);

const text = readdirSync(CONTRACT)
  .map((file) => readFileSync(new URL(file, CONTRACT), 'utf8'))
  .join('\n');
/** The names of the values of each enum. */
const ENUMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...text.matchAll(/^enum (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => [
    name,
    [...body.matchAll(/^ {2}(\w+) = \d+;/gm)].map(([, value = '']) => value),
  ]),
);
const MEMBERS = [...text.matchAll(/^ +(repeated |optional )?(\w+) (\w+) = \d+;/gm)].flatMap(
  ([, label = '', type = '', name = '']) => {
    const values = ENUMS.get(type);
    const member = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return values === undefined ? [] : [{ member, type, values, isList: label === 'repeated ' }];
  },
);

test('each enum of the contract of tables is the type of a member', () => {
  expect(ENUMS.size).toBeGreaterThan(10);
  expect([...new Set(MEMBERS.map(({ type }) => type))].sort()).toEqual([...ENUMS.keys()].sort());
});

test.each(MEMBERS.filter(({ member }) => !READ.has(member)))(
  '$member, $type, with an unknown number is passed on as UNKNOWN, or unspecified where there is no UNKNOWN',
  ({ member, values, isList }) => {
    const unknown =
      values.find((name) => name.endsWith('_UNKNOWN')) ?? values.find((name) => name.endsWith('_UNSPECIFIED'));
    const expected = LEFT_OUT.has(member) ? undefined : unknown;
    const message = { [member]: isList ? [UNRECOGNIZED] : UNRECOGNIZED };
    expect(replaceUnknownValues(message)).toEqual({ [member]: isList ? [expected] : expected });
  },
);
