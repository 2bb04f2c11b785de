import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MANIFEST } from '../repository/repository-copy.js';
import { Buildah, findImageObstacle } from '../substitutes/buildah.js';
import { Docker, isDockerRunning } from '../containers/docker.js';
import { endWithPrograms } from './stop-signals.js';
import { provideImageNode } from './image-node.js';
import { testImage } from './image-test.js';
import { LoneApps } from './lone-app-settings.js';
import { BUILDER_SETTINGS, makeBuilderBase, makeRuntimeBase } from '../substitutes/machine-base.js';
import { COMMAND_APPS, IMAGE_APPS } from './runtime-folder.js';

// `pnpm images` builds every image by its Dockerfile and starts one container of each, with Docker where its daemon runs,
// otherwise without a daemon and without a registry of images. Names of apps limit it.
endWithPrograms();
const named = process.argv.slice(2);
const hasDocker = isDockerRunning();
const obstacle = hasDocker ? null : findImageObstacle();
const unknown = named.filter((app) => !IMAGE_APPS.includes(app));
if (unknown.length > 0) exit(`there is no app ${unknown.join(', ')}; there are ${IMAGE_APPS.join(', ')}`);
if (obstacle !== null) exit(`no image can be built here: ${obstacle}`);
try {
  process.exitCode = (await buildAndTestAll(named.length > 0 ? named : IMAGE_APPS)) ? 0 : 1;
} catch (error) {
  exit(error instanceof Error ? error.message : String(error));
}

/** Returns whether every image is as it should be. */
async function buildAndTestAll(names: readonly string[]): Promise<boolean> {
  const since = performance.now();
  const scratch = mkdtempSync(path.join(tmpdir(), 'bases-'));
  const buildah = hasDocker ? null : new Buildah();
  const tool = buildah ?? new Docker();
  const apps = await LoneApps.open();
  const release = `${MANIFEST.version}-test`;
  let isFine = true;
  try {
    const bases = buildah === null ? {} : await makeBases(buildah, scratch);
    for (const app of names) {
      const began = performance.now();
      const target = COMMAND_APPS.includes(app) ? 'command' : 'service';
      tool.build({ app, target, tag: app, args: { ...bases, RELEASE: release } });
      const built = performance.now();
      const { summary, findings } = await testImage(app, { tool, apps, release });
      say(
        `${summary}; built in ${formatSeconds(built - began)}, tested in ${formatSeconds(performance.now() - built)}`,
      );
      for (const finding of findings) say(`${app}: ${finding}`);
      isFine &&= findings.length === 0;
    }
  } finally {
    await apps.close();
    tool.remove();
    rmSync(scratch, { recursive: true, force: true });
  }
  say(`${names.length} images in ${formatSeconds(performance.now() - since)}`);
  return isFine;
}

/** The base images that stand in for those of a registry. */
async function makeBases(
  buildah: Buildah,
  scratch: string,
): Promise<{ readonly RUNTIME: string; readonly BUILDER: string }> {
  const { program, version, origin } = await provideImageNode();
  say(`bases: Node ${version} from ${origin}, with the system libraries of this machine`);
  makeRuntimeBase(path.join(scratch, 'runtime'), program);
  makeBuilderBase(path.join(scratch, 'builder'), program);
  return {
    RUNTIME: buildah.makeBase('runtime', path.join(scratch, 'runtime')),
    BUILDER: buildah.makeBase('builder', path.join(scratch, 'builder'), BUILDER_SETTINGS),
  };
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
