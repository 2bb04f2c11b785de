import type { z } from 'zod';
import { getExample, buildFullValue, getLengthMax, type SchemaPath, listSchemaPaths } from './schema-values.js';

/** A body with a high validation cost, and what it has many of. */
export interface WorstBody {
  readonly name: string;
  readonly json: string;
}

const BYTES_MAX = 1024 * 1024;
/** The body that holds more values than a request may, and the one with more levels. */
export const TOO_MANY = 'more values than are read';
export const TOO_DEEP = 'lists inside each other';
/** Every member of the schema, and many unknown ones. */
const FULL = 'everything, lists of 300';
const UNKNOWN_MEMBERS = 'unknown members';
/** Size reserved for the rest of a body. */
const ROOM = BYTES_MAX - 4_096;
/** Almost as many values as a request may have. */
const VALUES = 19_500;
const FEW = [UNKNOWN_MEMBERS, 'unknown objects', 'a text that does not end', TOO_MANY, TOO_DEEP];
const LIST_LENGTHS = [100, 1_000, VALUES];
/** Pieces of text that patterns accept at first, or that are long in JSON. */
const PIECES = ['4 ', 'cvc ', '\u0661', 'a@a.', 'https://a/', '00:', '\u{1f4b7}', '\0'];
const PIECES_WITHIN = ['4 ', '\u{1f4b7}'];

/**
 * Bodies of at most 1 MiB, generated from the schema of an operation. In turn each text, number, list, record and
 * object gets the maximal size, with valid, empty or wrongly typed elements. Further bodies have every member, or are
 * large only as JSON. `isWanted` selects bodies by name: writing one as JSON takes most of the time.
 */
export function* listWorstBodies(
  schema: z.ZodType,
  isWanted: (name: string) => boolean = () => true,
): Generator<WorstBody> {
  for (const body of allBodies(schema, isWanted)) {
    if (Buffer.byteLength(body.json) <= BYTES_MAX) yield body;
  }
}

/** A few of them, where there is no time to find the worst. */
export function listFewBodies(schema: z.ZodType): WorstBody[] {
  const full = { name: FULL, json: JSON.stringify(buildFullValue(schema, 300)) };
  const odd = listOddBodies(getExample(schema)).filter(({ name }) => FEW.includes(name));
  return [full, ...odd].filter(({ json }) => Buffer.byteLength(json) <= BYTES_MAX);
}

/** One after the other: together they are hundreds of megabytes. */
function* allBodies(schema: z.ZodType, isWanted: (name: string) => boolean): Generator<WorstBody> {
  const example = getExample(schema);
  const filled = new Set<unknown>();
  for (const place of listSchemaPaths(schema)) {
    // A value that is costly for one address is costly for the next one, too.
    const isKnown = filled.has(place.schema);
    filled.add(place.schema);
    for (const { name: filling, value, times = 1 } of isKnown ? [] : listFillings(place)) {
      const name = `${place.path.join('.')} ${filling}`;
      if (isWanted(name)) yield { name, json: JSON.stringify(setValueAt(example, place.path, { value, times })) };
    }
  }
  for (const length of [1, 10, 100, 300, 1_000]) {
    const name = `everything, lists of ${length}`;
    if (isWanted(name)) yield { name, json: JSON.stringify(buildFullValue(schema, length)) };
  }
  for (const body of [...listTwoSpellings(schema, example), ...listOddBodies(example)]) {
    if (isWanted(body.name)) yield body;
  }
}

interface BodyFilling {
  readonly name: string;
  readonly value: unknown;
  /** The number of elements of each list on the path; one when left out. */
  readonly times?: number;
}

function listFillings({ schema, path }: SchemaPath): BodyFilling[] {
  const { def } = schema._zod;
  if (def.type === 'string') return [...listTextFillings(path), ...listSharedFillings(def, path)];
  if (def.type === 'number') return [{ name: 'of digits', value: '9'.repeat(ROOM) }];
  if (def.type === 'array') return [...listListFillings(def), ...listSpreadFillings(path)];
  if (def.type === 'record' || def.type === 'unknown') return listRecordFillings(path);
  return listSharedFillings(def, path);
}

function listTextFillings(path: readonly string[]): BodyFilling[] {
  return (path.includes('*') ? PIECES_WITHIN : PIECES).map((piece) => ({
    name: `of ${JSON.stringify(piece)}`,
    // Escaped as in JSON, where some characters take six bytes.
    value: piece.repeat(Math.floor(ROOM / (Buffer.byteLength(JSON.stringify(piece)) - 2))),
  }));
}

function listListFillings(def: z.core.$ZodArrayDef): BodyFilling[] {
  const elements = [{}, 1, 'x', null, [], getExample(def.element), buildFullValue(def.element, 1)];
  const most = getLengthMax(def);
  const lengths = most === Infinity ? LIST_LENGTHS : [...LIST_LENGTHS, most, most + 1];
  return lengths.flatMap((length) =>
    elements.map((element) => {
      const text = JSON.stringify(element);
      const count = Math.min(length, Math.floor(ROOM / (text.length + 1)), Math.floor(VALUES / listValues(element)));
      return { name: `${count} of ${text.slice(0, 40)}`, value: new Array(count).fill(element) };
    }),
  );
}

