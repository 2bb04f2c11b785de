import { z } from 'zod';

/** A body that costs much to judge, and what is many in it. */
export interface WorstBody {
  readonly name: string;
  readonly json: string;
}

const BYTES_MAX = 1024 * 1024;
/** As many values as a request may hold, nearly. */
const VALUES = 19_500;
const LIST_LENGTHS = [100, 1_000, VALUES];

/**
 * Bodies of at most 1 MiB that are made from the schema of an operation: in turn each text, list, record and object in it
 * is made as large as a request may be, with elements that are accepted, empty or of another type.
 */
export function worstBodies(schema: z.ZodType): WorstBody[] {
  const example = exampleOf(schema);
  const bodies = placesOf(schema, []).flatMap(({ schema: place, path }) =>
    fillings(place).map(({ name, value }) => ({
      name: `${path.join('.')} ${name}`,
      json: jsonWith(example, path, value),
    })),
  );
  const spellings = Object.fromEntries(Array.from({ length: VALUES }, (_, at) => [`unknown${at}`, 1]));
  bodies.push({ name: 'unknown members', json: JSON.stringify(spellings) });
  bodies.push({ name: 'more values than are read', json: `[${'{},'.repeat(BYTES_MAX / 3 - 2)}{}]` });
  return bodies.filter(({ json }) => json.length <= BYTES_MAX);
}

interface Place {
  readonly schema: z.core.$ZodTypes;
  readonly path: readonly string[];
}

/** Every place of a schema down to the elements of its lists; `*` stands for each element. */
function placesOf(schema: z.core.$ZodType, path: readonly string[]): Place[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  if ('innerType' in def) return placesOf(def.innerType, path);
  if (def.type === 'pipe') return placesOf(def.in, path);
  const here = { schema: known, path };
  if (def.type === 'object') {
    return [here, ...Object.entries(def.shape).flatMap(([name, member]) => placesOf(member, [...path, name]))];
  }
  if (def.type === 'array') return [here, ...placesOf(def.element, [...path, '*'])];
  if (def.type === 'union') return def.options.flatMap((option) => placesOf(option, path));
  return [here];
}

function fillings({ _zod: { def } }: z.core.$ZodTypes): { name: string; value: unknown }[] {
  const room = BYTES_MAX - 4_096;
  if (def.type === 'string') {
    return ['4', '4 ', 'cvc ', '\u0661'].map((piece) => ({
      name: `of ${JSON.stringify(piece)}`,
      value: piece.repeat(Math.floor(room / Buffer.byteLength(piece))),
    }));
  }
  if (def.type === 'array') {
    const elements = [{}, 1, 'x', null, [], exampleOf(def.element)];
    return LIST_LENGTHS.flatMap((length) =>
      elements.map((element) => {
        const text = JSON.stringify(element);
        const size = text.length;
        const count = Math.min(length, Math.floor(room / (size + 1)), Math.floor(VALUES / valuesOf(element)));
        return { name: `${count} of ${text.slice(0, 40)}`, value: new Array(count).fill(element) };
      }),
    );
  }
  if (def.type === 'record' || def.type === 'unknown') {
    return [1, '4111 1111 1111 1111'].map((value) => ({
      name: `members of ${value}`,
      value: Object.fromEntries(Array.from({ length: VALUES }, (_, at) => [`k${at}`, value])),
    }));
  }
  return [];
}

/** The example of the documentation, or the smallest value that looks like one. */
function exampleOf(schema: z.core.$ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) return example;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return undefined;
  if ('innerType' in def) return exampleOf(def.innerType);
  if (def.type === 'pipe') return exampleOf(def.in);
  if (def.type === 'object') {
    return Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, exampleOf(member)]));
  }
  if (def.type === 'array') return [];
  if (def.type === 'number') return 1;
  if (def.type === 'boolean') return true;
  if (def.type === 'enum') return Object.values(def.entries)[0];
  if (def.type === 'literal') return def.values[0];
  if (def.type === 'union') return def.options.slice(0, 1).map(exampleOf)[0];
  return 'a';
}

/** The example with another value at the path; what lies on the way and is not in the example is made. */
function jsonWith(example: unknown, path: readonly string[], value: unknown): string {
  return JSON.stringify(placed(example, path, value));
}

function placed(holder: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '*') return [placed(Array.isArray(holder) ? (holder[0] as unknown) : {}, rest, value)];
  const members = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>) : {};
  return { ...members, [step]: placed(members[step], rest, value) };
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + valuesOf(each), 2);
}
