import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchEtcdComparison, benchGrpc } from './bench-grpc.js';
import { benchActivityLog, benchHttp } from './bench-http.js';
import { benchLanes } from './bench-lanes.js';
import { benchPeers } from './bench-peers.js';
import { benchProfile } from './bench-profile.js';
import { benchProcesses } from './bench-processes.js';
import { type BenchOptions, type BenchRow, HELP, readBenchOptions } from './bench-options.js';
import { type AppMemory, formatReport, listShortfalls, insertMeasured } from './bench-report.js';
import { type BenchWorld, startBenchWorld } from './bench-world.js';
import { benchGrowth } from './growth/bench-growth.js';
import { formatGrowthReport, listUnbounded } from './growth/growth-report.js';
import type { GrowthSize } from './growth/planted-payments.js';
import type { PeerName } from './peers/peer.js';
import { formatProfiles } from './profile/profile-report.js';
import { formatPeersReport, listPeerFailures } from './peers/peers-report.js';

const DOC = path.resolve(import.meta.dirname, '../../../docs/contribute/performance.md');
const IN_FLIGHTS = [1, 16, 64];

await main();

async function main(): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2));
  if (options.isHelp) process.stdout.write(HELP);
  else if (options.growth !== null) await runGrowth(options, options.growth);
  else if (options.isProfile) await runProfile(options);
  else if (options.peers !== null) await runPeers(options, options.peers);
  else await runComparisons(options);
}

function say(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

/** Measures an account with many payments, and reports the statements that read more, the more rows there are. */
async function runGrowth({ isShort, writes, onlyPrints }: BenchOptions, size: GrowthSize): Promise<void> {
  const findings = await benchGrowth({ size, rounds: isShort ? 20 : 200, isDurable: true, log: say });
  const table = formatGrowthReport(findings);
  process.stdout.write(table);
  if (writes) await writeFile(DOC, insertMeasured(await readFile(DOC, 'utf8'), table, 'growth'));
  const unbounded = listUnbounded(findings.rows);
  for (const sentence of unbounded) say(sentence);
  if (unbounded.length > 0 && !onlyPrints) process.exitCode = 1;
}

/** Measures other products beside the service. A run without any of them fails, with `--print` too. */
async function runPeers(options: BenchOptions, names: readonly PeerName[]): Promise<void> {
  const findings = await benchPeers(names, { ...getTiming(options), say });
  const failures = listPeerFailures(findings);
  for (const sentence of failures) say(sentence);
  const isEmpty = Object.keys(findings.comparisons).length === 0;
  if (isEmpty || (failures.length > 0 && !options.onlyPrints)) process.exitCode = 1;
  if (isEmpty) return;
  const table = formatPeersReport(findings);
  process.stdout.write(table);
  if (options.writes) await writeFile(DOC, insertMeasured(await readFile(DOC, 'utf8'), table, 'peers'));
}

/** Measures what the processor time of the api and of the gateway consists of. */
async function runProfile({ isShort, writes }: BenchOptions): Promise<void> {
  const table = formatProfiles(await benchProfile({ forMs: isShort ? 3_000 : 10_000, say }));
  process.stdout.write(table);
  if (writes) await writeFile(DOC, insertMeasured(await readFile(DOC, 'utf8'), table, 'profile'));
}

function getTiming({ isShort }: BenchOptions) {
  return { inFlights: isShort ? [16] : IN_FLIGHTS, forMs: isShort ? 2_000 : 4_000, turns: isShort ? 1 : 3 };
}

async function runComparisons(options: BenchOptions): Promise<void> {
  const { isShort, rows, writes, onlyPrints } = options;
  const timing = getTiming(options);
  const bench = await startBenchWorld(say, {
    hasUnloggedApi: rows.has('activities'),
    hasSecondProcesses: rows.has('processes'),
  });
  /** Measures a row if it is selected. */
  const wanted = async <T>(row: BenchRow, what: string, measured: () => Promise<T>): Promise<T | null> => {
    if (!rows.has(row)) return null;
    say(what);
    return measured();
  };
  try {
    const idle = await readMemory(bench);
    const http = await wanted('http', 'create + fetch over HTTP', () => benchHttp(bench, timing));
    const activities = await wanted('activities', 'create + fetch with and without the activity log', () =>
      benchActivityLog(bench, timing),
    );
    const grpc = await wanted('grpc', 'lock + record + unlock over gRPC', () => benchGrpc(bench, timing));
    const etcd = await wanted('etcd', 'the same against etcd', () =>
      benchEtcdComparison(bench, { ...timing, say, hasRelay: true }),
    );
    const memory = (await readMemory(bench)).map(({ name, resident, own }): AppMemory => {
      const before = idle.find((app) => app.name === name)?.resident ?? Number.NaN;
      return { name, idle: before, loaded: resident, own };
    });
    const deliveries = isShort ? 500 : 3_000;
    const processes = await wanted('processes', 'two processes on one database, against one', () =>
      benchProcesses(bench, timing),
    );
    const lanes = await wanted('lanes', 'ordered webhook deliveries', () =>
      benchLanes(bench, { ...timing, deliveries }),
    );
    const table = formatReport({
      ...{ http: http ?? [], activities: activities ?? [], grpc: grpc ?? [] },
      ...{ etcd, lanes, memory, processes },
    });
    process.stdout.write(table);
    if (writes) await writeFile(DOC, insertMeasured(await readFile(DOC, 'utf8'), table));
    const tooSlow = http === null ? [] : listShortfalls({ http });
    for (const sentence of tooSlow) say(sentence);
    if (tooSlow.length > 0 && !onlyPrints) process.exitCode = 1;
  } finally {
    await bench.stop();
  }
}

/** The memory of each app that runs, where the kernel reports it. */
async function readMemory({ world }: BenchWorld): Promise<{ name: string; resident: number; own: number }[]> {
  const running = world.apps.filter(({ isRunning }) => isRunning);
  return Promise.all(
    running.map(async ({ name, pid }) => {
      const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
      const read = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
      return { name, resident: read('VmRSS'), own: read('RssAnon') };
    }),
  );
}
