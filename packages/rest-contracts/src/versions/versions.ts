import type { Members, ReshapedBody } from '../shapes/reshape.js';

/** Every release of the API, oldest first. A date is a promise: what a release writes never changes. */
export const RELEASES = ['2022-04-07', '2023-11-12', '2023-12-12', '2024-02-05', '2025-09-10', '2026-02-27'] as const;
export type Release = (typeof RELEASES)[number];

export const LATEST_RELEASE: Release = '2026-02-27';

/**
 * The release a `version` header selects: the newest one not later than the date.
 * Null when it is not a date of the calendar (`yyyy-mm-dd`) or lies before the first release.
 */
export function resolveVersion(date: string): Release | null {
  if (!isDate(date)) return null;
  // Dates in this form order as text.
  return RELEASES.findLast((release) => release <= date) ?? null;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * One breaking change. The code knows only the newest shapes, named as in the document; older releases see the change
 * undone in what is written to them, and what they send becomes the newer shape before it is judged.
 */
export interface VersionChange {
  /** The first release with the new shape. */
  readonly since: Release;
  /** One sentence for the page of differences: what is so from that release on, and what was so before. */
  readonly says: string;
  /** By shape: its members as they were written before, made of those of the newer shape. */
  readonly writes?: Readonly<Record<string, (members: Members) => Members>>;
  /** By shape: the members that are read now, made of those that were read before; and which of them were refused. */
  readonly reads?: Readonly<Record<string, (members: Members) => ReshapedBody>>;
  /** By shape: its schema as it was before. */
  readonly schemas: Readonly<Record<string, (schema: Json) => Json>>;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
