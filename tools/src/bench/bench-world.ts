import path from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtemp } from 'node:fs/promises';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import { putEposIntegration } from '@pos/store/repositories';
import type { SeededAccount } from '../dev/seed.js';
import { startWorld, type DevWorld } from '../dev/world.js';
import { RecordablePayments } from './growth/recordable-payments.js';
import { type Child, startChild } from './load/child.js';
import { type MeteredProcess, ProcessorMeter, readPostmaster } from '../processes/processor-time.js';

/** A world to measure. The EPOS of its second account is a bare one that adds no delay. */
export interface BenchWorld {
  readonly world: DevWorld;
  readonly database: Database;
  readonly account: SeededAccount;
  readonly scope: Scope;
  readonly eposAddress: string;
  /** Ports for floors and receivers. */
  readonly ports: {
    readonly receiver: number;
    readonly floorHttp: number;
    readonly floorGrpc: number;
    readonly etcd: readonly [number, number];
  };
  /**
   * Gathers statistics, as autovacuum does within a minute on a running server: plans that were made for empty tables
   * must not be measured.
   */
  settle(): Promise<void>;
  /** Card payments that devices record at tables; planted at the first call. */
  recordablePayments(): Promise<RecordablePayments>;
  /** The processor time of all apps of the service. */
  readonly ourMeter: ProcessorMeter;
  /** The processor time of a floor, or of other processes. */
  createMeter(...processes: readonly MeteredProcess[]): ProcessorMeter;
  /** Starts the second process of the api and of the gateway; they run only for the row that needs them. */
  startSecondProcesses(): Promise<readonly [api: SecondProcess, gateway: SecondProcess]>;
  stopSecondProcesses(): Promise<void>;
  stop(): Promise<void>;
}

/** A process beside the first of its app. */
export interface SecondProcess {
  readonly name: string;
  readonly url: string;
}

const RECEIVERS = 6;

/** In production, as it is deployed: in development, for example, responses are checked against the contract. */
const PRODUCTION = { NODE_ENV: 'production', MAIL_FROM: 'receipts@restaurant.example' };

/** One key sends more than any EPOS does. */
const API_SETTINGS = { RATE_LIMIT_PER_SECOND: '1000000' };

/** Deliveries are prepared by one transaction with thousands of rows. */
const DATABASE_DEADLINE_MS = 60_000;

interface BenchWorldOptions {
  readonly hasUnloggedApi: boolean;
  readonly hasSecondProcesses: boolean;
  /** The files into which apps record where their time goes. All apps then run module by module, which have names. */
  readonly recordings?: Readonly<Record<string, string>>;
}

/** Starts the service, its world and the bare EPOS. Rows are durable, for the service and its floors alike. */
export async function startBenchWorld(
  log: (line: string) => void,
  { hasUnloggedApi, hasSecondProcesses, recordings = {} }: BenchWorldOptions,
): Promise<BenchWorld> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-bench-'));
  const world = await startWorld({
    dataDir,
    ports: 'free',
    ...(Object.keys(recordings).length > 0 && { programs: 'modules' as const }),
    count: {
      'epos-tester': 1,
      api: 1 + Number(hasUnloggedApi) + Number(hasSecondProcesses),
      'pay-at-table-gateway': 1 + Number(hasSecondProcesses),
    },
    restaurants: 2,
    receivers: RECEIVERS,
    env: {
      '*': PRODUCTION,
      ...buildAppSettings(recordings),
      ...(hasUnloggedApi && { 'api-2': { ...API_SETTINGS, ACTIVITY_RETENTION_DAYS: '0' } }),
      'webhook-worker': { DELIVERY_ENDPOINT_CONCURRENCY: '64', DELIVERY_ACCOUNT_CONCURRENCY: '64', LOG_LEVEL: 'info' },
    },
    log,
  });
  const [receiver, eposPort, floorHttp, floorGrpc, etcdPort, etcdPeerPort] = world.receiverPorts;
  const account = world.accounts[1];
  if (
    account === undefined ||
    receiver === undefined ||
    eposPort === undefined ||
    floorHttp === undefined ||
    floorGrpc === undefined ||
    etcdPort === undefined ||
    etcdPeerPort === undefined
  ) {
    throw new Error('the world lacks an account or a port');
  }
  const epos = await startChild('bench-epos.js', { PORT: String(eposPort) }, () => Promise.resolve(true));
  const scope: Scope = { accountId: account.accountId, environment: 'sandbox' };
  const database = await openBenchDatabase(world);
  await registerBareEpos(database, { scope, account, port: eposPort });
  const second = hasSecondProcesses ? [findLast(world, 'api'), findLast(world, 'pay-at-table-gateway')] : [];
  const stopSecond = () => Promise.all(second.map(({ name }) => world.app(name).stop()));
  await stopSecond();
  const [backend] = await database.dataSource.query<[{ pid: number }]>('select pg_backend_pid() as pid');
  const postmaster = readPostmaster(backend.pid);
  return {
    world,
    database,
    ourMeter: new ProcessorMeter(() => world.apps.filter(({ isRunning }) => isRunning), postmaster),
    createMeter: (...processes) => new ProcessorMeter(() => processes, postmaster),
    startSecondProcesses: () => startSecondProcesses(world, second),
    stopSecondProcesses: async () => {
      await stopSecond();
    },
    recordablePayments: plantOnce(world, account),
    account,
    scope,
    eposAddress: `127.0.0.1:${eposPort}`,
    ports: { receiver, floorHttp, floorGrpc, etcd: [etcdPort, etcdPeerPort] },
    settle: async () => {
      await database.dataSource.query('vacuum (analyze)');
    },
    stop: async () => {
      await database.close();
      await stopAll([epos]);
      await world.remove();
    },
  };
}

