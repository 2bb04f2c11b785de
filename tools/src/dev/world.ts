import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '@pos/store/database';
import { type EmbeddedPostgres, startPostgres } from '@pos/store/embedded-postgres';
import { APP_ROLE, migrate, urlFor } from '@pos/store/migrate';
import { AppProcess } from './app-process.js';
import { type DevCertificates, devCertificates } from './certificates.js';
import { DEFAULT_PORTS, freePorts, isTaken, LOOPBACK, type PortName } from './ports.js';
import { devSecrets, type Secrets } from './secrets.js';
import { seedDatabase, type SeededAccount, seededAccounts } from './seed.js';
import { WORLD_APPS, type WorldApp, type WorldAppName, type WorldFacts } from './world-apps.js';

/** The whole service with the world around it, on one machine. Without options: what `npm start` runs. */
export interface WorldOptions {
  /** Where rows, logs, keys and certificates are kept. */
  readonly dataDir: string;
  /** The ports the README names, or free ones so that worlds do not meet. */
  readonly ports: 'default' | 'free';
  /** How many processes of an app; one unless said, none leaves it out. The sandbox is always one. */
  readonly count?: Partial<Record<Exclude<WorldAppName, 'sandbox'>, number>>;
  readonly seed?: string | undefined;
  /** The owner's address of a server to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** False makes the embedded server faster and forgetful; for tests. */
  readonly durable?: boolean;
  /** Settings laid over those of an app, by its name (`webhook-worker`) or that of one process (`webhook-worker-2`). */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How many receivers on loopback may get webhooks. */
  readonly receivers?: number;
  readonly log?: (line: string) => void;
}

/** A running world. */
export interface World {
  readonly accounts: readonly SeededAccount[];
  readonly addresses: WorldAddresses;
  readonly certificates: DevCertificates;
  /** Ports on loopback at which webhooks may be received. */
  readonly receiverPorts: readonly number[];
  readonly secrets: Secrets;
  readonly databaseUrl: string;
  readonly readyUrls: readonly string[];
  /** A process by its name: `api`, `pay-at-table-gateway-2`. */
  app(name: string): AppProcess;
  readonly apps: readonly AppProcess[];
  stop(): Promise<void>;
}

export interface WorldAddresses {
  readonly api: readonly string[];
  readonly eposTester: string;
  readonly sandbox: string;
  readonly gatewayGrpc: readonly string[];
  readonly gatewayInternal: readonly string[];
  readonly gatewayHttp: readonly string[];
}

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Where a demo or a developer receives webhooks unless `DEMO_RECEIVER_PORT` says otherwise. */
export const RECEIVER_PORT = 3008;

/** Starts everything and resolves when all of it serves. What it started is stopped again when something fails. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { dataDir, log = () => undefined } = options;
  await mkdir(path.join(dataDir, 'logs'), { recursive: true });
  const secrets = await devSecrets(path.join(dataDir, 'secrets.json'), options.seed);
  const certificates = await devCertificates(path.join(dataDir, 'certificates'));
  const places = await placesOf(options);
  let postgres: EmbeddedPostgres | null = null;
  const apps: AppProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(apps.map((app) => app.stop()));
    await postgres?.stop();
  };
  try {
    if (options.databaseUrl === undefined) {
      log('starting PostgreSQL');
      postgres = await startPostgres({
        dataDir: path.join(dataDir, 'postgres'),
        durable: options.durable ?? true,
        log,
      });
    }
    const ownerUrl = options.databaseUrl ?? postgres?.url ?? '';
    const facts = await prepare(options, { ownerUrl, secrets, places, certificates });
    log('starting the apps');
    for (const place of places.processes) {
      apps.push(appProcess(place, { facts, env: options.env ?? {}, log }));
    }
    for (const app of apps) app.start();
    await Promise.all(apps.map((app) => app.untilReady()));
    const find = (name: string): AppProcess => {
      const app = apps.find((each) => each.name === name);
      if (app === undefined)
        throw new Error(`no process is named ${name}; there are ${apps.map((each) => each.name).join(', ')}`);
      return app;
    };
    return {
      accounts: seededAccounts(secrets.worldKey),
      addresses: addressesOf(places),
      certificates,
      receiverPorts: places.receiverPorts,
      secrets,
      databaseUrl: facts.databaseUrl,
      readyUrls: apps.map((app) => app.readyUrl),
      app: find,
      apps,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Migrates, makes the logins, seeds, and says what the apps have to know. */
