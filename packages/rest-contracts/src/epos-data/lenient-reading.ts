import { z } from 'zod';
import { type ElementRule, findElementRule } from './element-rules.js';
import { isUnsetMoment, toContractMoment } from './local-moment.js';
import { isMembers, type Members } from '../shapes/reshape.js';

/** A member of an answer that could not be read. */
export interface UnreadableMember {
  /** The id of the element, or its place in the list, such as `[3]`. */
  readonly element: string;
  /** The path within the element, such as `items[0].amountPerItem`; empty for the whole element. */
  readonly member: string;
  readonly problem: string;
  /** Whether the element was left out because of it. */
  readonly isSkipped: boolean;
}

type Path = readonly (string | number)[];

/** Why a value cannot be used. */
export interface ReadingFailure {
  readonly path: Path;
  readonly problem: string;
}

/** The value, or why there is none, and the members within it that were left out. */
export interface ElementReading {
  readonly value: unknown;
  readonly failure: ReadingFailure | null;
  readonly left: readonly ReadingFailure[];
}

/** Stands for a member that was sent twice with different values. */
export const CONTRADICTION = Symbol('sent twice with different values');

/** More would not be named, and a broken till may send a hundred thousand. */
const LEFT_MAX = 100;

/**
 * Reads an element of an answer member by member (ADR 0123). The value must be in normal form. What is unambiguous is
 * taken: numbers for texts, local times, decimals to the thousandth. A member that cannot be read is left out; the
 * element itself cannot be used without a member that its rule calls essential, or that is required and has no fallback.
 */
export function readElement(schema: z.core.$ZodType, value: unknown, zone: string): ElementReading {
  const left: ReadingFailure[] = [];
  const read = readValue(toKnown(schema), value, { path: [], zone, currency: null, left, isStrict: false });
  return read.failure === undefined
    ? { value: read.value, failure: null, left }
    : { value: undefined, failure: read.failure, left };
}

type Read = { readonly value: unknown; readonly failure?: undefined } | { readonly failure: ReadingFailure };

interface Context {
  readonly path: Path;
  readonly zone: string;
  readonly currency: string | null;
  readonly left: ReadingFailure[];
  /** Whether a part that cannot be read makes the whole unusable. */
  readonly isStrict: boolean;
}

// zod exports the union of its own schema classes; every schema of this package is one of them.
function toKnown(schema: z.core.$ZodType): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

function readValue(schema: z.core.$ZodTypes, value: unknown, context: Context): Read {
  const { def } = schema._zod;
  if ('innerType' in def) return readWrapped(def, value, context);
  if (def.type === 'object') return readObject(schema, def.shape, { value, context });
  if (def.type === 'array') return readArray(schema, def.element, { value, context });
  return readLeaf(schema, value, context);
}

/** An optional member that cannot be read is left out, unless it is essential. */
function readWrapped(
  def: Extract<z.core.$ZodTypeDef, { type: string }> & { readonly innerType: z.core.$ZodType },
  value: unknown,
  context: Context,
): Read {
  const absent = 'defaultValue' in def ? def.defaultValue : undefined;
  if (value === undefined) return { value: absent };
  if (value === null) return { value: null };
  if (isTime(def.innerType) && typeof value === 'string' && isUnsetMoment(value)) return { value: absent };
  const read = readValue(toKnown(def.innerType), value, context);
  if (read.failure === undefined || context.isStrict) return read;
  leaveOut(context, read.failure);
  return { value: absent };
}

function readObject(
  schema: z.core.$ZodTypes,
  shape: Readonly<Record<string, z.core.$ZodType>>,
  { value, context }: { readonly value: unknown; readonly context: Context },
): Read {
  if (!isMembers(value)) return fail(context, 'is no object');
  const rule = findElementRule(schema);
  const members = rule.prepare?.(value) ?? value;
  const currency = rule.currency === undefined ? context.currency : toCurrency(rule.currency(members));
  const inner = { ...context, currency };
  const made: Record<string, unknown> = {};
  const failures = new Map<string, ReadingFailure>();
  for (const [name, member] of Object.entries(shape)) {
    const read = readMember(toKnown(member), name, { members, rule, context: inner });
    if (read.failure !== undefined) failures.set(name, read.failure);
    else if (read.value !== undefined) made[name] = read.value;
  }
  const fatal = findFatal(failures, made, { rule, context });
  if (fatal !== null) return { failure: fatal };
  const wrong = findOtherCurrency(made, context);
  return wrong === null ? { value: made } : { failure: wrong };
}

function readMember(
  schema: z.core.$ZodTypes,
  name: string,
  { members, rule, context }: { readonly members: Members; readonly rule: ElementRule; readonly context: Context },
): Read {
  const isEssential = rule.essential?.includes(name) === true;
  const at = { ...context, path: [...context.path, name], isStrict: isEssential };
  const sent = members[name];
  const fallback = rule.fallbacks?.[name]?.(members, context.currency);
  if (sent === undefined && fallback !== undefined) return readValue(schema, fallback, at);
  if (sent === undefined && !isOptional(schema)) return fail(at, 'is missing');
  const read = readValue(schema, sent, at);
  if (read.failure === undefined || fallback === undefined || isEssential) return read;
  leaveOut(at, read.failure);
  return readValue(schema, fallback, at);
}

