/** Values nested deeper than this are replaced by null: no contract of ours nests so deep. */
const DEPTH_MAX = 100;
// With the `u` flag a surrogate matches only if it is unpaired.
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Returns the text as PostgreSQL can store it: a NUL is left out, and half of a surrogate pair becomes U+FFFD. */
export function toStorableText(text: string): string {
  return UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(LONE_SURROGATES, '\ufffd') : text;
}

/** Returns at most so many UTF-16 units of the text, storable; a surrogate pair is kept or left out whole. */
export function cutStorableText(text: string, lengthMax: number): string {
  const stored = toStorableText(text);
  if (stored.length <= lengthMax) return stored;
  return stored.slice(0, lengthMax).replace(LONE_SURROGATES, '');
}

/**
 * Returns a message from outside with every text in it storable, also the names of members. Arrays and plain objects are
 * copied only where something changes; bytes, dates and numbers are left alone.
 */
export function toStorable<T>(value: T): T;
export function toStorable(value: unknown): unknown {
  return convertStorable(value, 0);
}

function convertStorable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth >= DEPTH_MAX ? null : convertStorableList(value, depth);
  // Checked by its kind, not by its prototype: a message may come from another realm.
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return depth >= DEPTH_MAX ? null : convertStorableMembers(value, depth);
}

function convertStorableList(list: readonly unknown[], depth: number): readonly unknown[] {
  const stored = list.map((element) => convertStorable(element, depth + 1));
  return stored.some((element, index) => element !== list[index]) ? stored : list;
}

function convertStorableMembers(members: object, depth: number): object {
  const entries = Object.entries(members);
  const stored = entries.map(([name, value]) => [toStorableText(name), convertStorable(value, depth + 1)] as const);
  const isSame = stored.every(([name, value], index) => name === entries[index]?.[0] && value === entries[index][1]);
  return isSame ? members : Object.fromEntries(stored);
}
