// What `npm start` runs: every package's sources as JavaScript, with no types checked and no declarations. It is the
// compiler of the build, file by file, so what it leaves a build would leave too; `turbo run build` adds the rest.
// Plain JavaScript, because it runs before anything is built.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import ts from 'typescript';

const WORKERS_MAX = 4;
// The build finds in package.json that every package is of modules; one file at a time has to be told.
const MODULES = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const TEST = /\.test\.tsx?$/;
// Another tree than this one is for tests.
const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

if (isMainThread) await shareOut(Math.min(WORKERS_MAX, availableParallelism()));
else transpileShare(workerData);

async function shareOut(count) {
  const workers = Array.from({ length: count }, (_, turn) => {
    const worker = new Worker(new URL(import.meta.url), { argv: [root], workerData: { turn, count } });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', resolve);
    });
  });
  const codes = await Promise.all(workers);
  process.exitCode = Math.max(...codes);
}

function transpileShare({ turn, count }) {
  const files = projects().flatMap((options) => sourcesOf(options).map((source) => ({ source, options })));
  for (const { source, options } of files.filter((_file, n) => n % count === turn)) transpile(source, options);
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

function transpile(source, options) {
  const made = path.join(options.outDir, path.relative(options.rootDir, source)).replace(/\.ts(x?)$/, '.js$1');
  // In its map the compiler names a source as it lies from there.
  const fileName = path.relative(path.dirname(made), source).split(path.sep).join('/');
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(source, 'utf8'), {
    fileName,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  const mistake = diagnostics.find(({ file }) => file !== undefined);
  if (mistake !== undefined) return refuse(source, mistake);
  write(made, outputText, options);
  if (sourceMapText !== undefined) write(`${made}.map`, sourceMapText, options);
}

function refuse(source, { file, start, messageText }) {
  const { line } = file.getLineAndCharacterOfPosition(start);
  const says = ts.flattenDiagnosticMessageText(messageText, ' ');
  console.error(`${path.relative(root, source)}:${line + 1} ${says}`);
  process.exitCode = 1;
}

/** Leaves a file alone that is as it should be: a tree that was built stays built. */
function write(file, text, { tsBuildInfoFile }) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  // An incremental build would believe its note that the file is as that build left it.
  rmSync(tsBuildInfoFile, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
