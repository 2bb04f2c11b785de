import type { Readable } from '@pos/core/refusals';
import type { z } from 'zod';
import { findTooManyIssues } from './bounded-issues.js';
import { normalizeBody } from '../shapes/normal-form.js';
import { toLatestShape } from '../versions/older-shapes.js';
import { findNearestName } from '../shapes/nearest-name.js';
import { readableMembers } from './readable-members.js';
import { formatIssue } from './validation-message.js';
import { LATEST_RELEASE, type Release } from '../versions/versions.js';

/** The result of parsing: the value, or every invalid member with its messages, by documented path. */
export type BodyResult<T> = (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: Readonly<Record<string, readonly string[]>> }
) & {
  /** The first unknown members of the request, by path. Missing when there are none. */
  readonly unknown?: readonly string[];
  /**
   * The known names that were probably meant, by the paths of unknown members. Missing when there are none. A map,
   * because an object inherits members such as `constructor`, which a sender may name.
   */
  readonly suggestions?: ReadonlyMap<string, string>;
};

/** The name for errors of the whole body. */
const WHOLE_BODY = 'body';

/** The limit of named members, so that a hostile body does not cause an even larger answer. */
const ERRORS_MAX = 100;
/** The limit of named unknown members. */
const UNKNOWN_MAX = 20;

/**
 * Reads a JSON body leniently: see `normalizeBody`. No body and null count as an empty object. A body of an older
 * release is checked as the newest release would send it.
 */
export function readBody<S extends z.ZodType>(
  schema: S,
  sent: unknown,
  release: Release = LATEST_RELEASE,
): BodyResult<z.output<S>> {
  return prepareBody(schema, sent, release).check();
}

/** A body in its normal form, before its members are checked. */
export interface PreparedBody<T> {
  readonly check: () => BodyResult<T>;
  /** The valid members of a refused body. */
  readonly readable: () => Readable<T> | undefined;
}

/** The same in two steps, normalisation and checks, so that the caller can yield the event loop between them. */
export function prepareBody<S extends z.ZodType>(
  schema: S,
  sent: unknown,
  release: Release = LATEST_RELEASE,
): PreparedBody<z.output<S>> {
  return prepareSchema(schema, sent ?? {}, release);
}

/** Reads a query: names are case-insensitive, lists may be repeated or separated by commas. */
export function readQuery<S extends z.ZodObject>(schema: S, query: URLSearchParams): BodyResult<z.output<S>> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const names = Object.keys(shape);
  const sent: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  const known = new Set(names.map((name) => name.toLowerCase()));
  const unknown = collectUnknown(
    [...new Set(query.keys())]
      .filter((key) => !known.has(key.toLowerCase()))
      .slice(0, UNKNOWN_MAX)
      .map((key) => ({ path: key, nearest: findNearestName(key, names) })),
  );
  for (const name of names) {
    const values = [...query].filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
    const member = shape[name];
    if (values.length === 0 || member === undefined) continue;
    if (isList(member)) sent[name] = values.flatMap((value) => value.split(',')).filter((value) => value !== '');
    else if (new Set(values).size > 1) errors[name] = ['Is sent twice with different values.'];
    else sent[name] = values[0];
  }
  const reading = prepareSchema(schema, sent, LATEST_RELEASE).check();
  if (Object.keys(errors).length === 0) return { ...reading, ...unknown };
  return { ok: false, errors: { ...(reading.ok ? {} : reading.errors), ...errors }, ...unknown };
}

function collectUnknown(
  unknown: readonly { readonly path: string; readonly nearest: string | null }[],
): Pick<BodyResult<unknown>, 'unknown' | 'suggestions'> {
  if (unknown.length === 0) return {};
  const named = unknown.slice(0, UNKNOWN_MAX);
  const suggestions = named.flatMap(({ path, nearest }) => (nearest === null ? [] : [[path, nearest] as const]));
  return {
    unknown: named.map(({ path }) => path),
    ...(suggestions.length > 0 && { suggestions: new Map(suggestions) }),
  };
}

function prepareSchema<S extends z.ZodType>(schema: S, sent: unknown, release: Release): PreparedBody<z.output<S>> {
  const form = normalizeBody(schema, sent);
  const { value, contradictions: older } = toLatestShape(schema, form.value, release);
  return {
    check: () => checkBody(schema, { ...form, value, contradictions: [...form.contradictions, ...older] }),
    readable: () => readableMembers(schema, value),
  };
}

function checkBody<S extends z.ZodType>(
  schema: S,
  { value, contradictions, unknown: notRead, origins }: ReturnType<typeof normalizeBody>,
): BodyResult<z.output<S>> {
  const tooMany = findTooManyIssues(schema, value, ERRORS_MAX);
  const parsed = tooMany.length > 0 ? null : schema.safeParse(value);
  const unknown = collectUnknown(notRead.map(({ path, nearest }) => ({ path: memberPath(path), nearest })));
  if (parsed?.success === true && contradictions.length === 0) return { ok: true, value: parsed.data, ...unknown };
  const errors = new Map<string, string[]>();
  const note = (path: readonly PropertyKey[], message: string): void => {
    const key = memberPath(toSentPath(path, origins));
    const messages = errors.get(key) ?? [];
    if (messages.includes(message) || (messages.length === 0 && errors.size >= ERRORS_MAX)) return;
    errors.set(key, [...messages, message]);
  };
  for (const { path, message } of contradictions.slice(0, ERRORS_MAX)) note(path, message);
  const alone = new Set(contradictions.filter(({ isAlone }) => isAlone).map(({ path }) => memberPath(path)));
  for (const issue of (parsed?.error?.issues ?? tooMany).slice(0, ERRORS_MAX)) {
    const { path, message } = formatIssue(issue, value);
    if (!alone.has(memberPath(path))) note(path, message);
  }
  return { ok: false, errors: Object.fromEntries(errors), ...unknown };
}

/** The path as the caller sent it, for a member that is read in another place. */
function toSentPath(
  path: readonly PropertyKey[],
  origins: ReturnType<typeof normalizeBody>['origins'],
): readonly PropertyKey[] {
  const origin = origins.find(({ readAs }) => readAs.every((step, place) => path[place] === step));
  return origin === undefined ? path : [...origin.sentAs, ...path.slice(origin.readAs.length)];
}

/** `itemLines[0].amountTotal.value` */
function memberPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return WHOLE_BODY;
  return path.reduce<string>((made, step) => {
    if (typeof step === 'number') return `${made}[${step}]`;
    return made === '' ? String(step) : `${made}.${String(step)}`;
  }, '');
}

function isList(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return isList(def.innerType);
  return def.type === 'array';
}
