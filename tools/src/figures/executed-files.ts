import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Stage } from '../e2e/stage.js';
import { readPage, replaceSection } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';
import { listOperationFiles, type OperationFiles } from './operation-files.js';
import { OPERATION_RUNS, type OperationRun } from './operation-runs.js';

// `pnpm figures:executed` plays each operation of docs/contribute/architecture.md in real processes, counts by the
// coverage of V8 which of our files they execute, and writes the numbers into that page. With `--print` it prints the
// files instead.

const PAGE = 'docs/contribute/architecture.md';
const SECTION = 'executed files';
const POLL_MS = 20;
const RECORDING_MS_MAX = 30_000;
/** What happens after the answer belongs to the operation, too: the end of a transaction, an event. */
const SETTLE_MS = 500;
const APPS = ['api', 'card-vault', 'webhook-worker', 'pay-at-table-gateway'] as const;

/** An operation with the files that its processes have executed, in order of their paths. */
interface MeasuredOperation extends OperationFiles {
  readonly processes: readonly string[];
  readonly executed: readonly string[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'pos-coverage-'));
try {
  const measured = await measureOperations();
  if (process.argv.includes('--print')) {
    process.stdout.write(measured.map(renderFiles).join('\n'));
  } else {
    writeFileSync(path.join(REPOSITORY, PAGE), replaceSection(readPage(PAGE), SECTION, renderTable(measured)));
    process.stdout.write(`${PAGE} has the numbers of today\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureOperations(): Promise<MeasuredOperation[]> {
  const recorder = new URL('coverage-recorder.js', import.meta.url).href;
  const recording = { NODE_OPTIONS: `--import=${recorder}`, COVERAGE_FOLDER: folder };
  const stage = await Stage.open({
    programs: 'modules',
    env: Object.fromEntries(APPS.map((app) => [app, recording])),
  });
  try {
    const measured: MeasuredOperation[] = [];
    for (const operation of listOperationFiles(readPage(PAGE))) {
      const run = OPERATION_RUNS[operation.title];
      if (run === undefined) throw new Error(`nothing plays ${operation.title}`);
      measured.push({ ...operation, processes: run.processes, executed: await measure(stage, run) });
    }
    return measured;
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage, { processes, prepare, run }: OperationRun): Promise<readonly string[]> {
  // The first run loads what is loaded at the first use, and fills the caches.
  await run(stage, await prepare(stage));
  const prepared = await prepare(stage);
  await pause(SETTLE_MS);
  await takeExecuted(stage, processes);
  await run(stage, prepared);
  await pause(SETTLE_MS);
  return takeExecuted(stage, processes);
}

/** Our files of which these processes have executed a function since the last call. */
async function takeExecuted(stage: Stage, processes: readonly string[]): Promise<readonly string[]> {
  const urls = await Promise.all(processes.map((name) => takeUrls(getPid(stage, name))));
  const files = urls.flat().flatMap((url) => (url.startsWith('file:') ? toSource(fileURLToPath(url)) : []));
  return [...new Set(files)].sort();
}

/** The number of a running app's process. Number 0 would be all processes of the group. */
function getPid(stage: Stage, name: string): number {
  const { pid } = stage.world.app(name);
  if (pid === null) throw new Error(`${name} does not run`);
  return pid;
}

async function takeUrls(pid: number): Promise<readonly string[]> {
  const file = path.join(folder, String(pid));
  process.kill(pid, 'SIGUSR2');
  const giveUpAt = performance.now() + RECORDING_MS_MAX;
  while (!existsSync(file)) {
    if (performance.now() > giveUpAt) throw new Error(`process ${pid} has recorded nothing`);
    await pause(POLL_MS);
  }
  const urls = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  rmSync(file);
  return urls;
}

/** The source of a compiled file of ours; nothing for what is generated or not ours. */
function toSource(file: string): string[] {
  const [, folderOf, rest] =
    /^((?:packages|apps)\/[a-z-]+)\/dist\/(.*)\.js$/.exec(path.relative(REPOSITORY, file).replaceAll(path.sep, '/')) ??
    [];
  return folderOf === undefined || folderOf === 'packages/grpc-contracts' ? [] : [`${folderOf}/src/${rest}.ts`];
}

function renderTable(measured: readonly MeasuredOperation[]): string {
  const rows = measured.map(({ title, files, processes, executed }) => {
    const apps = APPS.filter((app) => processes.some((name) => name.startsWith(app))).map((app) => `\`${app}\``);
    return `| ${title} | ${files.length} | ${executed.length} | ${apps.join(', ')} |`;
  });
  return `| operation | files to read | files executed | in the processes of |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** The executed files; those of the page are marked. Files of the page that were not executed come last. */
function renderFiles({ title, files, executed }: MeasuredOperation): string {
  const lines = executed.map((file) => `${files.includes(file) ? '*' : ' '} ${file}`);
  const others = files.filter((file) => !executed.includes(file)).map((file) => `- ${file}`);
  return `${title}: ${executed.length}\n${[...lines, ...others].join('\n')}\n`;
}
