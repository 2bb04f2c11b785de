import type { Members, ReshapedBody } from '../shapes/reshape.js';

/** Every release of the API, oldest first. The shapes of a release never change after its date. */
export const RELEASES = ['2022-04-07', '2023-11-12', '2023-12-12', '2024-02-05', '2025-09-10', '2026-02-27'] as const;
export type Release = (typeof RELEASES)[number];

export const LATEST_RELEASE: Release = '2026-02-27';

/**
 * The release that a `version` header selects: the newest one not later than the date.
 * Null when it is no date of the calendar (`yyyy-mm-dd`) or is before the first release.
 */
export function resolveVersion(date: string): Release | null {
  if (!isDate(date)) return null;
  // The text order of dates in this form is their order in time.
  return RELEASES.findLast((release) => release <= date) ?? null;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * One breaking change. The code has only the newest shapes, named as in the document. For an older release the change
 * is undone in each answer, and applied to each request before it is checked.
 */
export interface VersionChange {
  /** The first release with the new shape. */
  readonly since: Release;
  /** One sentence for the page of differences: the behaviour from that release on, and before it. */
  readonly says: string;
  /** By shape: converts written members from the newer shape to the older one. */
  readonly writes?: Readonly<Record<string, (members: Members) => Members>>;
  /** By shape: converts read members from the older shape to the newer one, and lists those that were refused. */
  readonly reads?: Readonly<Record<string, (members: Members) => ReshapedBody>>;
  /** By shape: the schema before the change. */
  readonly schemas: Readonly<Record<string, (schema: Json) => Json>>;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
