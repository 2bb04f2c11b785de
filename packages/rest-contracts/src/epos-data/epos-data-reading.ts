import { z } from 'zod';
import { EPOS_DATA, EposError, type EposDataCallName, type EposDataParams, type EposDataResult } from './epos-data.js';
import { EposBill } from './epos-data-bill.js';
import { EposOrder } from './epos-data-orders.js';
import { formatParams } from './epos-data-writing.js';
import { CONTRADICTION, readElement, type ReadingFailure, type UnreadableMember } from './lenient-reading.js';
import { type MemberContradiction, normalizeBody } from '../shapes/normal-form.js';
import type { Method } from '../operation/operation.js';
import { readBody, type BodyResult } from '../parsing/reading.js';
import { isMembers, type Members } from '../shapes/reshape.js';

/** The result of reading data of an EPOS: the value and the members that were left out, or why there is no value. */
export type EposReading<T> =
  | { readonly ok: true; readonly value: T; readonly unreadable: readonly UnreadableMember[] }
  | { readonly ok: false; readonly reason: string; readonly unreadable: readonly UnreadableMember[] };

/** What a reader must know beside the answer. */
export interface ReadingOptions {
  /** The IANA time zone of the restaurant, for times without an offset. */
  readonly zone?: string;
}

/**
 * Reads the answer of an EPOS to a call, element by element and member by member (ADR 0123). What is unambiguous is
 * taken; what cannot be read is left out and named. An element of a list that cannot be used, such as an order that
 * cannot be paid, is left out and named. Fails when nothing usable is left.
 */
export function readEposAnswer<N extends EposDataCallName>(
  name: N,
  json: unknown,
  options?: ReadingOptions,
): EposReading<EposDataResult<N>>;
export function readEposAnswer(
  name: EposDataCallName,
  json: unknown,
  { zone = 'UTC' }: ReadingOptions = {},
): EposReading<unknown> {
  const { returns } = EPOS_DATA[name];
  if (returns === null) return { ok: true, value: null, unreadable: [] };
  const { value, contradictions } = normalizeBody(returns, toSinglePage(name, json));
  const sent = contradictions.length === 0 ? value : withContradictions(value, contradictions);
  return readAnswerParts(returns, sent, zone);
}

/** The order of an answer to a call that the contract is fully kept by, or null. */
export function readWholeOrder(json: unknown): EposOrder | null {
  const { value, contradictions } = normalizeBody(EposOrder, json);
  const parsed = contradictions.length === 0 ? EposOrder.safeParse(value) : null;
  return parsed?.success === true ? parsed.data : null;
}

/** A page and a list are read element by element, a bill line by line. */
function readAnswerParts(returns: z.ZodType, sent: unknown, zone: string): EposReading<unknown> {
  if (returns instanceof z.ZodArray) {
    if (!Array.isArray(sent)) return createFailure('the answer', 'is no list');
    return { ok: true, ...readList(returns.element as z.ZodType, sent, zone) };
  }
  if (returns === EposBill) return readBill(sent, zone);
  const element = returns instanceof z.ZodObject ? findPageElement(returns) : null;
  if (element === null) return readSingle(returns, sent, zone);
  if (!isMembers(sent)) return createFailure('the answer', 'is no object');
  if (!Array.isArray(sent['data'])) return createFailure('data', 'is no list');
  const { value: data, unreadable } = readList(element, sent['data'], zone);
  const links = Object.fromEntries(['before', 'after'].map((link) => [link, readCursor(sent[link])]));
  return { ok: true, value: { ...dropUndefined(links), data }, unreadable };
}

function readList(
  schema: z.ZodType,
  elements: readonly unknown[],
  zone: string,
): { readonly value: unknown[]; readonly unreadable: readonly UnreadableMember[] } {
  const unreadable: UnreadableMember[] = [];
  const value = elements.flatMap((sent, index) => {
    const reading = readElement(schema, sent ?? undefined, zone);
    const element = findElementId(sent) ?? `[${index}]`;
    const failure = reading.failure ?? findMissingId(reading.value);
    unreadable.push(...reading.left.map((each) => toUnreadable(element, each, false)));
    if (failure !== null) unreadable.push(toUnreadable(element, failure, true));
    return failure === null ? [reading.value] : [];
  });
  return { value, unreadable: unreadable.slice(0, UNREADABLE_MAX) };
}

