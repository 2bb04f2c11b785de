import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from '@typescript/typescript6';

/** The public module of a folder of a package, or of a small package (docs/decisions/0146). */
export const PUBLIC_MODULE = /^packages\/[a-z-]+\/src\/([a-z-]+\/)?index\.ts$/;

/** A handwritten file. */
export interface SourceFile {
  /** Path below the root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

/** The syntax tree of a TypeScript file. Several rules read the same files, and parsing all of them takes seconds. */
export function parseSource(source: SourceFile): ts.SourceFile {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const tree = ts.createSourceFile(source.file, source.text, ts.ScriptTarget.Latest, true);
  parsed.set(source, tree);
  return tree;
}

const MADE_BY_MACHINES = new Set([
  'node_modules',
  'dist',
  'bundle',
  'gen',
  'coverage',
  '.git',
  '.turbo',
  '.data',
  'pnpm-lock.yaml',
]);
const TEXT = /\.(ts|tsx|js|cjs|mjs|json|sql|proto|md|ya?ml|sh|html|css)$|^\.ci\/|(^|\/)\.[a-z]+(ignore|rc)$/;

/** Every handwritten text file below `root`, in order of paths. */
export function readTree(root: string): SourceFile[] {
  return listFilesBelow(root, '')
    .filter((file) => TEXT.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

function listFilesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => !MADE_BY_MACHINES.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFilesBelow(root, file);
      return entry.isFile() ? [file] : [];
    });
}