async function prepare(
  options: WorldOptions,
  known: { readonly ownerUrl: string; secrets: Secrets; places: Places; certificates: DevCertificates },
): Promise<WorldFacts> {
  const { ownerUrl, secrets, places, certificates } = known;
  const { appPassword, vaultPassword, keyPepper, encryptionKey, worldKey } = secrets;
  await migrate(ownerUrl, { appPassword, vaultPassword });
  const databaseUrl = urlFor(ownerUrl, APP_ROLE, appPassword);
  const database = await openDatabase({
    url: databaseUrl,
    applicationName: 'seed',
    secrets: { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const accounts = seededAccounts(worldKey);
  const acquirerAddress = `${LOOPBACK}:${portOf(places, 'sandbox', 'sandboxGrpc')}`;
  try {
    await seedDatabase(database, accounts, { worldKey, eposUrl: `http://${acquirerAddress}` });
  } finally {
    await database.close();
  }
  const sandboxAccountsFile = path.join(options.dataDir, 'sandbox-accounts.json');
  await writeFile(`${sandboxAccountsFile}.new`, JSON.stringify(accounts.map(sandboxAccount)), { mode: 0o600 });
  await rename(`${sandboxAccountsFile}.new`, sandboxAccountsFile);
  const { gatewayGrpc, gatewayInternal } = addressesOf(places);
  return {
    databaseUrl,
    keyPepper,
    encryptionKey,
    seed: options.seed,
    dataDir: path.resolve(options.dataDir),
    caFile: path.resolve(certificates.caFile),
    egressAllow: places.receiverPorts.flatMap((port) => [`${LOOPBACK}:${port}`, `localhost:${port}`]),
    acquirerAddress,
    gatewayAddresses: gatewayGrpc,
    gatewayInternalAddresses: gatewayInternal,
    sandboxAccountsFile: path.resolve(sandboxAccountsFile),
  };
}

function sandboxAccount({ accountId, keys, merchantId, tradingName, epos }: SeededAccount) {
  return { accountId, apiKey: keys.machines, merchantId, tradingName, currencyCode: 'GBP', epos };
}

interface Place {
  /** `api`, or `api-2` for the second process of an app. */
  readonly name: string;
  readonly app: WorldAppName;
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
}

interface Places {
  readonly processes: readonly Place[];
  readonly receiverPorts: readonly number[];
}

async function placesOf({ ports, count = {}, receivers = 1 }: WorldOptions): Promise<Places> {
  const wanted = Object.entries(WORLD_APPS).flatMap(([app, { ports: named }]) => {
    const name = app as WorldAppName;
    const processes = name === 'sandbox' ? 1 : (count[name] ?? 1);
    const portNames: PortName[] = Object.values(named);
    return Array.from({ length: processes }, (_, index) => ({
      name: index === 0 ? app : `${app}-${index + 1}`,
      app: name,
      index,
      portNames,
    }));
  });
  const portCount = wanted.reduce((total, { portNames }) => total + portNames.length, 0);
  const free = await freePorts(portCount + receivers);
  const next = (): number => free.shift() ?? 0;
  const processes: Place[] = [];
  for (const { name, app, index, portNames } of wanted) {
    const entries: [PortName, number][] = [];
    for (const portName of portNames) {
      // A second process of an app cannot have the port that the README names.
      const port = ports === 'default' && index === 0 ? DEFAULT_PORTS[portName] : next();
      if (ports === 'default' && (await isTaken(port))) throw new Error(taken(name, portName, port));
      entries.push([portName, port]);
    }
    processes.push({ name, app, ports: Object.fromEntries(entries) });
  }
  const receiverPorts = Array.from({ length: receivers }, (_, index) =>
    ports === 'default' && index === 0 ? Number(process.env['DEMO_RECEIVER_PORT'] ?? RECEIVER_PORT) : next(),
  );
  return { processes, receiverPorts };
}

function taken(name: string, portName: PortName, port: number): string {
  return `Port ${port} (${portName}, for ${name}) is taken: stop what listens there, or a world that is still running.`;
}

function appProcess(
  place: Place,
  world: { readonly facts: WorldFacts; readonly env: NonNullable<WorldOptions['env']>; log: (line: string) => void },
): AppProcess {
  const app: WorldApp = WORLD_APPS[place.app];
  const { facts, env, log } = world;
  const ports = Object.entries(app.ports).map(([setting, name]) => [setting, String(place.ports[name])]);
  return new AppProcess({
    name: place.name,
    entry: path.join(ROOT, app.folder, 'dist/main.js'),
    env: { ...app.settings(facts), ...Object.fromEntries(ports), ...env[place.app], ...env[place.name] },
    ready: `http://${LOOPBACK}:${place.ports[app.health] ?? 0}/health/ready`,
    logFile: path.join(facts.dataDir, 'logs', `${place.name}.log`),
    onUnexpectedEnd: log,
  });
}

function addressesOf(places: Places): WorldAddresses {
  const all = (app: WorldAppName, port: PortName): string[] =>
    places.processes.filter((place) => place.app === app).map((place) => `${LOOPBACK}:${place.ports[port] ?? 0}`);
  const http = (app: WorldAppName, port: PortName): string[] => all(app, port).map((address) => `http://${address}`);
  return {
    api: http('api', 'api'),
    eposTester: http('epos-tester', 'eposTester')[0] ?? '',
    sandbox: http('sandbox', 'sandboxControl')[0] ?? '',
    gatewayGrpc: all('pay-at-table-gateway', 'gatewayGrpc'),
    gatewayInternal: all('pay-at-table-gateway', 'gatewayInternal'),
    gatewayHttp: http('pay-at-table-gateway', 'gatewayHttp'),
  };
}

function portOf(places: Places, app: WorldAppName, port: PortName): number {
  return places.processes.find((place) => place.app === app)?.ports[port] ?? 0;
}

/** Deletes what a world kept; for tests. */
export async function forgetWorld(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
}
