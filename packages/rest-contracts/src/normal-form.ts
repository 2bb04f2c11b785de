import { z } from 'zod';
import { RECORD_BYTES_MAX } from './record-size.js';
import { isAbsent, isMembers, isSame, RESHAPES, type Members, type Origin } from './reshape.js';

type Path = readonly (string | number)[];

/** A member that cannot be read in any way, found before its schema looks at it. */
export interface Contradiction {
  readonly path: Path;
  readonly message: string;
  /** The value was not read because of it, so nothing else is said of this member. */
  readonly isAlone?: true;
}

/**
 * Brings what a caller sent into the documented form of a schema: documented spelling of member names and enum values,
 * numbers and booleans that arrived as text, null taken for absent, unknown members dropped, synonyms resolved.
 * It decides nothing: what does not fit stays as sent, for the schema to refuse. Normalising twice changes nothing.
 */
export function normalForm(schema: z.core.$ZodType, sent: unknown): { value: unknown } & Found {
  const found = nothingFound();
  return { value: read(asKnown(schema), sent, { way: null, ...found }), ...found };
}

/** A path from its end, put together only where something is to be said: most of nineteen thousand values are right. */
interface Way {
  readonly step: string | number;
  readonly before: Way | null;
}

/** What was found on the way through a value. */
interface Found {
  readonly contradictions: Contradiction[];
  /** Members that no schema has, as they were spelled; the first few. */
  readonly unknown: Path[];
  /** Members that are read in another place than they were sent in. */
  readonly origins: Origin<Path>[];
}

interface Place extends Found {
  readonly way: Way | null;
}

function nothingFound(): Found {
  return { contradictions: [], unknown: [], origins: [] };
}

function within({ way, contradictions, unknown, origins }: Place, step: string | number): Place {
  return { way: { step, before: way }, contradictions, unknown, origins };
}

function pathOf({ way }: Place, ...end: Path): Path {
  const path = [...end];
  for (let at = way; at !== null; at = at.before) path.unshift(at.step);
  return path;
}

/** More than the warnings of an answer name. */
const UNKNOWN_MAX = 20;

// zod publishes the union of its own schema classes; every schema of this package is one of them.
function asKnown(schema: z.core.$ZodType): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

/** Wrappers change nothing about the form of what is inside. */
function read(schema: z.core.$ZodTypes, sent: unknown, place: Place): unknown {
  const { def } = schema._zod;
  if ('innerType' in def) return sent === null ? sent : read(asKnown(def.innerType), sent, place);
  if (def.type === 'pipe') return read(asKnown(def.in), sent, place);
  if (def.type === 'lazy') return read(asKnown(def.getter()), sent, place);
  if (def.type === 'object') return readObject(schema, def.shape, { sent, place });
  if (def.type === 'array') return readArray(def, sent, place);
  if (def.type === 'record') return readRecord(schema, sent, place);
  if (def.type === 'union') return readUnion(def, sent, place);
  if (def.type === 'string') return readText(def, sent);
  if (def.type === 'number') return readNumber(sent);
  if (def.type === 'boolean') return readBoolean(sent);
  if (def.type === 'enum') return readWord(Object.values(def.entries), sent);
  if (def.type === 'literal') return readWord(def.values, sent);
  return sent;
}

function readObject(
  schema: z.core.$ZodTypes,
  shape: Readonly<Record<string, z.core.$ZodType>>,
  { sent, place }: { sent: unknown; place: Place },
): unknown {
  if (!isMembers(sent)) return sent;
  const reshape = RESHAPES.get(schema);
  let members = documented(sent, namesOf(schema, shape, reshape?.names ?? []), place);
  if (reshape !== undefined) {
    const reshaped = reshape.reshape(members);
    members = reshaped.members;
    for (const { path, message } of reshaped.conflicts) {
      place.contradictions.push({ path: pathOf(place, ...path), message });
    }
    for (const { sentAs, readAs } of reshaped.origins ?? []) {
      place.origins.push({ sentAs: pathOf(place, ...sentAs), readAs: pathOf(place, ...readAs) });
    }
  }
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    const value = members[name];
    if (value === undefined || (value === null && !takesNull(asKnown(member)))) continue;
    made[name] = read(asKnown(member), value, within(place, name));
  }
  return made;
}

/** The documented names of an object by themselves and in lower case. */
type Names = ReadonlyMap<string, string>;

const NAMES = new WeakMap<z.core.$ZodType, Names>();

/** Made once for each schema: a list has its objects read a thousand times. */
function namesOf(schema: z.core.$ZodType, shape: object, more: readonly string[]): Names {
  const known = NAMES.get(schema);
  if (known !== undefined) return known;
  const names = [...Object.keys(shape), ...more];
  const made = new Map([
    ...names.map((name) => [name.toLowerCase(), name] as const),
    ...names.map((name) => [name, name] as const),
  ]);
  NAMES.set(schema, made);
  return made;
}

