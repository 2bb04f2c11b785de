import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

/** An entry of a folder, at any depth. */
export interface FolderEntry {
  /** Its path from the folder. */
  readonly name: string;
  readonly place: string;
  readonly entry: Dirent;
}

/**
 * Lists everything in a folder and below it, each entry once. Links are listed and not followed: a recursive `readdir`
 * of Node 24 follows them, and the folder of an app has many links to the folder of each package.
 */
export function* listFolderEntries(root: string, folder = ''): Generator<FolderEntry> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    yield { name, place: path.join(root, name), entry };
    if (entry.isDirectory()) yield* listFolderEntries(root, name);
  }
}
