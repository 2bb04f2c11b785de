import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '@pos/store/startup/postgres-database';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database/embedded-postgres';
import { APP_ROLE, migrate, buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations/migrate';
import { AppProcess } from './app-process.js';
import { type DevCertificates, devCertificates } from './certificates.js';
import { endLeftBehind, forgetProcesses, rememberProcesses } from './left-behind.js';
import {
  getAddresses,
  getEntry,
  type AppAddress,
  type WorldAddressBook,
  chooseAddresses,
  type AddressOptions,
  getPort,
} from './places.js';
import type { WorldAddresses } from './places.js';
import { LOOPBACK } from './ports.js';
import { loadDevSecrets, type Secrets } from './secrets.js';
import { registerEposes, getSandboxEpos } from './epos-ways.js';
import { seedDatabase, type SeededAccount, listSeededAccounts } from './seed.js';
import { WORLD_APPS, type WorldApp, type WorldFacts } from './world-apps.js';

/** The whole service with its outside world, on one machine. Without options: the world of `npm start`. */
export interface WorldOptions extends AddressOptions {
  /** The folder of rows, logs, keys and certificates. */
  readonly dataDir: string;
  readonly seed?: string | undefined;
  /** The number of restaurants; all when left out. Tests that need no more take the first two. */
  readonly restaurants?: number;
  /** The owner's address of a server to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** False makes the embedded server faster, but not durable; for tests. */
  readonly durable?: boolean;
  /**
   * Settings that override those of every app (`*`), of an app (`webhook-worker`) or of one process
   * (`webhook-worker-2`).
   */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Addresses that may be called besides the receivers', and the PEM file of their certificate authority. */
  readonly egress?: { readonly allow: readonly string[]; readonly caFile: string | null };
  /** When aborted, the start ends, and what already runs is stopped. */
  readonly signal?: AbortSignal;
  readonly log?: (line: string) => void;
}

/** A running world. */
export interface DevWorld {
  readonly accounts: readonly SeededAccount[];
  readonly addresses: WorldAddresses;
  readonly certificates: DevCertificates;
  /** Ports on loopback at which webhooks may be received. */
  readonly receiverPorts: readonly number[];
  readonly secrets: Secrets;
  /** The login of the apps. */
  readonly databaseUrl: string;
  readonly readyUrls: readonly string[];
  /** A process by its name: `api`, `pay-at-table-gateway-2`. */
  app(name: string): AppProcess;
  readonly apps: readonly AppProcess[];
  /** Migrates the schema to the version of the folder of migrations. */
  migrate(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and deletes all its files; for tests. */
  remove(): Promise<void>;
}

/** Starts everything and resolves when all of it is ready. When a part fails, the started ones are stopped. */
export async function startWorld(options: WorldOptions): Promise<DevWorld> {
  const { dataDir, signal, log = () => undefined } = options;
  await mkdir(path.join(dataDir, 'logs'), { recursive: true });
  await endLeftBehind(dataDir);
  const places = await chooseAddresses(options);
  const secrets = await loadDevSecrets(path.join(dataDir, 'secrets.json'), options.seed);
  const certificates = await devCertificates(path.join(dataDir, 'certificates'), options.egress?.caFile ?? null);
  let postgres: EmbeddedPostgres | null = null;
  const apps: AppProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(apps.map((app) => app.stop()));
    await postgres?.stop();
    await forgetProcesses(dataDir);
  };
  try {
    signal?.throwIfAborted();
    log(options.databaseUrl === undefined ? 'starting PostgreSQL' : 'using the PostgreSQL of DATABASE_URL');
    if (options.databaseUrl === undefined) postgres = await startOwnPostgres(options);
    signal?.throwIfAborted();
    const ownerUrl = options.databaseUrl ?? postgres?.url ?? '';
    log('preparing tables and accounts');
    const facts = await prepareDatabase(options, { ownerUrl, secrets, places, certificates });
    signal?.throwIfAborted();
    log(`starting ${places.processes.map(({ name }) => name).join(', ')}`);
    const onStart = (): void => rememberProcesses(dataDir, listPids(apps));
    apps.push(
      ...places.processes.map((place) => startAppProcess(place, { facts, env: options.env ?? {}, log, onStart })),
    );
    for (const app of apps) app.start();
    const accounts = listSeededAccounts(secrets.worldKey, options.restaurants);
    const addresses = getAddresses(places);
    // As soon as the API is available, while the others still start.
    const registering = getApp(apps, 'api')
      .untilReady(signal)
      .then(() =>
        registerEposes(addresses.api[0] ?? '', accounts, {
          grpcUrl: `http://${facts.acquirerAddress}`,
          restUrl: addresses.sandboxEpos,
        }),
      );
    await Promise.all([...apps.map((app) => app.untilReady(signal)), registering]);
    return {
      accounts,
      addresses,
      certificates,
      receiverPorts: places.receiverPorts,
      secrets,
      databaseUrl: facts.databaseUrl,
      readyUrls: apps.map((app) => app.readyUrl),
      app: (name) => getApp(apps, name),
      apps,
      migrate: () => migrate(ownerUrl, secrets),
      stop,
      async remove() {
        await stop();
        await postgres?.remove();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startOwnPostgres({ dataDir, durable = true, log = () => undefined }: WorldOptions): Promise<EmbeddedPostgres> {
  // A killed launcher must not leave a server behind, which would run forever.
  return startPostgres({ dataDir: path.join(dataDir, 'postgres'), durable, log, afterExit: 'stop' });
}

/** Migrates, creates the logins, seeds, and returns the settings for the apps. */
async function prepareDatabase(
  options: WorldOptions,
  known: { readonly ownerUrl: string; secrets: Secrets; places: WorldAddressBook; certificates: DevCertificates },
): Promise<WorldFacts> {
  const { ownerUrl, secrets, places, certificates } = known;
  const { appPassword, vaultPassword, vaultKeys, keyPepper, encryptionKey, worldKey } = secrets;
  await migrate(ownerUrl, secrets);
  const databaseUrl = buildRoleUrl(ownerUrl, APP_ROLE, appPassword);
  const database = await openDatabase({
    url: databaseUrl,
    applicationName: 'seed',
    secrets: { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const accounts = listSeededAccounts(worldKey, options.restaurants);
  const acquirerAddress = `${LOOPBACK}:${getPort(places, 'sandbox', 'sandboxGrpc')}`;
  try {
    await seedDatabase(database, accounts, { worldKey });
  } finally {
    await database.close();
  }
  const sandboxAccountsFile = path.join(options.dataDir, 'sandbox-accounts.json');
  await writeFile(`${sandboxAccountsFile}.new`, JSON.stringify(accounts.map(findSandboxAccount)), { mode: 0o600 });
  await rename(`${sandboxAccountsFile}.new`, sandboxAccountsFile);
  const { api, cardVault, checkout, gatewayGrpc, gatewayHttp, gatewayInternal, sandbox } = getAddresses(places);
  const receivers = places.receiverPorts.flatMap((port) => [`${LOOPBACK}:${port}`, `localhost:${port}`]);
  return {
    databaseUrl,
    vaultDatabaseUrl: buildRoleUrl(ownerUrl, VAULT_ROLE, vaultPassword),
    vaultKeys,
    sandboxUrl: sandbox,
    apiUrl: api[0] ?? '',
    cardVaultUrl: cardVault[0] ?? '',
    checkoutUrl: checkout,
    keyPepper,
    encryptionKey,
    seed: options.seed,
    dataDir: path.resolve(options.dataDir),
    caFile: path.resolve(certificates.egressFile),
    egressAllow: [...receivers, ...(options.egress?.allow ?? [])],
    acquirerAddress,
    eposRestAddress: `${LOOPBACK}:${getPort(places, 'sandbox', 'sandboxEpos')}`,
    cardVaultAddress: `${LOOPBACK}:${getPort(places, 'card-vault', 'cardVaultGrpc')}`,
    gatewayAddresses: gatewayGrpc,
    gatewayHttpAddresses: gatewayHttp.map((url) => new URL(url).host),
    gatewayInternalAddresses: gatewayInternal,
    sandboxAccountsFile: path.resolve(sandboxAccountsFile),
  };
}

function findSandboxAccount({ accountId, keys, merchantId, tradingName, epos }: SeededAccount) {
  return { accountId, apiKey: keys.machines, merchantId, tradingName, currencyCode: 'GBP', epos: getSandboxEpos(epos) };
}

function startAppProcess(
  place: AppAddress,
  world: {
    readonly facts: WorldFacts;
    readonly env: NonNullable<WorldOptions['env']>;
    readonly log: (line: string) => void;
    readonly onStart: () => void;
  },
): AppProcess {
  const app: WorldApp = WORLD_APPS[place.app];
  const { facts, env, log, onStart } = world;
  const ports = Object.entries(app.ports).map(([setting, name]): [string, string] => [
    setting,
    String(place.ports[name]),
  ]);
  const own = { ...app.settings(facts), ...Object.fromEntries(ports) };
  return new AppProcess({
    name: place.name,
    entry: getEntry(place.app),
    env: { ...own, ...env['*'], ...env[place.app], ...env[place.name] },
    ready: `http://${LOOPBACK}:${place.ports[app.health] ?? 0}/health/ready`,
    logFile: path.join(facts.dataDir, 'logs', `${place.name}.log`),
    onUnexpectedEnd: log,
    onStart,
  });
}

function getApp(apps: readonly AppProcess[], name: string): AppProcess {
  const app = apps.find((each) => each.name === name);
  if (app !== undefined) return app;
  throw new Error(`no process is named ${name}; there are ${apps.map((each) => each.name).join(', ')}`);
}

function listPids(apps: readonly AppProcess[]): number[] {
  return apps.map(({ pid }) => pid).filter((pid) => pid !== null);
}
