import { createHash } from 'node:crypto';
import { type IdKind, isId, type Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Cursor, Direction, Page } from '@pos/store/database';

/** The requested page; cursors are the opaque texts of an earlier page. */
export interface PageQuery {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The cursors of the neighbouring pages; null where there is none. */
export interface PageCursors {
  readonly before: string | null;
  readonly after: string | null;
}

/** The form of ids in a listing. */
type ElementKind = IdKind | ((id: string) => boolean);

/**
 * Reads the position and the direction. Refuses a text that is not a cursor of this listing, or that was made for
 * another account or environment, with the name of its member.
 */
export function readPosition(
  scope: Scope,
  kind: ElementKind,
  { before, after, memberPrefix = '' }: Pick<PageQuery, 'before' | 'after'> & { readonly memberPrefix?: string },
): { readonly cursor: Cursor | null; readonly direction: Direction } {
  const text = before ?? after;
  const cursor = text === undefined ? null : decodeCursor(scope, kind, text);
  if (text !== undefined && cursor === null) {
    throw createViolation(
      'validation_failed',
      `${memberPrefix}${before === undefined ? 'after' : 'before'}`,
      'is not a cursor of ours',
    );
  }
  return { cursor, direction: before === undefined ? 'older' : 'newer' };
}

export function buildPageCursors(scope: Scope, { newer, older }: Page<unknown>): PageCursors {
  const tag = computeTag(scope);
  return {
    before: newer === null ? null : tag + encodeCursor(newer),
    after: older === null ? null : tag + encodeCursor(older),
  };
}

const TAG_LENGTH = 6;
/** The rest of the 200 characters that a cursor may have. */
const CURSOR_LENGTH_MAX = 200 - TAG_LENGTH;

/**
 * The beginning of every cursor of an account and environment. It detects a cursor that was sent with the wrong key.
 * It is no protection, because every listing is limited to the account anyway.
 */
function computeTag({ accountId, environment }: Scope): string {
  const digest = createHash('sha256').update(`${environment} ${accountId}`).digest('base64url');
  return digest.slice(0, TAG_LENGTH);
}

function encodeCursor({ createdAt, id, seen, lateRows = null }: Cursor): string {
  if (lateRows !== null) {
    const both = encodeParts([createdAt.getTime(), id, seen, lateRows.createdAt.getTime(), lateRows.id, lateRows.seen]);
    // From the end of the progress on, some rows are returned twice, and none is left out.
    return both.length <= CURSOR_LENGTH_MAX ? both : encodeCursor(lateRows);
  }
  const position = [createdAt.getTime(), id];
  if (seen === null) return encodeParts(position);
  const whole = encodeParts([...position, seen]);
  // Only the first of many open transactions is named: rows of the others may then be returned twice, but are never
  // left out.
  return whole.length <= CURSOR_LENGTH_MAX ? whole : encodeParts([...position, truncateSnapshot(seen)]);
}

function encodeParts(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function truncateSnapshot(seen: string): string {
  const [first = ''] = seen.split(':', 1);
  return `${first}:${first}:`;
}

const SNAPSHOT = /^([1-9]\d{0,17}):([1-9]\d{0,17}):((?:\d{1,18},)*\d{1,18})?$/;

/** Whether PostgreSQL reads it as a snapshot: the first open transaction, the next one, and the open ones in between. */
function isSnapshot(text: string): boolean {
  const [, first = '', next = '', open = ''] = SNAPSHOT.exec(text) ?? [];
  if (first === '') return false;
  const numbers = [first, ...(open === '' ? [] : open.split(',')), next].map(BigInt);
  const isRising = numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? number));
  return isRising && (open === '' || (numbers.at(-2) ?? 0n) < BigInt(next));
}

/** The end of the year 9999: the latest timestamp. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

function decodeCursor(scope: Scope, kind: ElementKind, text: string): Cursor | null {
  if (!text.startsWith(computeTag(scope))) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text.slice(TAG_LENGTH), 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || ![2, 3, 6].includes(parts.length)) return null;
    const from = decodePosition(kind, parts.slice(0, 3));
    if (parts.length < 6 || from === null) return from;
    const lateRows = decodePosition(kind, parts.slice(3));
    if (lateRows === null || lateRows.seen === null) return null;
    return { ...from, lateRows: { ...lateRows, seen: lateRows.seen } };
  } catch {
    return null;
  }
}

function decodePosition(kind: ElementKind, [at, id, seen = null]: readonly unknown[]): Cursor | null {
  if (seen !== null && (typeof seen !== 'string' || !isSnapshot(seen))) return null;
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > LATEST_MS || typeof id !== 'string')
    return null;
  const isKnown = typeof kind === 'function' ? kind(id) : isId(kind, id);
  return isKnown ? { createdAt: new Date(at), id, seen } : null;
}
