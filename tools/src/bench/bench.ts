import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { benchGrpc } from './bench-grpc.js';
import { benchHttp } from './bench-http.js';
import { benchLanes } from './bench-lanes.js';
import { startBenchWorld } from './bench-world.js';
import type { Compared } from './load.js';

const HELP = `Usage: pnpm bench [--short] [--write]

Measures the service on this machine against floors that are measured in the same run: create + fetch of an intent over
HTTP, lock + record + unlock over gRPC, ordered webhook deliveries; and the resident memory of each app.

  --short   a quick look: one short turn each
  --write   put the table into docs/performance.md
`;

const DOC = path.resolve(import.meta.dirname, '../../../docs/performance.md');
const IN_FLIGHTS = [1, 16, 64];

await main();

async function main(): Promise<void> {
  const flags = process.argv.slice(2);
  if (flags.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const isShort = flags.includes('--short');
  const timing = { inFlights: isShort ? [16] : IN_FLIGHTS, forMs: isShort ? 2_000 : 4_000, turns: isShort ? 1 : 3 };
  const say = (line: string): void => void process.stderr.write(`  ${line}\n`);
  const bench = await startBenchWorld(say);
  try {
    say('create + fetch over HTTP');
    const http = await benchHttp(bench, timing);
    say('lock + record + unlock over gRPC');
    const grpc = await benchGrpc(bench, timing);
    const memory = await residentMemory(bench.world.apps);
    say('ordered webhook deliveries');
    const lanes = await benchLanes(bench, { ...timing, deliveries: isShort ? 500 : 3_000 });
    const table = report({ http, grpc, lanes, memory });
    process.stdout.write(table);
    if (flags.includes('--write')) await writeDoc(table);
  } finally {
    await bench.stop();
  }
}

interface Findings {
  readonly http: readonly Compared[];
  readonly grpc: readonly Compared[];
  readonly lanes: readonly Compared[];
  readonly memory: readonly { readonly name: string; readonly megabytes: number }[];
}

function report({ http, grpc, lanes, memory }: Findings): string {
  const rows = [
    ...http.map((each) => row('create + fetch of an intent, HTTP', each)),
    ...grpc.map((each) => row('lock + record + unlock, gRPC', each)),
    ...lanes.map((each) => row('ordered webhook deliveries', each)),
  ];
  const total = memory.reduce((sum, { megabytes }) => sum + megabytes, 0);
  return [
    `Measured with ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`,
    '',
    '| what | in flight | ours /s | p50 ms | p99 ms | floor /s | p50 ms | p99 ms | ratio |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| app | resident MB |',
    '|---|---|',
    ...memory.map(({ name, megabytes }) => `| ${name} | ${megabytes.toFixed(0)} |`),
    `| all together | ${total.toFixed(0)} |`,
    '',
  ].join('\n');
}

function row(what: string, { inFlight, ours, floor, ratio }: Compared): string {
  if (ours.failures > 0) process.stderr.write(`  ${what}: ${ours.failures} rounds failed at ${inFlight} in flight\n`);
  const figures = [ours, floor].map(
    ({ perSecond, p50Ms, p99Ms }) => `${perSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)}`,
  );
  return `| ${what} | ${inFlight} | ${figures.join(' | ')} | ${ratio.toFixed(2)} |`;
}

/** The resident set of each app, as the kernel counts it; only where it tells. */
async function residentMemory(
  apps: readonly { readonly name: string; readonly pid: number | null }[],
): Promise<Findings['memory']> {
  const sizes = apps.map(async ({ name, pid }) => {
    const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return { name, megabytes: Number(kilobytes ?? Number.NaN) / 1024 };
  });
  return Promise.all(sizes);
}

const START = '<!-- measured: start -->';
const END = '<!-- measured: end -->';

async function writeDoc(table: string): Promise<void> {
  const doc = await readFile(DOC, 'utf8');
  const [before = '', rest = ''] = doc.split(START);
  const [, after = ''] = rest.split(END);
  await writeFile(DOC, `${before}${START}\n\n${table}\n${END}${after}`);
}
