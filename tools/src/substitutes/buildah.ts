import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { copyCheckout } from '../partners/checkout-copy.js';
import type { ContainerSettings } from './container-config.js';
import { chooseScratchFolder } from '@pos/dev-database';
import type { RunningProcess } from '../processes/running-process.js';
import {
  type ContainerStart,
  type ImageBuild,
  type ImageConfig,
  type ImageDescription,
  type ImageTool,
  listBuildWords,
  readImageConfig,
} from '../containers/image-tool.js';
import { ContainerRuntime, findContainerObstacle } from './container-runtime.js';

const BUILD_MS_MAX = 1_200_000;

/** The build stage with all packages, and the images. */
const STORAGE_BYTES_MAX = 6_000_000_000;

/** The reason why this machine cannot build images; null when it can. */
export function findImageObstacle(): string | null {
  if (process.platform !== 'linux') return 'images need Linux';
  if (spawnSync('buildah', ['--version'], { stdio: 'ignore' }).status !== 0) return 'buildah is not installed';
  if (process.getuid?.() !== 0) return 'building images without a daemon needs root';
  return findContainerObstacle();
}

/**
 * Builds images without a daemon and without a registry, in a storage of its own. It is in memory where there is enough,
 * so `remove` must be called.
 */
export class Buildah implements ImageTool {
  readonly #runtime = new ContainerRuntime();
  readonly #folder = mkdtempSync(path.join(chooseScratchFolder(STORAGE_BYTES_MAX), 'images-'));

  /** An image with the files of a folder; returns its name. */
  makeBase(name: string, folder: string, env: Readonly<Record<string, string>> = {}): string {
    const container = this.#run(['from', 'scratch']).trim();
    this.#run(['copy', container, folder, '/']);
    const settings = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', ...env });
    this.#run(['config', ...settings.flatMap(([setting, value]) => ['--env', `${setting}=${value}`]), container]);
    this.#run(['commit', '--format', 'docker', container, `localhost/${name}`]);
    this.#run(['rm', container]);
    return `localhost/${name}`;
  }

  /** Builds deploy/docker/Dockerfile. */
  build(image: ImageBuild): void {
    const npmrc = path.join(homedir(), '.npmrc');
    const words = listBuildWords(image, existsSync(npmrc) ? npmrc : null);
    const context = this.#openContext();
    const form = ['--isolation', 'chroot', '--format', 'docker', '--layers'];
    this.#run(['build', ...form, ...words, '--file', path.join(context, 'deploy/docker/Dockerfile'), context]);
  }

  describe(tag: string): ImageDescription {
    const { Docker } = JSON.parse(this.#run(['inspect', '--type', 'image', tag])) as Inspection;
    return readImageConfig(Docker.config);
  }

  /** A container of the image, as it is without further settings. Its files are on this machine until `remove`. */
  describeContainer(tag: string): ContainerSettings {
    const { entrypoint, user, env, folder } = this.describe(tag);
    const files = this.#run(['mount', this.#run(['from', tag]).trim()]).trim();
    return { files, command: entrypoint, user, env, folder };
  }

  exportFolder(tag: string, folder: string): string {
    return path.join(this.describeContainer(tag).files, folder);
  }

  start(tag: string, { env, words = [] }: ContainerStart): RunningProcess {
    const image = this.describeContainer(tag);
    const command = [...image.command, ...words];
    return this.#runtime.start({ ...image, command, env: { ...image.env, ...env }, memoryFolders: ['/tmp'] });
  }

  /** Deletes all containers and images. */
  remove(): void {
    this.#runtime.remove();
    this.#run(['umount', '--all']);
    this.#run(['rm', '--all']);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What a fresh clone has: a build would look at every file of the installed packages, only to leave it out. */
  #openContext(): string {
    const folder = path.join(this.#folder, 'context');
    if (!existsSync(folder)) copyCheckout(folder);
    return folder;
  }

  #storage(): string[] {
    for (const name of ['root', 'run']) mkdirSync(path.join(this.#folder, name), { recursive: true });
    return ['--root', path.join(this.#folder, 'root'), '--runroot', path.join(this.#folder, 'run')];
  }

  #run(words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('buildah', [...this.#storage(), ...words], {
      encoding: 'utf8',
      timeout: BUILD_MS_MAX,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status === 0) return stdout;
    const end = stderr.trim().split('\n').slice(-20).join('\n');
    throw new Error(`buildah ${words[0] ?? ''} ended with ${status ?? 'a time-out'}: ${end}`);
  }
}

interface Inspection {
  readonly Docker: { readonly config: ImageConfig };
}
