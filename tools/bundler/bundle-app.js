// Makes one bundle of the app in the current folder: `bundle/main.js` with its chunks has the code of the app, of our
// packages and of the libraries (docs/decisions/0111). Plain JavaScript, because it runs while packages are built.
import { cpSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const MAIN = 'dist/main.js';
/** Libraries with machine code. An app whose bundle imports one has it as a dependency of its own. */
const NATIVE = ['@node-rs/argon2'];
/** The files that libraries read at run time. */
const FILES_OF_LIBRARIES = {
  '@grpc/grpc-js': ['proto'],
  '@grpc/reflection': ['build/proto'],
  'grpc-health-check': ['proto'],
};
/** Libraries that look for files only for functions that we do not use: pino for transports in threads. */
const WITHOUT_FILES = new Set(['pino', 'thread-stream', 'undici']);
/** What libraries load only where it is installed: other transports of Nest, other parsers, native parts of `ws` and `pg`. */
const NOT_INSTALLED =
  /^(@fastify\/(multipart|static|view)|@nats-io\/.*|@nestjs\/(platform-express|websockets.*)|amqp.*|bufferutil|class-transformer.*|class-validator|ioredis|kafkajs|mqtt|pg-native|utf-8-validate)$/;

const app = process.cwd();
const output = path.join(app, 'bundle');
const manifest = readJson(path.join(app, 'package.json'));
/** Folders and files by their place under `assets`. */
const assets = new Map();

rmSync(output, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: app,
  input: readPrograms(),
  platform: 'node',
  external: NATIVE,
  plugins: [keepPlaces()],
  onLog: failOnWarning,
});
const { output: chunks } = await bundle.write({
  ...{ dir: output, format: 'esm', chunkFileNames: '[name]-[hash].js' },
  banner: 'const __bundleFolder = import.meta.dirname;',
  // V8 keeps a text with any other character in twice the memory. Names and lines stay, for the stacks of errors.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  comments: false,
});
await bundle.close();
for (const [place, source] of assets) cpSync(source, path.join(output, 'assets', place), { recursive: true });
requireNativeDependencies();

/** The programs of the app by their names: `main`, and those of `bin`. */
function readPrograms() {
  const programs = Object.entries(manifest.bin ?? {}).filter(([, file]) => file !== MAIN);
  const main = existsSync(path.join(app, MAIN)) ? [['main', MAIN]] : [];
  return Object.fromEntries([...main, ...programs].map(([name, file]) => [name, path.join(app, file)]));
}

/**
 * A module that reads files beside itself finds them: a module of the app in the folder of the app, and one of a package
 * under `assets`, which has the files of the package without its code.
 */
function keepPlaces() {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: /import\.meta\.url|\b__dirname\b/, id: /^[^\0]+\.[cm]?js$/ },
      handler(code, id) {
        const file = realpathSync(id);
        // Libraries with `import.meta.url` load others by it, which are not there: NOT_INSTALLED.
        if (isLibrary(file) && !code.includes('__dirname')) return null;
        const place = findPlace(file);
        if (place === null) return null;
        const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
        const folder = `(__bundleFolder + ${JSON.stringify(`/${path.posix.dirname(place)}`)})`;
        // No line moves.
        return { code: code.replaceAll('import.meta.url', url).replaceAll(/\b__dirname\b/g, folder), map: null };
      },
    },
  };
}

/** The place of a module, seen from the bundle; null for a library that reads no files. */
function findPlace(file) {
  if (file.startsWith(`${app}${path.sep}`)) return `../${path.relative(app, file)}`;
  const folder = findPackage(file);
  const { name, files = [] } = readJson(path.join(folder, 'package.json'));
  if (isLibrary(file) && WITHOUT_FILES.has(name)) return null;
  const needed = isLibrary(file)
    ? FILES_OF_LIBRARIES[name]
    : ['package.json', ...files.filter((each) => each !== 'dist' && !each.startsWith('!'))];
  if (needed === undefined) throw new Error(`${file} reads files beside itself: tools/bundler has to know which`);
  for (const each of needed) assets.set(path.posix.join(name, each), path.join(folder, each));
  return path.posix.join('assets', name, path.relative(folder, file));
}

function isLibrary(file) {
  return file.includes(`${path.sep}node_modules${path.sep}`);
}

function findPackage(file) {
  let folder = path.dirname(file);
  while (
    !existsSync(path.join(folder, 'package.json')) ||
    readJson(path.join(folder, 'package.json')).name === undefined
  )
    folder = path.dirname(folder);
  return folder;
}

/** Native libraries are imported from the folder of the app, not of the package that uses them. */
function requireNativeDependencies() {
  const imported = new Set(chunks.flatMap((chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]));
  for (const name of NATIVE) {
    if (imported.has(name) && manifest.dependencies?.[name] === undefined) {
      throw new Error(`the bundle imports ${name}, so ${manifest.name} needs it as a dependency of its own`);
    }
  }
}

/** Every warning ends the build, except that a library finds nothing where it asks for one that is not installed. */
function failOnWarning(level, { code, exporter, message }) {
  if (level === 'info' || level === 'debug') return;
  const [, missing = exporter] = /Could not resolve '([^']+)'/.exec(message) ?? [];
  if (code === 'UNRESOLVED_IMPORT' && NOT_INSTALLED.test(missing)) return;
  throw new Error(`${code}: ${message}`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
