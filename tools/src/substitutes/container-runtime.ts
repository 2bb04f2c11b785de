import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ContainerSettings, describeContainer, describeProcess } from './container-config.js';
import { RunningProcess } from '../processes/running-process.js';

/**
 * crun refuses a machine whose second hierarchy of control groups lies beside the first one. It needs neither, and in a
 * mount namespace of its own it sees only the first.
 */
const CRUN = 'umount /sys/fs/cgroup/unified 2> /dev/null; exec crun --cgroup-manager=disabled "$@"';

/** The reason why this machine cannot start containers; null when it can. */
export function findContainerObstacle(): string | null {
  if (spawnSync('crun', ['--version'], { stdio: 'ignore' }).status !== 0) return 'crun is not installed';
  if (spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status !== 0)
    return 'this machine permits no mount namespaces';
  return null;
}

/** Starts containers by an OCI runtime, without a daemon. */
export class ContainerRuntime {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'containers-'));
  #count = 0;

  /** Starts a container. Its first process has the number 1, as in every container. */
  start(settings: ContainerSettings): RunningProcess {
    const name = this.#drawName();
    const bundle = path.join(this.#folder, name);
    mkdirSync(bundle);
    writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(describeContainer(settings)));
    return new RunningProcess(this.#spawn('run', '--bundle', bundle, name), {
      runBeside: (command) => {
        const file = path.join(bundle, `${this.#drawName()}.json`);
        writeFileSync(file, JSON.stringify(describeProcess({ ...settings, command })));
        return this.#spawn('exec', '--process', file, name);
      },
      sendSignal: (signal) => void spawnSync('unshare', this.#words('kill', name, signal), { stdio: 'ignore' }),
    });
  }

  /** Deletes what describes the containers, after they have ended. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(...words: readonly string[]): ChildProcess {
    return spawn('unshare', this.#words(...words), { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  #words(...of: readonly string[]): string[] {
    return ['--mount', 'sh', '-c', CRUN, 'crun', '--root', path.join(this.#folder, 'state'), ...of];
  }

  #drawName(): string {
    this.#count += 1;
    return `container-${this.#count}`;
  }
}
