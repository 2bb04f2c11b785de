import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchAgainstEtcd, benchGrpc } from './bench-grpc.js';
import { benchHttp } from './bench-http.js';
import { benchLanes } from './bench-lanes.js';
import { type Findings, report, shortfalls, withMeasured } from './bench-report.js';
import { startBenchWorld } from './bench-world.js';

const HELP = `Usage: pnpm bench [--short] [--write] [--print]

Measures the service on this machine against floors that are measured in the same run: create + fetch of an intent over
HTTP, lock + record + unlock over gRPC (also against etcd, where it is installed: Debian's etcd-server), ordered webhook
deliveries; and the resident memory of each app. Ends with 1 where create + fetch keeps less of its floor than it must.

  --short   a quick look: one short turn each
  --write   put the table into docs/performance.md
  --print   only print: end well, whatever was measured
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
    say('the same against etcd');
    const etcd = await benchAgainstEtcd(bench, { ...timing, say });
    const memory = await residentMemory(bench.world.apps);
    say('ordered webhook deliveries');
    const lanes = await benchLanes(bench, { ...timing, deliveries: isShort ? 500 : 3_000 });
    const table = report({ http, grpc, etcd, lanes, memory });
    process.stdout.write(table);
    if (flags.includes('--write')) await writeFile(DOC, withMeasured(await readFile(DOC, 'utf8'), table));
    const tooSlow = shortfalls({ http });
    for (const sentence of tooSlow) say(sentence);
    if (tooSlow.length > 0 && !flags.includes('--print')) process.exitCode = 1;
  } finally {
    await bench.stop();
  }
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
