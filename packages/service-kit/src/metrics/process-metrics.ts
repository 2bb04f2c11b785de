import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { addCollector, defineCounter, defineGauge } from './metric-registry.js';

const BUILD = defineGauge({
  name: 'pos_build_info',
  help: 'Always 1; the labels name the app, its release and its Node.js.',
  labels: ['app', 'release', 'node'],
});
const START_SECONDS = defineGauge({
  name: 'process_start_time_seconds',
  help: 'When the process started, in seconds since 1970. It changes with each restart.',
  labels: [],
});
const CPU_SECONDS = defineCounter({
  name: 'process_cpu_seconds_total',
  help: 'CPU time of the process in seconds, user and system.',
  labels: [],
});
const RESIDENT_BYTES = defineGauge({
  name: 'process_resident_memory_bytes',
  help: 'Memory that the process holds.',
  labels: [],
});
const HEAP_BYTES = defineGauge({
  name: 'nodejs_heap_used_bytes',
  help: 'Memory that the JavaScript objects of the process use.',
  labels: [],
});
const HEAP_LIMIT_BYTES = defineGauge({
  name: 'nodejs_heap_limit_bytes',
  help: 'The size of JavaScript objects at which the process ends.',
  labels: [],
});
const LOOP_DELAY = defineGauge({
  name: 'nodejs_eventloop_delay_seconds',
  help: 'How late the event loop ran since the previous scrape: the 99th percentile and the maximum.',
  labels: ['quantile'],
});
const DISK_SIZE = defineGauge({
  name: 'pos_disk_size_bytes',
  help: "Size of the file system with the process's own data.",
  labels: [],
});
const DISK_FREE = defineGauge({
  name: 'pos_disk_free_bytes',
  help: "Free space of the file system with the process's own data.",
  labels: [],
});

const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** What the metrics of a process are about. */
export interface ProcessIdentity {
  readonly app: string;
  readonly release: string;
  /** The folder with the data of the process itself; the working folder where it has none. */
  readonly dataFolder?: string;
}

/** Measures the process itself at every scrape, until the returned function is called. */
export function collectProcessMetrics({ app, release, dataFolder = process.cwd() }: ProcessIdentity): () => void {
  const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loopDelay.enable();
  const removeCollector = addCollector(async () => {
    BUILD.set({ app, release, node: process.versions.node }, 1);
    START_SECONDS.set({}, performance.timeOrigin / 1_000);
    const { user, system } = process.cpuUsage();
    CPU_SECONDS.setTotal({}, (user + system) / 1e6);
    const { rss, heapUsed } = process.memoryUsage();
    RESIDENT_BYTES.set({}, rss);
    HEAP_BYTES.set({}, heapUsed);
    HEAP_LIMIT_BYTES.set({}, getHeapStatistics().heap_size_limit);
    // The first interval has no sample yet, and its percentile is none either.
    const isMeasured = loopDelay.count > 0;
    LOOP_DELAY.set({ quantile: '0.99' }, isMeasured ? toDelay(loopDelay.percentile(99)) : 0);
    LOOP_DELAY.set({ quantile: '1' }, isMeasured ? toDelay(loopDelay.max) : 0);
    loopDelay.reset();
    const { bsize, blocks, bavail } = await statfs(dataFolder);
    DISK_SIZE.set({}, bsize * blocks);
    DISK_FREE.set({}, bsize * bavail);
  });
  return () => {
    removeCollector();
    loopDelay.disable();
  };
}

/** Node measures the whole interval between two turns; the delay is what exceeds the resolution. */
function toDelay(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1_000);
}