/** The settings of the api, and of the apps that record where their time goes. */
function buildAppSettings(recordings: Readonly<Record<string, string>>): Record<string, Record<string, string>> {
  const recorder = new URL('profile/profile-recorder.js', import.meta.url).href;
  const settings: Record<string, Record<string, string>> = { api: API_SETTINGS };
  for (const [app, file] of Object.entries(recordings)) {
    settings[app] = { ...settings[app], NODE_OPTIONS: `--import=${recorder}`, PROFILE_FILE: file };
  }
  return settings;
}

function plantOnce(world: DevWorld, { accountId, keys }: SeededAccount): () => Promise<RecordablePayments> {
  const place = { apiUrl: world.addresses.api[0] ?? '', apiKey: keys.full, ownerDatabaseUrl: world.ownerDatabaseUrl };
  let payments: Promise<RecordablePayments> | null = null;
  return () => (payments ??= RecordablePayments.plant({ ...place, scope: { accountId, environment: 'sandbox' } }));
}

function openBenchDatabase(world: DevWorld): Promise<Database> {
  return openDatabase({
    url: world.appsDatabaseUrl,
    applicationName: 'bench',
    deadlineMs: DATABASE_DEADLINE_MS,
    secrets: storeSecrets(world),
  });
}

function registerBareEpos(
  database: Database,
  { scope, account, port }: { readonly scope: Scope; readonly account: SeededAccount; readonly port: number },
): Promise<unknown> {
  const { username, password } = account.epos;
  return database.transact(scope, (tx) =>
    putEposIntegration(tx, {
      kind: 'grpc',
      url: `http://127.0.0.1:${port}`,
      username,
      password,
      capabilities: [],
    }),
  );
}

async function startSecondProcesses(
  world: DevWorld,
  [api, gateway]: readonly SecondProcess[],
): Promise<readonly [api: SecondProcess, gateway: SecondProcess]> {
  if (api === undefined || gateway === undefined) throw new Error('the world has one process of each app');
  const processes = [api, gateway].map(({ name }) => world.app(name));
  for (const each of processes) each.start();
  await Promise.all(processes.map((each) => each.untilReady()));
  return [api, gateway];
}

/** The last process of an app that has several. */
function findLast({ addresses }: DevWorld, app: 'api' | 'pay-at-table-gateway'): SecondProcess {
  const urls = app === 'api' ? addresses.api : addresses.gatewayGrpc;
  return { name: `${app}-${urls.length}`, url: urls.at(-1) ?? '' };
}

async function stopAll(children: readonly Child[]): Promise<void> {
  await Promise.all(children.map((child) => child.stop()));
}

/** The settings that a process needs to read and seal rows of the world. */
function storeSecrets({ secrets }: DevWorld): { encryptionKey: Buffer; pepper: string } {
  return { encryptionKey: Buffer.from(secrets.encryptionKey, 'base64'), pepper: secrets.keyPepper };
}
