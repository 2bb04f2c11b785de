import { Pool } from 'undici';
import { freePorts } from '../../dev/ports.js';
import { buildMetadata, lockRecordUnlock, openTables } from '../bench-grpc.js';
import { createAndFetch, createHeaders } from '../bench-http.js';
import { type BenchWorld, startBenchWorld } from '../bench-world.js';
import { type LoadMeasurement, type LoadRound, measure } from '../load/load.js';
import { InspectedProcess } from './inspected-process.js';
import { listProfileParts, type ProfilePart } from './profile-parts.js';

/** What the processor time of an app under load consists of. */
export interface AppProfile {
  readonly what: string;
  readonly app: string;
  readonly load: LoadMeasurement;
  readonly parts: readonly ProfilePart[];
}

const IN_FLIGHT = 16;

/** Measures what the processor time of the api and of the gateway consists of, each under its load of the bench. */
export async function benchProfile({
  forMs,
  say,
}: {
  readonly forMs: number;
  readonly say: (line: string) => void;
}): Promise<AppProfile[]> {
  const [apiPort = 0, gatewayPort = 0] = await freePorts(2);
  const bench = await startBenchWorld(say, {
    ...{ hasUnloggedApi: false, hasSecondProcesses: false },
    inspectorPorts: { api: apiPort, 'pay-at-table-gateway': gatewayPort },
  });
  try {
    say('the profile of create + fetch');
    const http = await profileApi(bench, { port: apiPort, forMs });
    say('the profile of lock + record + unlock');
    return [http, await profileGateway(bench, { port: gatewayPort, forMs })];
  } finally {
    await bench.stop();
  }
}

interface Inspection {
  readonly port: number;
  readonly forMs: number;
}

async function profileApi(bench: BenchWorld, inspection: Inspection): Promise<AppProfile> {
  const pool = new Pool(bench.world.addresses.api[0] ?? '', { connections: IN_FLIGHT });
  try {
    const round = createAndFetch(pool, createHeaders(bench.account.keys.full));
    return await profileApp(bench, { what: 'create + fetch of an intent, HTTP', app: 'api', round, ...inspection });
  } finally {
    await pool.close();
  }
}

async function profileGateway(bench: BenchWorld, inspection: Inspection): Promise<AppProfile> {
  const client = openTables(bench.world.addresses.gatewayGrpc[0] ?? '');
  try {
    const round = lockRecordUnlock(client, buildMetadata(bench.account.keys.device));
    const what = 'lock + record + unlock, gRPC';
    return await profileApp(bench, { what, app: 'pay-at-table-gateway', round, ...inspection });
  } finally {
    client.close();
  }
}

async function profileApp(
  bench: BenchWorld,
  { what, app, round, port, forMs }: Inspection & { what: string; app: string; round: LoadRound },
): Promise<AppProfile> {
  const way = { round, meter: bench.createMeter({ name: app, pid: bench.world.app(app).pid }) };
  const options = { inFlight: IN_FLIGHT, forMs, warmUpMs: 0 };
  await measure(way, options);
  await bench.settle();
  // The times are those without the profiler, which costs some itself.
  const load = await measure(way, options);
  const inspected = await InspectedProcess.connect(port);
  try {
    const { profile } = await inspected.profile(() => measure(way, options));
    return { what, app, load, parts: listProfileParts(profile) };
  } finally {
    inspected.close();
  }
}
