// Bundles the test files of a package with all that they import, so that a worker loads a few large files instead of
// some two thousand small ones (docs/decisions/0144).
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const GLOBALS_MODULE = fileURLToPath(new URL('globals.js', import.meta.url));
/** What a bundle does not contain: machine code, the globals, which change with the test file, and bundlers. */
const NATIVE = /^@node-rs\/|^rolldown|^@swc\/|^fsevents|^vite$/;
const OWN_PLACE = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__dirname\b|\b__filename\b/;

/** Writes the bundle into a folder. The bundle of `src/a/b.test.ts` is `a/b.test.js` there. */
export async function bundleTests(rootDir, testFiles, folder) {
  const sources = path.join(rootDir, 'src');
  const input = Object.fromEntries(testFiles.map((file) => [path.relative(sources, file).replace(/\.ts$/, ''), file]));
  const bundle = await rolldown({
    cwd: rootDir,
    input,
    platform: 'node',
    treeshake: false,
    tsconfig: false,
    plugins: [findModules(), keepPlaces()],
    transform: { target: 'node20', decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    onLog: process.env.BUNDLE_LOG ? undefined : () => undefined,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    codeSplitting: { groups: [{ name: 'libraries', test: /node_modules\/\.pnpm\// }] },
  });
  await bundle.close();
}

function findModules() {
  return {
    name: 'find-modules',
    resolveId: {
      filter: { id: /^[^.\/]/ },
      async handler(specifier, importer, options) {
        if (specifier === '@jest/globals') return { id: pathToFileURL(GLOBALS_MODULE).href, external: true };
        if (!NATIVE.test(specifier)) return null;
        const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
        if (found === null) return { id: specifier, external: true };
        return { id: pathToFileURL(found.id).href, external: true };
      },
    },
  };
}

/** A module finds the files beside it where they are. */
function keepPlaces() {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: OWN_PLACE, id: /^[^\0]+\.[cm]?[jt]s$/ },
      handler(code, id) {
        const file = realpathSync(id);
        const values = {
          'import.meta.url': pathToFileURL(file).href,
          'import.meta.dirname': path.dirname(file),
          'import.meta.filename': file,
          __dirname: path.dirname(file),
          __filename: file,
        };
        return { code: code.replaceAll(new RegExp(OWN_PLACE, 'g'), (name) => JSON.stringify(values[name])), map: null };
      },
    },
  };
}