/** Names match without regard to case; two spellings of one name must agree. What is not documented is dropped. */
function documented(sent: Members, names: Names, place: Place): Members {
  const members: Record<string, unknown> = {};
  const contradicted = new Set<string>();
  // Names only, for most of many are unknown.
  for (const sentName of Object.keys(sent)) {
    const name = names.get(sentName) ?? names.get(sentName.toLowerCase());
    if (name === undefined) {
      if (place.unknown.length < UNKNOWN_MAX) place.unknown.push(pathOf(place, sentName));
      continue;
    }
    const value = sent[sentName];
    if (contradicted.has(name)) continue;
    if (isAbsent(members[name])) members[name] = value;
    else if (!isAbsent(value) && !isSame(members[name], value)) {
      contradicted.add(name);
      place.contradictions.push({ path: pathOf(place, name), message: 'Is sent twice with different values.' });
    }
  }
  return members;
}

/** A list that is too long is refused by its length: none of its elements is read. */
function readArray({ element: elementSchema, checks = [] }: z.core.$ZodArrayDef, sent: unknown, place: Place): unknown {
  if (!Array.isArray(sent)) return sent;
  const most = Math.min(...checks.map(mostElements));
  if (sent.length > most) {
    place.contradictions.push({ path: pathOf(place), message: `Must have at most ${most} elements.`, isAlone: true });
    return [];
  }
  const element = asKnown(elementSchema);
  return sent.map((item: unknown, index) => read(element, item, within(place, index)));
}

/** Free members stay as sent; more bytes of them than the schema allows are not read. */
function readRecord(schema: z.core.$ZodTypes, sent: unknown, place: Place): unknown {
  if (!isMembers(sent)) return sent;
  const bytesMax = RECORD_BYTES_MAX.of(schema);
  if (bytesMax === Infinity || new TextEncoder().encode(JSON.stringify(sent)).length <= bytesMax) {
    refusePrototypes(sent, place);
    return sent;
  }
  place.contradictions.push({
    path: pathOf(place),
    message: `Must be at most ${bytesMax} bytes of JSON.`,
    isAlone: true,
  });
  return {};
}

/** A free member named `__proto__` would be lost: most code that copies an object sets its prototype instead. */
function refusePrototypes(value: unknown, place: Place): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      refusePrototypes(item, within(place, index));
    });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name !== PROTOTYPE) refusePrototypes(member, within(place, name));
    else place.contradictions.push({ path: pathOf(place, name), message: `Must not be named ${PROTOTYPE}.` });
  }
}

const PROTOTYPE = '__proto__';

function mostElements({ _zod: { def } }: z.core.$ZodCheck): number {
  return def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity;
}

/** The option that the discriminator names, else the first one that the value fits; each tried in its own form. */
function readUnion(def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef, sent: unknown, place: Place): unknown {
  for (const option of def.options.map(asKnown)) {
    const found = nothingFound();
    const value = read(option, sent, { ...place, ...found });
    const fits =
      'discriminator' in def
        ? namesOption(option, def.discriminator, value)
        : found.contradictions.length === 0 && z.safeParse(option, value).success;
    if (!fits) continue;
    place.contradictions.push(...found.contradictions);
    place.unknown.push(...found.unknown);
    place.origins.push(...found.origins);
    return value;
  }
  return sent;
}

function namesOption(option: z.core.$ZodTypes, discriminator: string, value: unknown): boolean {
  const { def } = option._zod;
  if (def.type !== 'object' || !isMembers(value)) return false;
  const name = def.shape[discriminator];
  return name !== undefined && z.safeParse(name, value[discriminator]).success;
}

/** Codes that are read without regard to case are spelled as documented. */
function readText({ checks = [] }: z.core.$ZodStringDef, sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  return checks.reduce<unknown>((text, { _zod: { def } }) => {
    return def.check === 'overwrite' ? (def as z.core.$ZodCheckOverwriteDef).tx(text) : text;
  }, sent);
}

/**
 * Reads decimal digits, with a minus sign before a negative number. A number of this package is a whole number, so
 * `"10.00"` is no number: the sender means ten pounds or ten pence, and the service must not choose.
 */
function readNumber(sent: unknown): unknown {
  return typeof sent === 'string' && /^-?\d{1,30}$/.test(sent) ? Number(sent) + 0 : sent;
}

function readBoolean(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  const word = sent.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : sent;
}

function readWord(words: readonly unknown[], sent: unknown): unknown {
  if (typeof sent !== 'string' || words.includes(sent)) return sent;
  return words.find((word) => typeof word === 'string' && word.toLowerCase() === sent.toLowerCase()) ?? sent;
}

function takesNull(schema: z.core.$ZodTypes): boolean {
  const { def } = schema._zod;
  if (def.type === 'nullable' || def.type === 'null' || def.type === 'unknown') return true;
  return 'innerType' in def && takesNull(asKnown(def.innerType));
}
