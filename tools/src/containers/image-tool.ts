import type { RunningProcess } from '../processes/running-process.js';

/** What an image says of itself. */
export interface ImageDescription {
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly stopSignal: NodeJS.Signals;
  /** The command of the health check; null for an image without one. */
  readonly healthCheck: readonly string[] | null;
}

/** An image of deploy/docker/Dockerfile. */
export interface ImageBuild {
  readonly app: string;
  /** The last stage: `service` for apps that serve, `command` for one that ends by itself. */
  readonly target: 'service' | 'command';
  readonly tag: string;
  readonly args: Readonly<Record<string, string>>;
  /** A runtime folder that replaces the build of the workspace. */
  readonly folder?: string;
}

/** A container on the network of this machine, whose files are read-only, except `/tmp`. */
export interface ContainerStart {
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of the entry point. */
  readonly words?: readonly string[];
}

/** Builds images and starts containers of them: Docker, or what stands in for it. */
export interface ImageTool {
  readonly build: (image: ImageBuild) => void;
  readonly describe: (tag: string) => ImageDescription;
  /** The place of a folder of the image on this machine, until `remove`. */
  readonly exportFolder: (tag: string, folder: string) => string;
  readonly start: (tag: string, start: ContainerStart) => RunningProcess;
  /** Deletes all that it has made. */
  readonly remove: () => void;
}

/** The part of an image's configuration that we read, as Docker and buildah write it. */
export interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Env: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal?: NodeJS.Signals;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

export function readImageConfig(config: ImageConfig): ImageDescription {
  const { User, Entrypoint, Labels, Env, WorkingDir, StopSignal, Healthcheck } = config;
  return {
    user: User,
    entrypoint: Entrypoint,
    labels: Labels,
    env: Object.fromEntries(Env.map((each) => [each.split('=')[0] ?? '', each.slice(each.indexOf('=') + 1)])),
    folder: WorkingDir,
    stopSignal: StopSignal ?? 'SIGTERM',
    healthCheck: Healthcheck?.Test.slice(1) ?? null,
  };
}

/** The words of `build` that Docker and buildah share, without the file and the context. */
export function listBuildWords({ app, target, tag, args, folder }: ImageBuild, npmrc: string | null): string[] {
  const words = ['--target', target, '--tag', tag];
  for (const [name, value] of Object.entries({ APP: app, ...args })) words.push('--build-arg', `${name}=${value}`);
  if (folder !== undefined) words.push('--build-context', `app=${folder}`);
  if (npmrc !== null) words.push('--secret', `id=npmrc,src=${npmrc}`);
  return words;
}
