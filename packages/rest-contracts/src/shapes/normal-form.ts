import { z } from 'zod';
import { findNearestName } from './nearest-name.js';
import { RECORD_BYTES_MAX } from './record-size.js';
import { isAbsent, isMembers, isSame, RESHAPES, type Members, type MemberOrigin } from './reshape.js';

type Path = readonly (string | number)[];

/** A member that is invalid in every form, found before its schema checks it. */
export interface MemberContradiction {
  readonly path: Path;
  readonly message: string;
  /** The value was not read because of it, so no other issue of this member is reported. */
  readonly isAlone?: true;
}

/**
 * Converts a caller's value to the documented form of a schema: documented spelling of member names and enum values,
 * numbers and booleans that were sent as text, null as absent, unknown members dropped, synonyms resolved. It refuses
 * nothing: an invalid value stays as it was sent, for the schema to refuse. A second normalisation changes nothing.
 */
export function normalizeBody(schema: z.core.$ZodType, sent: unknown): { value: unknown } & NormalizedValue {
  const found = createAbsentValue();
  return { value: readValue(toKnownValue(schema), sent, { way: null, ...found }), ...found };
}

/** A path from its end, built only for an issue, because most of up to nineteen thousand values are valid. */
interface ReadingOptions {
  readonly step: string | number;
  readonly before: ReadingOptions | null;
}

/** A member that is not read. */
export interface UnknownMember {
  readonly path: Path;
  /** Null where it is not obvious. */
  readonly nearest: string | null;
}

/** The findings of a walk through a value. */
interface NormalizedValue {
  readonly contradictions: MemberContradiction[];
  /** The first unknown members, as they were spelled, each with the known name that was probably meant. */
  readonly unknown: UnknownMember[];
  /** Members that are read in another place than they were sent. */
  readonly origins: MemberOrigin<Path>[];
}

interface ReadContext extends NormalizedValue {
  readonly way: ReadingOptions | null;
}

function createAbsentValue(): NormalizedValue {
  return { contradictions: [], unknown: [], origins: [] };
}

function descend({ way, contradictions, unknown, origins }: ReadContext, step: string | number): ReadContext {
  return { way: { step, before: way }, contradictions, unknown, origins };
}

function getPath({ way }: ReadContext, ...end: Path): Path {
  const path = [...end];
  for (let at = way; at !== null; at = at.before) path.unshift(at.step);
  return path;
}

/** More than the warnings of an answer name. */
const UNKNOWN_MAX = 20;

// zod exports the union of its own schema classes; every schema of this package is one of them.
function toKnownValue(schema: z.core.$ZodType): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

/** Wrappers do not change the form of their inner value. */
function readValue(schema: z.core.$ZodTypes, sent: unknown, place: ReadContext): unknown {
  const { def } = schema._zod;
  if ('innerType' in def) return sent === null ? sent : readValue(toKnownValue(def.innerType), sent, place);
  if (def.type === 'pipe') return readValue(toKnownValue(def.in), sent, place);
  if (def.type === 'lazy') return readValue(toKnownValue(def.getter()), sent, place);
  if (def.type === 'object') return readObject(schema, def.shape, { sent, place });
  if (def.type === 'array') return readArray(def, sent, place);
  if (def.type === 'record') return readRecord(schema, sent, place);
  if (def.type === 'union') return readUnion(def, sent, place);
  if (def.type === 'string') return readText(def, sent);
  if (def.type === 'number') return readNumber(sent);
  if (def.type === 'boolean') return readBoolean(sent);
  if (def.type === 'enum') return readEnumValue(Object.values(def.entries), sent);
  if (def.type === 'literal') return readEnumValue(def.values, sent);
  return sent;
}

function readObject(
  schema: z.core.$ZodTypes,
  shape: Readonly<Record<string, z.core.$ZodType>>,
  { sent, place }: { sent: unknown; place: ReadContext },
): unknown {
  if (!isMembers(sent)) return sent;
  const reshape = RESHAPES.get(schema);
  let members = getDocumentedSchema(sent, listMemberNames(schema, shape, reshape?.names ?? []), place);
  if (reshape !== undefined) {
    const reshaped = reshape.reshape(members);
    members = reshaped.members;
    for (const { path, message } of reshaped.conflicts) {
      place.contradictions.push({ path: getPath(place, ...path), message });
    }
    for (const { sentAs, readAs } of reshaped.origins ?? []) {
      place.origins.push({ sentAs: getPath(place, ...sentAs), readAs: getPath(place, ...readAs) });
    }
  }
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    const value = members[name];
    if (value === undefined || (value === null && !acceptsNull(toKnownValue(member)))) continue;
    made[name] = readValue(toKnownValue(member), value, descend(place, name));
  }
  return made;
}

/** The documented names of an object, unchanged and in lower case. */
type MemberNames = ReadonlyMap<string, string>;

const NAMES = new WeakMap<z.core.$ZodType, MemberNames>();

