import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS_FOLDER } from '../migrations/migration-files.js';

/** A release, and the hash of each of its migrations. */
export interface Release {
  readonly version: string;
  /** The commit that was tagged; null: the release has no tag yet, and its migrations may still change. */
  readonly commit: string | null;
  /** Name of the file to the SHA-256 of its bytes, in hex. */
  readonly migrations: Readonly<Record<string, string>>;
}

const RECORD = path.join(MIGRATIONS_FOLDER, 'releases.json');

/** Every release that upgrades start from, the oldest first, as migrations/releases.json lists them. */
export function readReleases(): Release[] {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as Release[];
}

/** Records the current migrations as those of the newest release, while it has no tag. */
export function recordMigrations(): void {
  const releases = readReleases();
  const newest = releases.at(-1);
  if (newest === undefined || newest.commit !== null) return;
  const current = [...releases.slice(0, -1), { ...newest, migrations: hashMigrations() }];
  writeFileSync(RECORD, `${JSON.stringify(current, null, 2)}\n`);
}

/** The current migrations with their hashes. */
export function hashMigrations(): Release['migrations'] {
  const files = readdirSync(MIGRATIONS_FOLDER).filter((file) => file.endsWith('.sql'));
  return Object.fromEntries(files.sort().map((file) => [file, hashFile(file)]));
}

function hashFile(file: string): string {
  return createHash('sha256')
    .update(readFileSync(path.join(MIGRATIONS_FOLDER, file)))
    .digest('hex');
}

/** A separate folder with the migrations of a release, to which a test may add more. */
export function copyMigrations(release: Release): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pos-migrations-'));
  for (const file of Object.keys(release.migrations))
    copyFileSync(path.join(MIGRATIONS_FOLDER, file), path.join(folder, file));
  return folder;
}