/** A list inside a list: the maximal number of values, spread over many outer elements. */
function listSpreadFillings(path: readonly string[]): BodyFilling[] {
  if (!path.includes('*')) return [];
  return [100, 1_000].flatMap((times) =>
    [{}, 1, 'x', null].map((element) => {
      const inner = Math.floor(VALUES / times / listValues(element)) - 5;
      const name = `${times} times ${inner} of ${JSON.stringify(element)}`;
      return { name, value: new Array(Math.max(inner, 1)).fill(element), times };
    }),
  );
}

/** A member of an element: of another type or too long, in the maximal number of elements. */
function listSharedFillings({ type }: { readonly type: string }, path: readonly string[]): BodyFilling[] {
  if (!path.includes('*') || type === 'object') return [];
  const values: unknown[] = type === 'string' ? [1, 'x'.repeat(300)] : ['x', {}];
  return values.map((value) => ({
    name: `1000 times ${JSON.stringify(value).slice(0, 10)}`,
    ...{ value, times: 1_000 },
  }));
}

function listRecordFillings(path: readonly string[]): BodyFilling[] {
  const many = [1, '4111 1111 1111 1111'].flatMap((value) =>
    [40, 400, VALUES].map((count) => ({
      name: `${count} members of ${value}`,
      value: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value])),
    })),
  );
  if (!path.includes('*')) return many;
  return [...many, { name: '1000 times {}', value: {}, times: 1_000 }];
}

/** Each list of the body under two names with the same meaning. */
function listTwoSpellings(schema: z.ZodType, example: unknown): WorstBody[] {
  const lists = listSchemaPaths(schema).filter(
    ({ schema: { _zod }, path }) => _zod.def.type === 'array' && path.length === 1,
  );
  return lists.flatMap(({ path: [name = ''] }) => {
    const list = new Array<object>(VALUES / 4 - 10).fill({ name: 'x' });
    const members = setValueAt(example, [name], { value: list, times: 1 }) as object;
    const other = { [name.toUpperCase()]: [...list.slice(1), { name: 'y' }] };
    return [{ name: `${name} in two spellings`, json: JSON.stringify({ ...members, ...other }) }];
  });
}

/** Their large parts are not in the schema. Objects are accepted where the example is. */
function listOddBodies(example: unknown): WorstBody[] {
  const known = JSON.stringify(example).slice(1, -1);
  const withMembers = (members: string): string => `{${known}${known === '' ? '' : ','}${members}}`;
  const withMany = (count: number, nameOf: (at: number) => string): string =>
    withMembers(Array.from({ length: count }, (_, at) => `"${nameOf(at)}":1`).join(','));
  return [
    { name: UNKNOWN_MEMBERS, json: withMany(VALUES, (at) => `unknown${at}`) },
    { name: 'unknown members with long names', json: withMany(1_000, (at) => `k${at}`.repeat(200)) },
    { name: 'integers as names', json: withMany(VALUES, (at) => `${at * 7}`) },
    { name: 'one member nineteen thousand times', json: withMany(VALUES, () => 'k') },
    { name: 'unknown objects', json: withMembers(`"k":[${Array.from({ length: 900 }, formatObject).join(',')}]`) },
    { name: 'a member with the name of a megabyte', json: withMany(1, () => 'k'.repeat(ROOM)) },
    { name: 'a number of a megabyte', json: withMembers(`"k":${'9'.repeat(ROOM)}`) },
    { name: 'a fraction of a megabyte', json: withMembers(`"k":0.${'3'.repeat(ROOM)}`) },
    { name: 'escapes', json: withMembers(`"k":"${'\\u0041'.repeat(ROOM / 6)}"`) },
    { name: 'halves of surrogate pairs', json: withMembers(`"k":"${'\\ud83d\\udcb7'.repeat(ROOM / 12)}"`) },
    { name: 'a megabyte of spaces', json: `${' '.repeat(ROOM)}${withMembers('"k":1')}` },
    { name: 'a text that does not end', json: `{"k":"${'\\"'.repeat(ROOM / 2)}` },
    { name: TOO_DEEP, json: `${'['.repeat(VALUES)}${']'.repeat(VALUES)}` },
    { name: TOO_MANY, json: `[${'{},'.repeat(BYTES_MAX / 3 - 2)}{}]` },
  ];
}

/** An object that has no member in common with another one. */
function formatObject(_: unknown, at: number): string {
  return `{${Array.from({ length: 19 }, (__, member) => `"k${at}m${member}":1`).join(',')}}`;
}
/** The example with another value at the path. Missing parents on the path are created. */
function setValueAt(
  holder: unknown,
  [step, ...rest]: readonly string[],
  filling: Required<Omit<BodyFilling, 'name'>>,
): unknown {
  if (step === undefined) return filling.value;
  if (step === '*') {
    const element = setValueAt(Array.isArray(holder) ? (holder[0] as unknown) : {}, rest, filling);
    return new Array(filling.times).fill(element);
  }
  const members = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>) : {};
  return { ...members, [step]: setValueAt(members[step], rest, filling) };
}

function listValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + listValues(each), 2);
}
