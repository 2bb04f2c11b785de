import path from 'node:path';
import type { SourceFile } from './source-tree.js';

/** Two or more folders of a package that import each other. */
export interface FolderLoop {
  /** The folders, in order of their paths. */
  readonly folders: readonly string[];
  /** One import for each arrow between two of them: `file -> file`. */
  readonly imports: readonly string[];
}

/** Sources that nothing in production imports: tests may reach into every folder. */
const FOR_TESTS = /\.test\.tsx?$|\/testing\//;
const SOURCE = /^(?:(?:packages|apps)\/[^/]+|tools)\/src\/.*\.tsx?$/;
const IMPORT = /\b(?:from|import|import\()\s*'(\.{1,2}\/[^']+)\.js'/g;

type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Every cycle between folders of sources. The rule `no-cycles` covers files beside each other. */
export function findFolderLoops(tree: readonly SourceFile[]): FolderLoop[] {
  const arrows = collectArrows(tree);
  const reached = new Map([...arrows.keys()].map((folder) => [folder, listReached(arrows, folder)]));
  const loops = new Map<string, FolderLoop>();
  for (const [folder, others] of reached) {
    const folders = [...others].filter((other) => reached.get(other)?.has(folder) === true).sort();
    if (folders.length > 1) loops.set(folders.join(), { folders, imports: listImports(arrows, folders) });
  }
  return [...loops.values()];
}

/** How many files and folders each folder of sources holds, in order of their paths. */
export function countEntries(tree: readonly SourceFile[]): Map<string, number> {
  const entries = new Map<string, Set<string>>();
  for (const { file } of tree.filter((each) => SOURCE.test(each.file))) {
    for (let entry = file; /\/src\//.test(entry); entry = path.posix.dirname(entry)) {
      const folder = path.posix.dirname(entry);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
    }
  }
  return new Map([...entries].sort().map(([folder, { size }]) => [folder, size]));
}

function collectArrows(tree: readonly SourceFile[]): Arrows {
  const arrows = new Map<string, Map<string, string>>();
  for (const { file, text } of tree) {
    if (!SOURCE.test(file) || FOR_TESTS.test(file)) continue;
    const from = path.posix.dirname(file);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const imported = path.posix.join(from, specifier);
      const to = path.posix.dirname(imported);
      if (to === from) continue;
      arrows.set(from, (arrows.get(from) ?? new Map<string, string>()).set(to, `${file} -> ${imported}.ts`));
    }
  }
  return arrows;
}

function listReached(arrows: Arrows, start: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const to of arrows.get(folder)?.keys() ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}

function listImports(arrows: Arrows, folders: readonly string[]): string[] {
  return folders.flatMap((from) =>
    [...(arrows.get(from) ?? [])].filter(([to]) => folders.includes(to)).map(([, example]) => example),
  );
}
