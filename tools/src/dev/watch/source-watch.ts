import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '../../repository/repository.js';

/** Groups of packages, and the folders of a package whose files belong to the running apps. */
const GROUPS = ['packages', 'apps'];
const WATCHED_FOLDERS = ['src', 'migrations'];
/** Files that a build writes among the sources. Watching them would never end. */
const MADE = /(^|[\\/])gen([\\/]|$)/;
const WATCHED_FILES = /\.(ts|css|html|sql|proto)$/;
const LOOK_MS = 200;

/** The watched folders, and the polling interval. */
export interface SourceWatch {
  readonly folders?: readonly string[];
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Calls back with the changed files once none has changed for a moment; never twice at a time. It polls the files
 * instead of using the system's notifications: editors save by renaming, and on Linux the recursive watch of Node 20
 * stops reporting a file that was replaced that way.
 */
export async function watchSources(
  onChange: (files: readonly string[]) => Promise<void>,
  watch: SourceWatch,
): Promise<void> {
  const { folders = watchedFolders(), lookMs = LOOK_MS, signal } = watch;
  let reported = readTimestamps(folders);
  let seen = reported;
  while (!signal.aborted) {
    const isOver = await pause(lookMs, false, { signal }).catch(() => true);
    if (isOver) return;
    const now = readTimestamps(folders);
    const isQuiet = listChangedFiles(now, seen).length === 0;
    seen = now;
    const changed = isQuiet ? listChangedFiles(now, reported) : [];
    if (changed.length === 0) continue;
    reported = now;
    await onChange(changed);
  }
}

function watchedFolders(): string[] {
  const members = GROUPS.flatMap((group) =>
    readdirSync(path.join(REPOSITORY, group)).map((name) => path.join(group, name)),
  );
  const folders = members.flatMap((member) => WATCHED_FOLDERS.map((folder) => path.join(REPOSITORY, member, folder)));
  return [path.join(REPOSITORY, 'proto/service'), ...folders.filter((folder) => existsSync(folder))];
}

/** Every source with a fingerprint that changes with the file. */
function readTimestamps(folders: readonly string[]): Map<string, string> {
  const looks = new Map<string, string>();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (MADE.test(name) || !WATCHED_FILES.test(name)) continue;
      const file = path.join(folder, name);
      // Deleted between the listing and this read: the next poll detects it.
      const found = statSync(file, { throwIfNoEntry: false });
      if (found !== undefined) looks.set(file, `${found.size} ${found.mtimeMs} ${found.ino}`);
    }
  }
  return looks;
}

function listChangedFiles(now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): string[] {
  const files = new Set([...now.keys(), ...before.keys()]);
  return [...files].filter((file) => now.get(file) !== before.get(file));
}
