/** A folder of this machine that a container sees. */
export interface ContainerMount {
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
}

/** A container as its image and its settings describe it. Nothing else of this machine reaches it. */
export interface ContainerSettings {
  /** The files of the image, on this machine. The container cannot change them. */
  readonly files: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** `uid:gid` */
  readonly user: string;
  readonly capabilities?: readonly string[];
  readonly mounts?: readonly ContainerMount[];
  /** Folders in memory, in the form of Compose: `/tmp` or `/data:uid=65532,gid=65532`. */
  readonly memoryFolders?: readonly string[];
  readonly sharedMemory?: string;
  readonly hostName?: string;
  /** The file of a network namespace; that of this process when left out. */
  readonly network?: string;
}

const VERSION = '1.0.2';
const DEFAULT_SHARED_MEMORY = '64m';
/** What every program expects in /proc and /dev; not the control groups and the devices of the machine. */
const MASKED = ['/proc/kcore', '/proc/keys', '/proc/latency_stats', '/proc/timer_list', '/proc/sched_debug'];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** The process of a container, in the form of the OCI runtime specification. */
export function describeProcess({ user, command, env, folder, capabilities = [] }: ContainerSettings): object {
  const [uid, gid] = user.split(':').map(Number);
  const names = capabilities.map((name) => `CAP_${name}`);
  return {
    terminal: false,
    user: { uid, gid },
    args: command,
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    cwd: folder,
    noNewPrivileges: true,
    capabilities: { bounding: names, effective: names, permitted: names, inheritable: [], ambient: [] },
    rlimits: [{ type: 'RLIMIT_CORE', hard: 0, soft: 0 }],
  };
}

/** The `config.json` of a container whose root is read-only, in the form of the OCI runtime specification. */
export function describeContainer(settings: ContainerSettings): object {
  const { files, hostName = 'container', network, mounts = [], memoryFolders = [] } = settings;
  const shared = settings.sharedMemory ?? DEFAULT_SHARED_MEMORY;
  return {
    ociVersion: VERSION,
    process: describeProcess(settings),
    root: { path: files, readonly: true },
    hostname: hostName,
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      memory('/dev', ['nosuid', 'strictatime', 'mode=755', 'size=64k']),
      memory('/dev/shm', ['nosuid', 'noexec', 'nodev', 'mode=1777', `size=${shared.replace(/mb$/, 'm')}`]),
      ...memoryFolders.map(describeMemoryFolder),
      ...mounts.map(({ source, target, isReadOnly }) => ({
        ...{ destination: target, type: 'bind', source },
        options: ['rbind', 'nosuid', 'nodev', isReadOnly ? 'ro' : 'rw'],
      })),
    ],
    linux: {
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
        ...(network === undefined ? [] : [{ type: 'network', path: network }]),
      ],
      maskedPaths: MASKED,
      readonlyPaths: READ_ONLY,
    },
  };
}

function describeMemoryFolder(text: string): object {
  const [target = '', options = ''] = text.split(':');
  return memory(target, [
    'nosuid',
    'nodev',
    'noexec',
    'mode=1777',
    ...options.split(',').filter((each) => each !== ''),
  ]);
}

function memory(destination: string, options: readonly string[]): object {
  return { destination, type: 'tmpfs', source: 'tmpfs', options };
}
