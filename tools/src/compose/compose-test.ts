import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isComposeRunning } from '../containers/docker.js';
import { Buildah, findImageObstacle } from '../substitutes/buildah.js';
import { provideImageNode } from '../images/image-node.js';
import { makeRuntimeBase } from '../substitutes/machine-base.js';
import { makeRuntimeFolder } from '../images/runtime-folder.js';
import { chooseScratchFolder } from '@pos/dev-database';
import { endWithPrograms } from '../images/stop-signals.js';
import { readComposeFile, withDefaults } from '../substitutes/compose-file.js';
import type { ComposeImage } from '../substitutes/compose-project.js';
import { runComposePage } from './compose-page.js';
import { findConnectionFindings } from './connection-inspection.js';
import { DockerProject } from './docker-project.js';
import { makePostgresStandIn } from '../substitutes/postgres-stand-in.js';

/** Namespaces of its own for all that is started; the kernel ends everything in them with the first process. */
const ISOLATED = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The named network namespaces of this test must not be those of the machine. */
const STAGE = 'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && exec "$@"';
const SCRATCH_BYTES_MAX = 4_000_000_000;
const DATABASE_IMAGE = 'postgres:18-bookworm';

// `pnpm compose-test` runs the commands of the page about deploy/compose/compose.yaml: with Docker where its daemon runs.
// Otherwise each service is in a container without Docker, from the images of the Dockerfile.
endWithPrograms();
const since = performance.now();
const hasDocker = isComposeRunning();
const obstacle = hasDocker ? null : (findImageObstacle() ?? findNetworkObstacle());
if (obstacle !== null) {
  process.stderr.write(`no container can be started here: ${obstacle}\n`);
  process.exit(2);
}
const folder = mkdtempSync(path.join(chooseScratchFolder(SCRATCH_BYTES_MAX), 'compose-'));
const buildah = hasDocker ? null : new Buildah();
try {
  process.exitCode = buildah === null ? await runWithDocker() : await runInNamespaces(buildah);
} finally {
  buildah?.remove();
  rmSync(folder, { recursive: true, force: true });
}
say(`compose.yaml ran in ${formatSeconds(since)}, with exit code ${process.exitCode}`);

async function runWithDocker(): Promise<number> {
  const project = new DockerProject(path.join(folder, 'checkout'));
  try {
    const findings = await runComposePage(path.join(folder, 'checkout'), project.env);
    findings.push(...(await findConnectionFindings(project)));
    for (const finding of findings) say(`WRONG: ${finding}`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    project.remove();
  }
}

async function runInNamespaces(tool: Buildah): Promise<number> {
  const file = path.join(folder, 'images.json');
  writeFileSync(file, JSON.stringify(await buildImages(tool)));
  const words = ['sh', '-c', STAGE, 'stage', process.execPath, '--enable-source-maps', stageProgram(), file, folder];
  const stage = spawn('unshare', [...ISOLATED, ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(stage, 'close')) as [number | null];
  return code ?? 1;
}

/** The images of the file by their names: ours from runtime folders, and the one that stands in for PostgreSQL's. */
async function buildImages(tool: Buildah): Promise<Readonly<Record<string, ComposeImage>>> {
  const node = await provideImageNode();
  say(`bases: Node ${node.version} from ${node.origin}; the PostgreSQL of developers in place of ${DATABASE_IMAGE}`);
  const base = path.join(folder, 'base');
  makeRuntimeBase(base, node.program);
  const RUNTIME = tool.makeBase('runtime', base);
  const images: Record<string, ComposeImage> = {};
  for (const { image, build } of Object.values(readComposeFile().services)) {
    const tag = withDefaults(image);
    if (build === undefined || images[tag] !== undefined) continue;
    const { APP: app, RELEASE } = build.args;
    const runtimeFolder = path.join(folder, 'apps', app);
    mkdirSync(path.dirname(runtimeFolder), { recursive: true });
    makeRuntimeFolder(app, runtimeFolder);
    const target = build.target === 'command' ? 'command' : 'service';
    tool.build({ app, target, tag, args: { RUNTIME, RELEASE: withDefaults(RELEASE) }, folder: runtimeFolder });
    const { healthCheck, stopSignal } = tool.describe(tag);
    images[tag] = { container: tool.describeContainer(tag), healthCheck, stopSignal };
  }
  const container = makePostgresStandIn(path.join(folder, 'postgres'), node.program);
  images[DATABASE_IMAGE] = { container, healthCheck: null, stopSignal: 'SIGINT' };
  say(`built ${Object.keys(images).join(', ')} in ${formatSeconds(since)}`);
  return images;
}

function findNetworkObstacle(): string | null {
  if (spawnSync('ip', ['-V'], { stdio: 'ignore' }).status !== 0) return 'ip is not installed';
  return spawnSync('unshare', [...ISOLATED, 'true'], { stdio: 'ignore' }).status === 0
    ? null
    : 'this machine permits no namespaces';
}

function stageProgram(): string {
  return path.join(import.meta.dirname, 'compose-stage.js');
}

function formatSeconds(from: number): string {
  return `${Math.round((performance.now() - from) / 1_000)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
