import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '../repository.js';

/** Groups of packages, and the folders in a package whose files make the running apps. */
const GROUPS = ['packages', 'apps'];
const WATCHED_FOLDERS = ['src', 'migrations'];
/** What a build writes among the sources; watching that would never end. */
const MADE = /(^|[\\/])gen([\\/]|$)/;
const WATCHED_FILES = /\.(ts|sql|proto)$/;
const LOOK_MS = 400;

/** What is watched, and how often it is looked at. */
export interface SourceWatch {
  readonly folders?: readonly string[];
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Calls back once sources have changed and been left alone for a moment; never twice at a time. It looks at the files
 * again and again instead of asking the system to tell: editors save by renaming, and on Linux the recursive watch of
 * Node 20 says nothing more of a file that was replaced so.
 */
export async function watchSources(onChange: () => Promise<void>, watch: SourceWatch): Promise<void> {
  const { folders = watchedFolders(), lookMs = LOOK_MS, signal } = watch;
  let built = lookAt(folders);
  let seen = built;
  while (!signal.aborted) {
    const isOver = await pause(lookMs, false, { signal }).catch(() => true);
    if (isOver) return;
    const now = lookAt(folders);
    const isQuiet = now === seen;
    seen = now;
    if (!isQuiet || now === built) continue;
    built = now;
    await onChange();
  }
}

function watchedFolders(): string[] {
  const members = GROUPS.flatMap((group) =>
    readdirSync(path.join(REPOSITORY, group)).map((name) => path.join(group, name)),
  );
  const folders = members.flatMap((member) => WATCHED_FOLDERS.map((folder) => path.join(REPOSITORY, member, folder)));
  return [path.join(REPOSITORY, 'proto/service'), ...folders.filter((folder) => existsSync(folder))];
}

/** A text that is another one when any source is: names, sizes and times of all files. */
function lookAt(folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => lookAtFile(folder, file)),
    )
    .join('\n');
}

function lookAtFile(folder: string, file: string): string {
  if (MADE.test(file) || !WATCHED_FILES.test(file)) return '';
  // Gone between the listing and the look: the next look knows.
  const found = statSync(path.join(folder, file), { throwIfNoEntry: false });
  return found === undefined ? '' : `${folder} ${file} ${found.size} ${found.mtimeMs} ${found.ino}`;
}
