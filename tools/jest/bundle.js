// Bundles the test files of a package with all that they import, so that a worker loads a few large files instead of
// some two thousand small ones (docs/decisions/0144).
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

const GLOBALS_MODULE = fileURLToPath(new URL('globals.js', import.meta.url));
/** What a bundle does not contain: machine code, the globals, which change with the test file, and bundlers. */
const NATIVE = /^@node-rs\/|^rolldown|^@swc\/|^fsevents|^vite$/;

/** A module that computes its own place. */
const DECLARED = /\b(?:const|let|var) __(?:dirname|filename)\b/;

/**
 * Writes the bundle into a folder. The bundle of `src/a/b.test.ts` is `a/b.test.js` there. With `packagesApart` it has the
 * sources of this package only, and Node imports all other packages: for tests that also import built modules by their
 * path, which must share the packages with them.
 */
export async function bundleTests({ rootDir, testFiles, folder, packagesApart = false }) {
  const sources = path.join(rootDir, 'src');
  const input = Object.fromEntries(testFiles.map((file) => [path.relative(sources, file).replace(/\.ts$/, ''), file]));
  const bundle = await rolldown({
    cwd: rootDir,
    input,
    platform: 'node',
    treeshake: false,
    tsconfig: false,
    plugins: [findModules(packagesApart), keepPlaces()],
    transform: { target: 'node20', decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // Libraries ask for others that are not installed. A test file that cannot be resolved fails when it is imported.
    onLog: () => undefined,
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

function findModules(packagesApart) {
  return {
    name: 'find-modules',
    resolveId: {
      filter: { id: /^[^.\/]/ },
      async handler(specifier, importer, options) {
        if (specifier === '@jest/globals') return { id: pathToFileURL(GLOBALS_MODULE).href, external: true };
        if (specifier.startsWith('node:')) return null;
        if (!packagesApart && !NATIVE.test(specifier)) return null;
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
      filter: { code: /import\.meta\.|__dirname|__filename/, id: /^[^\0]+\.[cm]?[jt]s$/ },
      handler(code, id) {
        const file = realpathSync(id);
        const folder = path.dirname(file);
        const places = { url: pathToFileURL(file).href, dirname: folder, filename: file };
        const names = { __dirname: folder, __filename: file };
        const found = [];
        const replace = ({ start, end }, value) => found.push({ start, end, value: JSON.stringify(value) });
        new Visitor({
          MemberExpression(node) {
            const { object, property, computed } = node;
            if (object.type === 'MetaProperty' && !computed && property.name in places)
              replace(node, places[property.name]);
          },
          Identifier(node) {
            if (Object.hasOwn(names, node.name) && !DECLARED.test(code)) replace(node, names[node.name]);
          },
        }).visit(parseSync(file, code).program);
        // From the end, so that the places before stay where they are.
        found.sort((first, second) => second.start - first.start);
        return {
          code: found.reduce((text, { start, end, value }) => text.slice(0, start) + value + text.slice(end), code),
          map: null,
        };
      },
    },
  };
}
