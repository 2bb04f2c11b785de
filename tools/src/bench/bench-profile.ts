import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { buildMetadata, lockRecordUnlock, openTables } from './bench-grpc.js';
import { createAndFetch, createHeaders } from './bench-http.js';
import { type BenchWorld, startBenchWorld } from './bench-world.js';
import { type LoadRound, measure } from './load/load.js';
import { type AppProfile, listProfileParts, type ProcessorProfile } from './profile/profile-parts.js';

const IN_FLIGHT = 16;
const POLL_MS = 50;
const RECORDING_MS_MAX = 60_000;

/** Measures what the processor time of the api and of the gateway consists of, each under its load of the bench. */
export async function benchProfile(options: {
  readonly forMs: number;
  readonly say: (line: string) => void;
}): Promise<AppProfile[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pos-profile-'));
  const files = { api: path.join(folder, 'api'), 'pay-at-table-gateway': path.join(folder, 'gateway') };
  const bench = await startBenchWorld(options.say, {
    ...{ hasUnloggedApi: false, hasSecondProcesses: false, recordings: files },
  });
  try {
    options.say('the profile of create + fetch');
    const http = await profileApi(bench, { file: files.api, forMs: options.forMs });
    options.say('the profile of lock + record + unlock');
    const grpc = await profileGateway(bench, { file: files['pay-at-table-gateway'], forMs: options.forMs });
    return [http, grpc];
  } finally {
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Recording {
  /** Where the app writes what it has recorded. */
  readonly file: string;
  readonly forMs: number;
}

async function profileApi(bench: BenchWorld, recording: Recording): Promise<AppProfile> {
  const pool = new Pool(bench.world.addresses.api[0] ?? '', { connections: IN_FLIGHT });
  try {
    const round = createAndFetch(pool, createHeaders(bench.account.keys.full));
    return await profileApp(bench, { what: 'create + fetch of an intent, HTTP', app: 'api', round, ...recording });
  } finally {
    await pool.close();
  }
}

async function profileGateway(bench: BenchWorld, recording: Recording): Promise<AppProfile> {
  const client = openTables(bench.world.addresses.gatewayGrpc[0] ?? '');
  try {
    const payments = await bench.recordablePayments();
    const round = lockRecordUnlock(client, { metadata: buildMetadata(bench.account.keys.device), payments });
    const what = 'lock + record + unlock, gRPC';
    return await profileApp(bench, { what, app: 'pay-at-table-gateway', round, ...recording });
  } finally {
    client.close();
  }
}

/** The times of a round are those without the recording, which costs some itself. */
async function profileApp(
  bench: BenchWorld,
  { what, app, round, file, forMs }: Recording & { what: string; app: string; round: LoadRound },
): Promise<AppProfile> {
  const { pid } = bench.world.app(app);
  if (pid === null) throw new Error(`${app} does not run`);
  const way = { round, meter: bench.createMeter({ name: app, pid }) };
  const options = { inFlight: IN_FLIGHT, forMs, warmUpMs: 0 };
  await measure(way, options);
  await bench.settle();
  const load = await measure(way, options);
  process.kill(pid, 'SIGUSR2');
  await measure(way, options);
  process.kill(pid, 'SIGUSR2');
  return { what, app, load, parts: listProfileParts(await readRecording(file)) };
}

async function readRecording(file: string): Promise<ProcessorProfile> {
  const giveUpAt = performance.now() + RECORDING_MS_MAX;
  while (!existsSync(file)) {
    if (performance.now() > giveUpAt) throw new Error(`there is no recording in ${file}`);
    await pause(POLL_MS);
  }
  return JSON.parse(await readFile(file, 'utf8')) as ProcessorProfile;
}
