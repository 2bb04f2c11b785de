import type { SourceFile } from './source-tree.js';

/** The exports of a package: subpath (`./money/money`) to built file (`./dist/money/money.js`). */
export type Exports = Readonly<Record<string, string>>;

const CODE = /\.(ts|tsx|js|mjs|cjs)$/;
/** Imports, and module names for jest, for `import.meta.resolve` and in programs inside strings. */
const NAMED = /['"`](@pos\/[a-z-]+)\/([\w./-]+)['"`]/g;
/** A test of the rules names packages of invented repositories. */
const MADE_UP = /^tools\/src\/repository\/.*\.test\.ts$/;

/**
 * The subpaths that the other packages of the workspace import from each package. `folders` maps names of packages to
 * their folders.
 */
export function collectExports(
  tree: readonly SourceFile[],
  folders: ReadonlyMap<string, string>,
): ReadonlyMap<string, Exports> {
  const used = new Map([...folders.keys()].map((name) => [name, new Set<string>()]));
  for (const { file, text } of tree) {
    if (!CODE.test(file) || MADE_UP.test(file)) continue;
    for (const [, name = '', subpath = ''] of text.matchAll(NAMED)) {
      const folder = folders.get(name);
      if (folder !== undefined && !file.startsWith(`${folder}/src/`)) used.get(name)?.add(subpath);
    }
  }
  return new Map([...used].map(([name, subpaths]) => [name, toExports(subpaths)]));
}

function toExports(subpaths: ReadonlySet<string>): Exports {
  return Object.fromEntries([...subpaths].sort().map((subpath) => [`./${subpath}`, toFile(subpath)]));
}

/** A style is published as it is written. */
function toFile(subpath: string): string {
  return subpath.endsWith('.css') ? `./${subpath}` : `./dist/${subpath}.js`;
}
