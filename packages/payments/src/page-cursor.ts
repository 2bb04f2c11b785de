import { type IdKind, type IdOf, isId } from '@pos/core/identity';

/** A place in an order by creation. */
export interface Cursor<K extends IdKind> {
  readonly createdAt: Date;
  readonly id: IdOf<K>;
}

/** The opaque text of a place. */
export function writeCursor<K extends IdKind>({ createdAt, id }: Cursor<K>): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url');
}

/** The end of the year 9999: what a timestamp can say. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

/** The place that a text of ours names; null when it is none, or one among other things. */
export function readCursor<K extends IdKind>(kind: K, text: string): Cursor<K> | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const at: unknown = parts[0];
    const id: unknown = parts[1];
    if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > LATEST_MS || typeof id !== 'string')
      return null;
    return isId(kind, id) ? { createdAt: new Date(at), id } : null;
  } catch {
    return null;
  }
}
