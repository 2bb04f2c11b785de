import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import path from 'node:path';
import type { ContainerMount, ContainerSettings } from './container-config.js';
import type { ContainerRuntime } from './container-runtime.js';
import type { CommandEnd, RunningProcess } from '../processes/running-process.js';
import { COMPOSE_FOLDER, type ComposeService, readComposeFile, withDefaults } from './compose-file.js';
import type { ComposeNetwork } from './compose-network.js';

/** What Compose takes from an image. */
export interface ComposeImage {
  readonly container: ContainerSettings;
  readonly healthCheck: readonly string[] | null;
  readonly stopSignal: NodeJS.Signals;
}

/** What a project runs on. */
export interface ComposeStage {
  /** By the name of the image, as the file has it. */
  readonly images: Readonly<Record<string, ComposeImage>>;
  readonly network: ComposeNetwork;
  readonly runtime: ContainerRuntime;
  /** Where the volumes are. */
  readonly folder: string;
  readonly log: (line: string) => void;
}

const DEFAULT_GRACE = '10s';

/**
 * Runs deploy/compose/compose.yaml as Docker Compose does: each service in a container of its own, with the user, the
 * settings, the volumes and the network of the file and nothing else, when what it depends on is as the file states.
 */
export class ComposeProject {
  readonly #services = readComposeFile().services;
  readonly #running = new Map<string, RunningProcess>();
  #runs = 0;

  constructor(private readonly stage: ComposeStage) {}

  /** The services that run until they are stopped, in the order of their start. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /**
   * Starts every service that does not run, those that end by themselves again, and resolves when each is healthy or has
   * ended with 0. Throws with the output of the first that is not.
   */
  async up(): Promise<void> {
    const started = new Map<string, Promise<void>>();
    const start = (name: string): Promise<void> => {
      const known = started.get(name);
      if (known !== undefined) return known;
      const needs = Object.keys(this.#serviceOf(name).depends_on);
      const promise = Promise.all(needs.map(start)).then(() => this.#start(name));
      started.set(name, promise);
      return promise;
    };
    const names = Object.entries(this.#services).filter(([, { profiles }]) => profiles === undefined);
    await Promise.all(names.map(([name]) => start(name)));
  }

  /** Runs a command of a service in a further container, without what the service depends on. */
  async run(name: string, words: readonly string[]): Promise<CommandEnd> {
    this.#runs += 1;
    const { network } = this.stage;
    const settings = this.#describe(name, `${name}-run-${this.#runs}`, { command: [...words] });
    const container = this.stage.runtime.start({ ...settings, network: network.join(name) });
    return { code: await container.untilEnd(), output: container.output };
  }

  /** Reads a file of a container from its volumes. */
  read(name: string, file: string): string {
    const mount = this.#mountsOf(name).find(({ target }) => file.startsWith(`${target}/`));
    if (mount === undefined) throw new Error(`${name} has no volume with ${file}`);
    return readFileSync(path.join(mount.source, path.relative(mount.target, file)), 'utf8');
  }

  /** Stops all services, dependents first. Returns one sentence for each that did not end with 0 in its time. */
  async stop(): Promise<string[]> {
    const findings: string[] = [];
    for (const name of this.running.toReversed()) {
      const { stop_signal: named, stop_grace_period: grace = DEFAULT_GRACE } = this.#serviceOf(name);
      const signal = (named as NodeJS.Signals | undefined) ?? this.#imageOf(name).stopSignal;
      const container = this.#running.get(name);
      const since = performance.now();
      const code = await container?.stop(signal, Number.parseInt(grace, 10) * 1_000);
      this.stage.log(`${name}: stopped on ${signal} with ${code ?? 'SIGKILL'} in ${formatMs(since)}`);
      if (code !== 0)
        findings.push(`${name} ended with ${code ?? 'SIGKILL after its grace period'}: ${container?.output}`);
      this.#running.delete(name);
    }
    return findings;
  }

  /** The whole output of a running service. */
  outputOf(name: string): string {
    return this.#running.get(name)?.output ?? '';
  }

  async #start(name: string): Promise<void> {
    if (this.#running.has(name)) return;
    const { network, runtime, log } = this.stage;
    const service = this.#serviceOf(name);
    const since = performance.now();
    const isOneShot = service.restart !== 'unless-stopped';
    const isolated = service.network_mode === 'none';
    const container = runtime.start({
      ...this.#describe(name, name, service),
      network: isolated ? network.isolate(name) : network.join(name),
    });
    if (isOneShot) {
      const code = await container.untilEnd();
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${container.output}`);
      log(`${name}: ended with 0 after ${formatMs(since)}: ${container.output.trim().split('\n').at(-1) ?? ''}`);
      return;
    }
    this.#running.set(name, container);
    const check = service.healthcheck?.test.slice(1) ?? this.#imageOf(name).healthCheck;
    if (check === null) throw new Error(`neither ${name} nor its image has a health check`);
    await container.untilHealthy(check).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
    for (const port of service.ports) await network.publish(name, port);
    log(`${name}: healthy after ${formatMs(since)}`);
  }

  #describe(name: string, hostName: string, own: Pick<ComposeService, 'command' | 'entrypoint'>): ContainerSettings {
    const service = this.#serviceOf(name);
    const { container } = this.#imageOf(name);
    const environment = Object.entries(service.environment).map(([setting, text]) => [setting, withDefaults(text)]);
    return {
      ...container,
      hostName,
      command: [...(own.entrypoint ?? service.entrypoint ?? container.command), ...(own.command ?? [])],
      env: { ...container.env, ...(Object.fromEntries(environment) as Record<string, string>) },
      user: service.user,
      capabilities: service.cap_add ?? [],
      mounts: [...this.#mountsOf(name), this.#hostsFile()],
      memoryFolders: service.tmpfs ?? [],
      ...(service.shm_size === undefined ? {} : { sharedMemory: service.shm_size }),
    };
  }

  #mountsOf(name: string): ContainerMount[] {
    return this.#serviceOf(name).volumes.map((text) => {
      const [from = '', target = '', mode] = text.split(':');
      const source = from.startsWith('.') ? path.join(COMPOSE_FOLDER, from) : this.#volume(from, { name, target });
      return { source, target, isReadOnly: mode === 'ro' };
    });
  }

  /** A new volume gets the owner and the mode of the folder that the image has in its place. */
  #volume(volume: string, { name, target }: { readonly name: string; readonly target: string }): string {
    const folder = path.join(this.stage.folder, 'volumes', volume);
    if (existsSync(folder)) return folder;
    mkdirSync(folder, { recursive: true });
    const inImage = path.join(this.#imageOf(name).container.files, target);
    if (!existsSync(inImage)) return folder;
    const { uid, gid, mode } = statSync(inImage);
    chownSync(folder, uid, gid);
    chmodSync(folder, mode);
    return folder;
  }

  #hostsFile(): ContainerMount {
    const source = path.join(this.stage.folder, 'hosts');
    writeFileSync(source, this.stage.network.hosts);
    return { source, target: '/etc/hosts', isReadOnly: true };
  }

  #serviceOf(name: string): ComposeService {
    const service = this.#services[name];
    if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
    return service;
  }

  #imageOf(name: string): ComposeImage {
    const tag = withDefaults(this.#serviceOf(name).image);
    const image = this.stage.images[tag];
    if (image === undefined) throw new Error(`there is no image ${tag}`);
    return image;
  }
}

function formatMs(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
