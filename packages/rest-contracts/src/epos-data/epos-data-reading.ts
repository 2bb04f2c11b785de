import { z } from 'zod';
import { findTooManyIssues } from '../parsing/bounded-issues.js';
import { EPOS_DATA, EposError, type EposDataCallName, type EposDataParams, type EposDataResult } from './epos-data.js';
import { EposBill } from './epos-data-bill.js';
import { formatParams } from './epos-data-writing.js';
import { normalizeBody } from '../shapes/normal-form.js';
import type { Method } from '../operation/operation.js';
import { readBody, type BodyResult } from '../parsing/reading.js';
import { isMembers, type Members } from '../shapes/reshape.js';

/** The result of parsing data of an EPOS: the value, or its violations, for logs and for the tester. */
export type EposReading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const ODD_VALUES_MAX = 1_000;

/**
 * Parses the answer of an EPOS to a call: other spellings, text for numbers, null for absent. An unknown value of an
 * enumeration counts as absent, because one odd value must not hide a bill. A bill line that cannot be parsed is left
 * out. Fails when a required member is then missing.
 */
export function readEposAnswer<N extends EposDataCallName>(name: N, json: unknown): EposReading<EposDataResult<N>>;
export function readEposAnswer(name: EposDataCallName, json: unknown): EposReading<unknown> {
  const { returns } = EPOS_DATA[name];
  if (returns === null) return { ok: true, value: null };
  const { value, contradictions } = normalizeBody(returns, toSinglePage(name, json));
  const [contradiction] = contradictions;
  if (contradiction !== undefined) return { ok: false, reason: formatIssue(contradiction.path, contradiction.message) };
  // Removes each unknown enum value; an answer with too many of them fails.
  if (findTooManyIssues(returns, value, ODD_VALUES_MAX).length > 0) {
    return { ok: false, reason: `more than ${ODD_VALUES_MAX} of its values cannot be read` };
  }
  const first = returns.safeParse(value);
  if (first.success) return { ok: true, value: first.data };
  const kept = structuredClone(value);
  for (const { code, path } of first.error.issues) if (code === 'invalid_value') removeMember(kept, path);
  if (returns === EposBill) removeLines(kept);
  const second = returns.safeParse(kept);
  if (second.success) return { ok: true, value: second.data };
  const [issue] = second.error.issues;
  return { ok: false, reason: formatIssue(issue?.path ?? [], issue?.message ?? 'cannot be read') };
}

/** Some EPOSes answer SearchTables with a list of pages: the first page is used. */
export function toSinglePage(name: EposDataCallName, json: unknown): unknown {
  if (name !== 'SearchTables' || !Array.isArray(json)) return json;
  const [first = { data: [] }] = json as readonly unknown[];
  return isMembers(first) && Array.isArray(first['data']) ? first : json;
}

/** Parses the error of an EPOS, or returns null. */
export function readEposError(json: unknown): EposError | null {
  const reading = isMembers(json) ? readBody(EposError, json) : null;
  return reading?.ok === true ? reading.value : null;
}

/** Parses a call of the service, path and body together, as an EPOS does. */
export function readEposParams<N extends EposDataCallName>(name: N, sent: Members): BodyResult<EposDataParams<N>>;
export function readEposParams(name: EposDataCallName, sent: Members): BodyResult<unknown> {
  const { params, body } = EPOS_DATA[name];
  const ofPath = readBody(params ?? NONE, sent);
  const ofBody = readBody(body ?? NONE, sent);
  if (!ofPath.ok || !ofBody.ok) {
    return { ok: false, errors: { ...(ofPath.ok ? {} : ofPath.errors), ...(ofBody.ok ? {} : ofBody.errors) } };
  }
  return { ok: true, value: { ...ofPath.value, ...(isMembers(ofBody.value) ? ofBody.value : {}) } };
}

const NONE = z.object({});

/** A call as an HTTP request: its path below the registered address, and the remaining members as body. */
export function buildRestRequest(
  name: EposDataCallName,
  params: Members,
): { readonly method: Method; readonly path: string; readonly body: Members | null } {
  const { method, path, body } = EPOS_DATA[name];
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, member = '']) => member);
  const target = path.replace(/\{(\w+)\}/g, (_, member: string) => encodeURIComponent(formatValue(params[member])));
  const sent = Object.entries(formatParams(name, params));
  const rest = Object.fromEntries(sent.filter(([member]) => !ofPath.includes(member)));
  return { method, path: target, body: body === null ? null : rest };
}

/** Removes lines with a member that cannot be parsed; the others are printed. */
function removeLines(bill: unknown): void {
  if (!isMembers(bill)) return;
  for (const section of [bill['header'], bill['footer']]) {
    if (!isMembers(section) || !Array.isArray(section['lines'])) continue;
    const { lines } = section;
    const parsed = EposBill.shape.header.safeParse({ lines });
    const wrong = new Set((parsed.error?.issues ?? []).map(({ path }) => path[1]));
    lines.splice(0, lines.length, ...(lines as unknown[]).filter((_, index) => !wrong.has(index)));
  }
}

function removeMember(value: unknown, path: readonly PropertyKey[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, step) => (isContainer(inner) ? inner[step] : undefined), value);
  const last = path.at(-1);
  if (last !== undefined && isMembers(holder)) Reflect.deleteProperty(holder, last);
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isContainer(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

function formatIssue(path: readonly PropertyKey[], message: string): string {
  return `${path.length === 0 ? 'the answer' : path.map(String).join('.')}: ${message}`;
}
