import type { LoadMeasurement } from '../load/load.js';

/** A function that was on the stack, as V8 names it; `url` is empty for native code. */
interface ProfiledFunction {
  readonly functionName: string;
  readonly url: string;
}

/** What V8 recorded: the tree of calls, and which of its nodes ran for how many microseconds. */
export interface ProcessorProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: ProfiledFunction;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A package, a module of Node or the garbage collector, and its share of the time in which the process was busy. */
export interface ProfilePart {
  readonly part: string;
  readonly share: number;
}

/** What the processor time of an app under load consists of. */
export interface AppProfile {
  readonly what: string;
  readonly app: string;
  readonly load: LoadMeasurement;
  readonly parts: readonly ProfilePart[];
}

const IDLE = '(idle)';
/** The recording itself. */
const RECORDER = 'node:inspector';
const PARTS_OF_V8: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'Node: system calls and native code',
};

/**
 * Divides the busy time of a process among the packages whose functions ran, the largest first. Native functions
 * count as the package that called them; what the recording itself costs is left out. Shares sum up to 1; a process that was idle has no parts.
 */
export function listProfileParts({ nodes, samples, timeDeltas }: ProcessorProfile): ProfilePart[] {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child): [number, number] => [child, id])),
  );
  const frames = new Map(nodes.map(({ id, callFrame }): [number, ProfiledFunction] => [id, callFrame]));
  const partOf = (id: number | undefined): string | null => {
    const frame = id === undefined ? undefined : frames.get(id);
    if (id === undefined || frame === undefined) return 'Node: system calls and native code';
    if (frame.functionName === IDLE || frame.url === RECORDER) return null;
    return PARTS_OF_V8[frame.functionName] ?? namePart(frame.url) ?? partOf(parents.get(id));
  };
  const parts = new Map(nodes.map(({ id }): [number, string | null] => [id, partOf(id)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) ?? null;
    if (part !== null) times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([part, time]): ProfilePart => ({ part, share: time / busy }))
    .sort((first, second) => second.share - first.share);
}

/** What a module of Node does, where its name does not say it. */
const MODULES_OF_NODE: Readonly<Record<string, string>> = {
  stream_base_commons: 'writes to sockets',
  process: 'queue of tasks and promises',
  async_hooks: 'context of asynchronous calls',
};

const LIBRARY = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const OURS = /\/(?:packages|apps)\/([^/]+)\/(?:dist|bundle)\//;

/** The package or the module of Node that a file belongs to; null for code without a file. */
function namePart(url: string): string | null {
  if (url === '') return null;
  if (url.startsWith('node:')) {
    const [module = ''] = url.slice('node:'.length).replace('internal/', '').split('/');
    return `Node: ${MODULES_OF_NODE[module] ?? module}`;
  }
  return LIBRARY.exec(url)?.[1] ?? (OURS.test(url) ? `@pos/${OURS.exec(url)?.[1] ?? ''}` : 'other');
}
