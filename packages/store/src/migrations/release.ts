import { readFileSync } from 'node:fs';
import { assert } from '@pos/core/refusals';

/** The release of this code. */
export const RELEASE = readRelease();

/** The first release: no upgrade leads from a build before it. */
export const FIRST_RELEASE = '0.2.0';

/**
 * The oldest release whose processes work with the schema of this one. Raise it with the migration that removes what
 * older releases need.
 */
export const OLDEST_RELEASE_ACCEPTED = FIRST_RELEASE;

const FORM = /^(\d+)\.(\d+)\.(\d+)(?:-.*)?$/;

/** Negative if the first release is older than the second, positive if it is newer. */
export function compareReleases(first: string, second: string): number {
  const [left, right] = [parseRelease(first), parseRelease(second)];
  for (const [index, part] of left.entries()) {
    const difference = part - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parseRelease(text: string): number[] {
  const parts = FORM.exec(text);
  assert(parts !== null, `not a release: ${text}`);
  return parts.slice(1).map(Number);
}

function readRelease(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { version } = manifest as { readonly version: string };
  return version;
}