/** Created once per schema, because the objects of a list are read a thousand times. */
function listMemberNames(schema: z.core.$ZodType, shape: object, more: readonly string[]): MemberNames {
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

/** Names are case-insensitive; two spellings of one name must agree. Unknown members are dropped. */
function getDocumentedSchema(sent: Members, names: MemberNames, place: ReadContext): Members {
  const members: Record<string, unknown> = {};
  const contradicted = new Set<string>();
  // Only names are compared here, because most of many members are unknown.
  for (const sentName of Object.keys(sent)) {
    const name = names.get(sentName) ?? names.get(sentName.toLowerCase());
    if (name === undefined) {
      if (place.unknown.length < UNKNOWN_MAX) {
        place.unknown.push({ path: getPath(place, sentName), nearest: findNearestName(sentName, names.values()) });
      }
      continue;
    }
    const value = sent[sentName];
    if (contradicted.has(name)) continue;
    if (isAbsent(members[name])) members[name] = value;
    else if (!isAbsent(value) && !isSame(members[name], value)) {
      contradicted.add(name);
      place.contradictions.push({ path: getPath(place, name), message: 'Is sent twice with different values.' });
    }
  }
  return members;
}

/** A list that is too long is refused by its length: none of its elements is read. */
function readArray(
  { element: elementSchema, checks = [] }: z.core.$ZodArrayDef,
  sent: unknown,
  place: ReadContext,
): unknown {
  if (!Array.isArray(sent)) return sent;
  const most = Math.min(...checks.map(findMaxElements));
  if (sent.length > most) {
    place.contradictions.push({ path: getPath(place), message: `Must have at most ${most} elements.`, isAlone: true });
    return [];
  }
  const element = toKnownValue(elementSchema);
  return sent.map((item: unknown, index) => readValue(element, item, descend(place, index)));
}

/** Free members stay as they were sent; more bytes of them than the schema allows are not read. */
function readRecord(schema: z.core.$ZodTypes, sent: unknown, place: ReadContext): unknown {
  if (!isMembers(sent)) return sent;
  const bytesMax = RECORD_BYTES_MAX.of(schema);
  if (bytesMax === Infinity || new TextEncoder().encode(JSON.stringify(sent)).length <= bytesMax) {
    refusePrototypes(sent, place);
    return sent;
  }
  place.contradictions.push({
    path: getPath(place),
    message: `Must be at most ${bytesMax} bytes of JSON.`,
    isAlone: true,
  });
  return {};
}

/**
 * A free member named `__proto__` is refused: most code that copies an object would set its prototype and lose the
 * member.
 */
function refusePrototypes(value: unknown, place: ReadContext): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      refusePrototypes(item, descend(place, index));
    });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name !== PROTOTYPE) refusePrototypes(member, descend(place, name));
    else place.contradictions.push({ path: getPath(place, name), message: `Must not be named ${PROTOTYPE}.` });
  }
}

const PROTOTYPE = '__proto__';

function findMaxElements({ _zod: { def } }: z.core.$ZodCheck): number {
  return def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity;
}

/** The option of the discriminator, or the first one that accepts the value in the option's own form. */
function readUnion(
  def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef,
  sent: unknown,
  place: ReadContext,
): unknown {
  for (const option of def.options.map(toKnownValue)) {
    const found = createAbsentValue();
    const value = readValue(option, sent, { ...place, ...found });
    const fits =
      'discriminator' in def
        ? matchesOption(option, def.discriminator, value)
        : found.contradictions.length === 0 && z.safeParse(option, value).success;
    if (!fits) continue;
    place.contradictions.push(...found.contradictions);
    place.unknown.push(...found.unknown);
    place.origins.push(...found.origins);
    return value;
  }
  return sent;
}

function matchesOption(option: z.core.$ZodTypes, discriminator: string, value: unknown): boolean {
  const { def } = option._zod;
  if (def.type !== 'object' || !isMembers(value)) return false;
  const name = def.shape[discriminator];
  return name !== undefined && z.safeParse(name, value[discriminator]).success;
}

/** Case-insensitive codes are converted to the documented spelling. */
function readText({ checks = [] }: z.core.$ZodStringDef, sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  return checks.reduce<unknown>((text, { _zod: { def } }) => {
    return def.check === 'overwrite' ? (def as z.core.$ZodCheckOverwriteDef).tx(text) : text;
  }, sent);
}

/**
 * Reads decimal digits, with a minus sign for a negative number. Numbers of this package are whole numbers, so
 * `"10.00"` is refused: the sender may mean ten pounds or ten pence, and the service must not choose.
 */
function readNumber(sent: unknown): unknown {
  return typeof sent === 'string' && /^-?\d{1,30}$/.test(sent) ? Number(sent) + 0 : sent;
}

function readBoolean(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  const word = sent.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : sent;
}

function readEnumValue(words: readonly unknown[], sent: unknown): unknown {
  if (typeof sent !== 'string' || words.includes(sent)) return sent;
  return words.find((word) => typeof word === 'string' && word.toLowerCase() === sent.toLowerCase()) ?? sent;
}

function acceptsNull(schema: z.core.$ZodTypes): boolean {
  const { def } = schema._zod;
  if (def.type === 'nullable' || def.type === 'null' || def.type === 'unknown') return true;
  return 'innerType' in def && acceptsNull(toKnownValue(def.innerType));
}
