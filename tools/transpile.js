// `npm start` runs this to transpile the sources of every package, without type checks and declarations. It uses the
// compiler of the build, file by file, with the same result; `turbo run build` adds the rest. Plain JavaScript, because
// it runs before the build.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import ts from '@typescript/typescript6';

const WORKERS_MAX = 4;
// The build reads from package.json that every package has modules. File by file the compiler needs it as an option.
const MODULES = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const TEST = /\.test\.tsx?$/;
// For fewer files, starting a second thread takes longer than it saves.
const FILES_ALONE_MAX = 20;
// Tests pass another root. Source files as further arguments limit the work to them.
const [root = fileURLToPath(new URL('..', import.meta.url)), ...named] = process.argv.slice(2);
const noteFile = path.join(root, '.turbo', 'transpiled.json');

if (isMainThread) await transpileStale();
else transpileAll(workerData);

/** Only files that changed since the last check: most starts find nothing to do. */
async function transpileStale() {
  const sources = projects().flatMap((options) => sourcesOf(options).map((source) => ({ source, options })));
  const wanted = new Set(named.map((file) => path.resolve(root, file)));
  const notes = readNotes();
  const stale = sources
    .filter(({ source }) => wanted.size === 0 || wanted.has(path.resolve(source)))
    .map((file) => ({ ...file, made: madeOf(file) }))
    .filter(
      ({ source, made }) =>
        notes.files[path.relative(root, source)] !== `${fingerprintOf(source)} ${fingerprintOf(made)}`,
    )
    .map((file) => ({ ...file, fingerprint: fingerprintOf(file.source) }));
  const failed = new Set(await shareOut(stale));
  for (const { source, made, fingerprint } of stale) {
    // Stores the fingerprint from before the compilation, so that a file which was saved meanwhile is compiled the next
    // time.
    if (failed.has(source)) delete notes.files[path.relative(root, source)];
    else notes.files[path.relative(root, source)] = `${fingerprint} ${fingerprintOf(made)}`;
  }
  if (stale.length > 0) writeNotes(notes);
  if (failed.size > 0) process.exitCode = 1;
}

/** Returns the sources that cannot be transpiled. */
async function shareOut(files) {
  const count = files.length <= FILES_ALONE_MAX ? 1 : Math.min(WORKERS_MAX, availableParallelism());
  if (count === 1) return files.filter((file) => !transpile(file)).map(({ source }) => source);
  const workers = Array.from({ length: count }, (_, turn) => {
    const share = files.filter((_file, n) => n % count === turn);
    const worker = new Worker(new URL(import.meta.url), { argv: [root], workerData: share });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', resolve);
    });
  });
  return (await Promise.all(workers)).flat();
}

function transpileAll(share) {
  parentPort.postMessage(share.filter((file) => !transpile(file)).map(({ source }) => source));
}

/** The fingerprints of the files that were up to date, for this compiler with these options. */
function readNotes() {
  const base = path.join(root, 'tsconfig.base.json');
  const by = `${ts.version} ${existsSync(base) ? fingerprintOf(base) : ''}`;
  try {
    const notes = JSON.parse(readFileSync(noteFile, 'utf8'));
    return notes.by === by ? notes : { by, files: {} };
  } catch {
    return { by, files: {} };
  }
}

function writeNotes(notes) {
  mkdirSync(path.dirname(noteFile), { recursive: true });
  writeFileSync(`${noteFile}.new`, JSON.stringify(notes));
  renameSync(`${noteFile}.new`, noteFile);
}

/** A fingerprint that changes when the file is written. */
function fingerprintOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.size} ${found.mtimeMs}`;
}

/** The compiler options of every project, with its folders. */
function projects() {
  const groups = ['packages', 'apps'].filter((group) => existsSync(path.join(root, group)));
  const folders = groups.flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => path.join(root, group, name)),
  );
  return [...folders, path.join(root, 'tools')]
    .flatMap((folder) => ['tsconfig.json', 'tsconfig.gen.json'].map((name) => path.join(folder, name)))
    .filter((file) => existsSync(file))
    .map((file) => ts.getParsedCommandLineOfConfigFile(file, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic }))
    .map(({ options, fileNames }) => ({ ...options, ...MODULES, fileNames }));
}

function onUnRecoverableConfigFileDiagnostic({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function sourcesOf({ fileNames }) {
  return fileNames.filter((file) => !TEST.test(file) && !file.endsWith('.d.ts'));
}

function madeOf({ source, options }) {
  return path.join(options.outDir, path.relative(options.rootDir, source)).replace(/\.tsx?$/, '.js');
}

/** Transpiles a source. Prints the position and returns false for invalid TypeScript; the previous output stays. */
function transpile({ source, made, options }) {
  // The compiler writes source paths into its map relative to this file.
  const fileName = path.relative(path.dirname(made), source).split(path.sep).join('/');
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(source, 'utf8'), {
    fileName,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  const mistake = diagnostics.find(({ file }) => file !== undefined);
  if (mistake !== undefined) {
    refuse(source, mistake);
    return false;
  }
  write(made, outputText, options);
  if (sourceMapText !== undefined) write(`${made}.map`, sourceMapText, options);
  return true;
}

function refuse(source, { file, start, messageText }) {
  const { line } = file.getLineAndCharacterOfPosition(start);
  const says = ts.flattenDiagnosticMessageText(messageText, ' ');
  process.stderr.write(`${path.relative(root, source)}:${line + 1} ${says}\n`);
}

/** Does not write a file that is up to date: a built tree stays built. */
function write(file, text, { tsBuildInfoFile }) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  // An incremental build would otherwise trust its record that the file is its own output.
  rmSync(tsBuildInfoFile, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