/** Nobody can ask for an element of a list that has no id. */
function findMissingId(value: unknown): ReadingFailure | null {
  return isMembers(value) && value['id'] === undefined ? { path: ['id'], problem: 'is missing' } : null;
}

function readSingle(schema: z.ZodType, sent: unknown, zone: string): EposReading<unknown> {
  const { value, failure, left } = readElement(schema, sent, zone);
  const element = findElementId(sent) ?? '';
  const unreadable = left.map((each) => toUnreadable(element, each, false));
  if (failure === null) return { ok: true, value, unreadable };
  return {
    ...createFailure(formatPath(failure.path), failure.problem),
    unreadable: [...unreadable, toUnreadable(element, failure, true)],
  };
}

/** A bill without a readable header or footer is printed without it. Its order must be payable. */
function readBill(sent: unknown, zone: string): EposReading<unknown> {
  if (!isMembers(sent)) return createFailure('the answer', 'is no object');
  const order = readSingle(EposBill.shape.order, sent['order'], zone);
  if (!order.ok) return { ...order, reason: `order.${order.reason}` };
  const element = findElementId(sent['order']) ?? '';
  const header = readSection('header', sent, { element, zone });
  const footer = readSection('footer', sent, { element, zone });
  return {
    ok: true,
    value: { header: header.value, order: order.value, footer: footer.value },
    unreadable: [...order.unreadable, ...header.unreadable, ...footer.unreadable],
  };
}

function readSection(
  name: 'header' | 'footer',
  bill: Members,
  { element, zone }: { readonly element: string; readonly zone: string },
): { readonly value: unknown; readonly unreadable: readonly UnreadableMember[] } {
  const { value, failure, left } = readElement(EposBill.shape[name], bill[name] ?? NO_LINES, zone);
  const all = failure === null ? left : [...left, failure];
  const unreadable = all.map(({ path, problem }) => toUnreadable(element, { path: [name, ...path], problem }, false));
  return { value: value ?? NO_LINES, unreadable };
}

const NO_LINES = { lines: [] };
const UNREADABLE_MAX = 1_000;

function findPageElement({ shape }: z.ZodObject): z.ZodType | null {
  const data: unknown = shape['data'];
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : null;
}

/** Some tills count their pages in numbers. */
function readCursor(sent: unknown): unknown {
  if (typeof sent === 'number') return String(sent);
  return typeof sent === 'string' || sent === null ? sent : undefined;
}

function dropUndefined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function findElementId(sent: unknown): string | null {
  const id = isMembers(sent) ? sent['id'] : undefined;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id.slice(0, ELEMENT_LENGTH_MAX) : null;
}
const ELEMENT_LENGTH_MAX = 100;

function toUnreadable(element: string, { path, problem }: ReadingFailure, isSkipped: boolean): UnreadableMember {
  return { element, member: path.length === 0 ? '' : formatPath(path), problem, isSkipped };
}

function createFailure(member: string, problem: string): Extract<EposReading<never>, { ok: false }> {
  return { ok: false, reason: `${member === '' ? 'the answer' : member}: ${problem}`, unreadable: [] };
}

/** `items[0].amountPerItem` */
function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((made, step) => {
    if (typeof step === 'number') return `${made}[${step}]`;
    return made === '' ? step : `${made}.${step}`;
  }, '');
}

/** The value with a mark in the place of each member that was sent twice with different values. */
function withContradictions(value: unknown, contradictions: readonly MemberContradiction[]): unknown {
  const marked = structuredClone(value);
  for (const { path } of contradictions) {
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((inner, step) => (isContainer(inner) ? inner[step] : null), marked);
    const last = path.at(-1);
    if (last !== undefined && isContainer(holder)) holder[last] = CONTRADICTION;
  }
  return marked;
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

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isContainer(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}