/** The failure of a member that makes the object unusable. One readable member of a group replaces the others. */
function findFatal(
  failures: ReadonlyMap<string, ReadingFailure>,
  made: Members,
  { rule, context }: { readonly rule: ElementRule; readonly context: Context },
): ReadingFailure | null {
  for (const [name, failure] of failures) {
    const group = rule.either?.find((names) => names.includes(name));
    if (group?.some((other) => other !== name && isInformative(made[other])) !== true) return failure;
    leaveOut(context, failure);
  }
  return null;
}

/** An empty list says nothing about the amount beside it: many tills list no payments at all. */
function isInformative(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** An element of a list that cannot be read is left out. */
function readArray(
  schema: z.core.$ZodTypes,
  element: z.core.$ZodType,
  { value, context }: { readonly value: unknown; readonly context: Context },
): Read {
  if (!Array.isArray(value)) return fail(context, 'is no list');
  const made: unknown[] = [];
  for (const [index, each] of (value as readonly unknown[]).entries()) {
    const at = { ...context, path: [...context.path, index] };
    const read = readValue(toKnown(element), each ?? undefined, at);
    if (read.failure === undefined) made.push(read.value);
    else if (context.isStrict) return read;
    else leaveOut(context, read.failure);
  }
  const tooFew = (schema._zod.def.checks ?? []).some(({ _zod: { def } }) => isBelowMinimum(def, made.length));
  return tooFew ? fail(context, 'has too few elements') : { value: made };
}

function isBelowMinimum(def: z.core.$ZodCheckDef, length: number): boolean {
  return def.check === 'min_length' && length < (def as z.core.$ZodCheckMinLengthDef).minimum;
}

function readLeaf(schema: z.core.$ZodTypes, value: unknown, context: Context): Read {
  if (value === CONTRADICTION) return fail(context, 'is sent twice with different values');
  const first = z.safeParse(schema, value);
  if (first.success) return { value: isDecimal(schema) ? toThousandths(first.data) : first.data };
  const taken = toUnambiguous(schema, value, context);
  const second = taken === undefined ? first : z.safeParse(schema, taken);
  if (second.success) return { value: second.data };
  const cut = cutName(schema, taken ?? value, context);
  if (cut === null) return fail(context, second.error.issues[0]?.message ?? 'cannot be read');
  leaveOut(context, { path: context.path, problem: `${second.error.issues[0]?.message ?? 'is too long'} It was cut.` });
  return { value: cut };
}

/** What a value can only mean; undefined when it is not certain. */
function toUnambiguous(schema: z.core.$ZodTypes, value: unknown, { zone }: Context): unknown {
  const { def } = schema._zod;
  if (def.type === 'boolean') return value === 1 ? true : value === 0 ? false : undefined;
  if (def.type === 'number') {
    if (isDecimal(schema)) return toThousandths(value);
    // Nothing is nothing in pounds and in pence.
    return typeof value === 'string' && ZERO.test(value.trim()) ? 0 : undefined;
  }
  if (def.type !== 'string') return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && getFormat(schema) !== 'date-time') return String(value);
  return typeof value === 'string' && getFormat(schema) === 'date-time'
    ? (toContractMoment(value.trim(), zone) ?? undefined)
    : undefined;
}

function isDecimal({ _zod: { def } }: z.core.$ZodTypes): boolean {
  return def.type === 'number' && (def.checks ?? []).some((check) => check._zod.def.check === 'multiple_of');
}

const ZERO = /^-?0+([.,]0+)?$/;
const DECIMAL = /^-?\d{1,9}(\.\d{1,9})?$/;

function toThousandths(value: unknown): number | undefined {
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return Math.round(number * 1_000) / 1_000 + 0;
}

/** The beginning of a name that is too long. Any other text would mean something else without its end. */
function cutName(schema: z.core.$ZodTypes, value: unknown, { path }: Context): string | null {
  const max = getMeta(schema)?.['maxLength'];
  if (path.at(-1) !== 'name' || typeof value !== 'string' || typeof max !== 'number') return null;
  const cut = Array.from(value).slice(0, max).join('');
  return z.safeParse(schema, cut).success ? cut : null;
}

/** All amounts of an element must be in its currency: no other one could be added up. */
function findOtherCurrency({ value, currencyCode }: Members, { currency, path }: Context): ReadingFailure | null {
  if (currency === null || typeof currencyCode !== 'string' || typeof value !== 'number') return null;
  if (currencyCode === currency) return null;
  return { path: [...path, 'currencyCode'], problem: `is ${currencyCode}, and the total is in ${currency}` };
}

function toCurrency(sent: unknown): string | null {
  return typeof sent === 'string' && /^[A-Z]{3}$/i.test(sent) ? sent.toUpperCase() : null;
}

function isOptional(schema: z.core.$ZodTypes): boolean {
  return schema._zod.optin === 'optional' || 'defaultValue' in schema._zod.def;
}

function isTime(schema: z.core.$ZodType): boolean {
  return getFormat(schema) === 'date-time';
}

function getFormat(schema: z.core.$ZodType): unknown {
  return getMeta(schema)?.['format'];
}

function getMeta(schema: z.core.$ZodType): Readonly<Record<string, unknown>> | undefined {
  // The registry is typed by classic schemas, which all of this package are.
  return z.globalRegistry.get(schema as z.ZodType);
}

function leaveOut({ left }: Context, failure: ReadingFailure): void {
  if (left.length < LEFT_MAX) left.push(failure);
}

function fail({ path }: Context, problem: string): Read {
  return { failure: { path, problem } };
}
