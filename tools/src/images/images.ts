import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MANIFEST } from '../repository/repository-copy.js';
import { Buildah, findImageObstacle } from './buildah.js';
import { ContainerRuntime } from './container-runtime.js';
import { endWithPrograms } from './stop-signals.js';
import { provideImageNode } from './image-node.js';
import { testImage } from './image-test.js';
import { LoneApps } from './lone-app-settings.js';
import { BUILDER_SETTINGS, makeBuilderBase, makeRuntimeBase } from './machine-base.js';
import { COMMAND_APPS, IMAGE_APPS } from './runtime-folder.js';

// `pnpm images` builds every image by its Dockerfile, without a daemon and without a registry of images, and starts one
// container of each. Names of apps limit it.
endWithPrograms();
const named = process.argv.slice(2);
const obstacle = findImageObstacle();
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
  const buildah = new Buildah();
  const runtime = new ContainerRuntime();
  const apps = await LoneApps.open();
  const release = `${MANIFEST.version}-test`;
  let isFine = true;
  try {
    const bases = await makeBases(buildah, scratch);
    for (const app of names) {
      const began = performance.now();
      const target = COMMAND_APPS.includes(app) ? 'command' : 'service';
      buildah.build({ app, target, tag: app, args: { ...bases, RELEASE: release } });
      const built = performance.now();
      const { summary, findings } = await testImage(app, { buildah, runtime, apps, release });
      say(
        `${summary}; built in ${formatSeconds(built - began)}, tested in ${formatSeconds(performance.now() - built)}`,
      );
      for (const finding of findings) say(`${app}: ${finding}`);
      isFine &&= findings.length === 0;
    }
  } finally {
    await apps.close();
    buildah.remove();
    runtime.remove();
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
