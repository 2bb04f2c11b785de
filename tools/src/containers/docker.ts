import { spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { RunningProcess } from '../processes/running-process.js';
import { REPOSITORY } from '../repository/repository.js';
import {
  type ContainerStart,
  type ImageBuild,
  type ImageConfig,
  type ImageDescription,
  type ImageTool,
  listBuildWords,
  readImageConfig,
} from './image-tool.js';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const PIPES: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] };

/** Whether Docker is installed and its daemon answers. */
export function isDockerRunning(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** The same, with Compose. */
export function isComposeRunning(): boolean {
  return isDockerRunning() && spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
}

/** Runs `docker` and returns its output. Throws with the end of what it wrote when it fails. */
export function runDocker(words: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync('docker', [...words], {
    ...{ cwd: REPOSITORY, env, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX },
  });
  if (status === 0) return stdout;
  throw new Error(`docker ${words.join(' ')} ended with ${status}: ${stderr.trim().split('\n').slice(-20).join('\n')}`);
}

/** Builds images and starts containers with the daemon of this machine, from the bases that the Dockerfile names. */
export class Docker implements ImageTool {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'docker-'));
  readonly #tags: string[] = [];
  #count = 0;

  build(image: ImageBuild): void {
    const npmrc = path.join(homedir(), '.npmrc');
    const words = listBuildWords(image, existsSync(npmrc) ? npmrc : null);
    this.#tags.push(image.tag);
    runDocker(['build', ...words, '--file', 'deploy/docker/Dockerfile', '.'], { ...process.env, DOCKER_BUILDKIT: '1' });
  }

  describe(tag: string): ImageDescription {
    return readImageConfig(
      JSON.parse(runDocker(['image', 'inspect', '--format', '{{json .Config}}', tag])) as ImageConfig,
    );
  }

  exportFolder(tag: string, folder: string): string {
    const copy = path.join(this.#folder, tag);
    const container = runDocker(['create', tag]).trim();
    runDocker(['cp', `${container}:${folder}`, copy]);
    runDocker(['rm', container]);
    return copy;
  }

  start(tag: string, { env, words = [] }: ContainerStart): RunningProcess {
    this.#count += 1;
    const name = `pos-test-${process.pid}-${this.#count}`;
    const settings = Object.entries(env).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]);
    const flags = ['--rm', '--name', name, '--network', 'host', '--read-only', '--tmpfs', '/tmp', ...settings];
    return new RunningProcess(spawn('docker', ['run', ...flags, tag, ...words], PIPES), {
      runBeside: (command) => spawn('docker', ['exec', name, ...command], PIPES),
      sendSignal: (signal) => void spawnSync('docker', ['kill', '--signal', signal, name], { stdio: 'ignore' }),
    });
  }

  remove(): void {
    spawnSync('docker', ['image', 'rm', ...this.#tags], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
