import type { Schema } from '../data/reference-data.js';
import type { REFERENCE_MESSAGES } from '../data/reference-messages.js';

export type Schemas = Readonly<Record<string, Schema>>;
type Text = (key: keyof (typeof REFERENCE_MESSAGES)['en'], values?: Readonly<Record<string, string>>) => string;

/** The shape behind a reference, and its name. A description beside the reference is that of the member. */
function resolveSchema(schema: Schema, schemas: Schemas): { readonly shape: Schema; readonly name: string | null } {
  const { $ref } = schema;
  if ($ref === undefined) return { shape: schema, name: null };
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  const shape = schemas[name] ?? {};
  // An alias has the shape of its target.
  return shape.$ref === undefined ? { shape, name } : { shape: resolveSchema(shape, schemas).shape, name };
}

/** The type of a member in a few words. */
export function describeType(schema: Schema, schemas: Schemas, text: Text): string {
  const { shape, name } = resolveSchema(schema, schemas);
  if (shape.items !== undefined) return text('listOf', { type: describeType(shape.items, schemas, text) });
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined && name === null) {
    return [...new Set(choices.map((each) => describeType(each, schemas, text)))].join(' | ');
  }
  if (shape.type === 'object' || choices !== undefined) return name ?? text('object');
  return (
    shape.type ?? (shape.const === undefined && shape.enum === undefined ? text('anyValue') : typeof pickValue(shape))
  );
}

function pickValue({ const: fixed, enum: values }: Schema): unknown {
  return fixed ?? values?.[0];
}

/** What a value must be beside its type: names and texts, in the order of the page. */
export function listConstraints(schema: Schema, schemas: Schemas, text: Text): (readonly [string, string])[] {
  const { shape } = resolveSchema(schema, schemas);
  const { format, pattern, default: standard } = { ...shape, ...withoutReference(schema) };
  const length = describeRange([shape.minLength, shape.maxLength], text);
  const count = describeRange([shape.minItems, shape.maxItems], text);
  const size = describeRange([shape.minimum, shape.maximum], text);
  const rows: (readonly [string, string | null])[] = [
    [text('oneOf'), shape.enum === undefined ? null : shape.enum.map(writeValue).join(', ')],
    [text('always'), shape.const === undefined ? null : writeValue(shape.const)],
    ['', length === null ? null : text('characters', { range: length })],
    ['', count === null ? null : text('elements', { range: count })],
    ['', size === null ? null : text('values', { range: size })],
    [text('format'), format ?? null],
    // A pattern that a format names explains nothing more.
    [text('pattern'), format === undefined ? (pattern ?? null) : null],
    [text('standard'), standard === undefined ? null : writeValue(standard)],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function withoutReference({ $ref: _, ...schema }: Schema): Schema {
  return schema;
}

/** The bounds of 32 and 53 bits only say that a number is whole and safe. */
const IMPLIED = new Set([-(2 ** 31), 2 ** 31 - 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

function describeRange([least, most]: readonly (number | undefined)[], text: Text): string | null {
  const [from, to] = [least, most].map((bound) =>
    bound === undefined || IMPLIED.has(bound) ? null : bound.toLocaleString('en-GB'),
  );
  if (from !== null && from !== undefined && to !== null && to !== undefined) {
    return from === to ? from : text('between', { least: from, most: to });
  }
  if (from !== null && from !== undefined) return text('atLeast', { least: from });
  return to === null || to === undefined ? null : text('atMost', { most: to });
}

function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The shapes that a member consists of, which the page can unfold; empty for a plain value. */
export function listParts(
  schema: Schema,
  schemas: Schemas,
): { readonly name: string | null; readonly shape: Schema }[] {
  const { shape, name } = resolveSchema(schema, schemas);
  if (shape.items !== undefined) return listParts(shape.items, schemas);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) return choices.flatMap((each) => listParts(each, schemas));
  if (shape.properties !== undefined && Object.keys(shape.properties).length > 0) return [{ name, shape }];
  const more = shape.additionalProperties;
  return typeof more === 'object' ? listParts(more, schemas) : [];
}
