import { type IdKind, isId } from '@pos/core/identity';
import { keyed } from '@pos/core/refusal';
import type { Cursor, Direction, Page } from '@pos/store/page';

/** Which page is wanted; cursors are the opaque texts of an earlier page. */
export interface PageWish {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The texts that lead to the pages beside one; null where there is none. */
export interface PageEnds {
  readonly before: string | null;
  readonly after: string | null;
}

/** What the elements of a listing are known by. */
type Known = IdKind | ((id: string) => boolean);

/** Where to read from and which way. Refuses a text that is not a cursor of that kind of thing, keyed by its member. */
export function readPlace(
  kind: Known,
  { before, after }: Pick<PageWish, 'before' | 'after'>,
  within = '',
): { readonly cursor: Cursor | null; readonly direction: Direction } {
  const text = before ?? after;
  const cursor = text === undefined ? null : readCursor(kind, text);
  if (text !== undefined && cursor === null) {
    throw keyed(
      'validation_failed',
      `${within}${before === undefined ? 'after' : 'before'}`,
      'is not a cursor of ours',
    );
  }
  return { cursor, direction: before === undefined ? 'older' : 'newer' };
}

export function endsOf({ elements, hasNewer, hasOlder }: Page<Cursor>): PageEnds {
  const [newest] = elements;
  const oldest = elements.at(-1);
  return {
    before: hasNewer && newest !== undefined ? writeCursor(newest) : null,
    after: hasOlder && oldest !== undefined ? writeCursor(oldest) : null,
  };
}

function writeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url');
}

/** The end of the year 9999: what a timestamp can say. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

function readCursor(kind: Known, text: string): Cursor | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const at: unknown = parts[0];
    const id: unknown = parts[1];
    if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > LATEST_MS || typeof id !== 'string')
      return null;
    const isKnown = typeof kind === 'function' ? kind(id) : isId(kind, id);
    return isKnown ? { createdAt: new Date(at), id } : null;
  } catch {
    return null;
  }
}
