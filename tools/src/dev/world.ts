import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '@pos/store/startup';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { APP_ROLE, migrate, buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations';
import { AppProcess } from './app-process.js';
import { type DevCertificates, devCertificates } from './certificates.js';
import { endLeftBehind, forgetProcesses, rememberProcesses } from './left-behind.js';
import {
  type AddressOptions,
  type AppAddress,
  chooseAddresses,
  getAddresses,
  getPort,
  getProgram,
  type ProgramForm,
  type WorldAddressBook,
  type WorldAddresses,
} from './places.js';
import { LOOPBACK } from './ports.js';
import { loadDevSecrets, type Secrets } from './secrets.js';
import { registerEposes, getSandboxEpos } from './epos-registration.js';
import { forgetAgreedSettings, seedDatabase, seedPortalUsers, type SeededAccount, listSeededAccounts } from './seed.js';
import { WORLD_APPS, type WorldApp, type WorldFacts } from './world-apps.js';
import { createWorldFetch, DEMO_CLIENT, WorldTls } from './world-tls.js';

/** The whole service with its outside world, on one machine. Without options: the world of `npm start`. */
export interface WorldOptions extends AddressOptions {
  /** The folder of rows, logs, keys and certificates. */
  readonly dataDir: string;
  readonly seed?: string | undefined;
  /** The number of restaurants; all when left out. Tests that need no more take the first two. */
  readonly restaurants?: number;
  /** The owner's address of a server to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Whether every connection of the apps is encrypted. */
  readonly tls?: boolean;
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
  /** What the apps run; their bundles when left out. */
  readonly programs?: ProgramForm | undefined;
  /** How long the start waits for each app; five minutes when left out. */
  readonly readyMsMax?: number;
  /** The root of another build of the repository that the apps run; this one when left out. */
  readonly appsRoot?: string;
  /** The migrations of the database; those of this release when left out. */
  readonly migrations?: string;
}

/** A running world. */
export interface DevWorld {
  readonly accounts: readonly SeededAccount[];
  readonly addresses: WorldAddresses;
  readonly certificates: DevCertificates;
  /** Null where only internal calls have TLS. */
  readonly tls: WorldTls | null;
  /** Ports on loopback at which webhooks may be received. */
  readonly receiverPorts: readonly number[];
  /** The origins of the pages that may embed the card fields of every account. */
  readonly embeddingOrigins: readonly string[];
  readonly secrets: Secrets;
  /** The login of the apps, over TCP. */
  readonly databaseUrl: string;
  /** The same as the apps connect: over a Unix socket where there is one. */
  readonly appsDatabaseUrl: string;
  /** The login of the database's owner, who may create databases beside it, as the apps connect. */
  readonly ownerDatabaseUrl: string;
  readonly readyUrls: readonly string[];
  /** Registers the EPOSes of accounts, as an integrator does. */
  registerEposes(accounts: readonly SeededAccount[]): Promise<void>;
  /** A process by its name: `api`, `pay-at-table-gateway-2`. */
  app(name: string): AppProcess;
  readonly apps: readonly AppProcess[];
  /** Migrates the schema to the version of the folder of migrations. */
  migrate(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and deletes all its files; for tests. */
  remove(): Promise<void>;
}

/**
 * Starts everything and resolves when all of it is ready. When a part fails, the started ones are stopped, and the
 * files of a world that is not durable are deleted.
 */
export async function startWorld(options: WorldOptions): Promise<DevWorld> {
  const { dataDir, signal, log = () => undefined } = options;
  await mkdir(path.join(dataDir, 'logs'), { recursive: true });
  await endLeftBehind(dataDir);
  const places = await chooseAddresses(options);
  const secrets = await loadDevSecrets(path.join(dataDir, 'secrets.json'), options.seed);
  const certificatesFolder = path.join(dataDir, 'certificates');
  const worldTls = await openWorldTls(certificatesFolder);
  const tls = options.tls === true ? worldTls : null;
  const trusted = [options.egress?.caFile ?? null, tls?.filesOf('api').ca ?? null].filter((file) => file !== null);
  const certificates = await devCertificates(certificatesFolder, trusted);
  let postgres: EmbeddedPostgres | null = null;
  const apps: AppProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(apps.map((app) => app.stop()));
    await postgres?.stop();
    await forgetProcesses(dataDir);
  };
  const remove = async (): Promise<void> => {
    await stop();
    await postgres?.remove();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    signal?.throwIfAborted();
    log(options.databaseUrl === undefined ? 'starting PostgreSQL' : 'using the PostgreSQL of DATABASE_URL');
    if (options.databaseUrl === undefined) postgres = await startOwnPostgres(options);
    signal?.throwIfAborted();
    const ownerUrl = options.databaseUrl ?? postgres?.url ?? '';
    // The worlds of tests connect as in production, by TCP.
    const appsUrl = options.durable === false ? ownerUrl : (postgres?.socketUrl ?? ownerUrl);
    log('preparing tables and accounts');
    const facts = await prepareDatabase(options, { ownerUrl, appsUrl, secrets, places, certificates, tls, worldTls });
    signal?.throwIfAborted();
    log(`starting ${places.processes.map(({ name }) => name).join(', ')}`);
    const onStart = (): void => rememberProcesses(dataDir, listPids(apps));
    const { env = {}, programs, appsRoot: root, readyMsMax } = options;
    const started = { facts, env, log, onStart, programs, root, readyMsMax };
    apps.push(...places.processes.map((place) => startAppProcess(place, started)));
    for (const app of apps) app.start();
    const accounts = listSeededAccounts(secrets.worldKey, options.restaurants);
    const addresses = getAddresses(places, findScheme(tls));
    const register = (registered: readonly SeededAccount[]): Promise<void> =>
      registerEposesOf(registered, { addresses, facts, tls });
    // As soon as the API is available, while the others still start.
    const registering = getApp(apps, 'api')
      .untilReady(signal)
      .then(() => register(accounts));
    await Promise.all([...apps.map((app) => app.untilReady(signal)), registering]);
    return {
      ...{ accounts, addresses, certificates, tls, secrets, receiverPorts: places.receiverPorts },
      embeddingOrigins: listEmbeddingOrigins(places, findScheme(tls)),
      databaseUrl: buildRoleUrl(ownerUrl, APP_ROLE, secrets.appPassword),
      appsDatabaseUrl: facts.databaseUrl,
      ownerDatabaseUrl: appsUrl,
      registerEposes: register,
      readyUrls: apps.map((app) => app.readyUrl),
      app: (name) => getApp(apps, name),
      apps,
      migrate: () => migrate(ownerUrl, secrets),
      stop,
      remove,
    };
  } catch (error) {
    // Nobody starts a world of tests again.
    await (options.durable === false ? remove() : stop());
    throw error;
  }
}

/** Registers the EPOSes of accounts at the API of the world. */
function registerEposesOf(
  accounts: readonly SeededAccount[],
  world: { readonly addresses: WorldAddresses; readonly facts: WorldFacts; readonly tls: WorldTls | null },
): Promise<void> {
  const { addresses, facts, tls } = world;
  return registerEposes(addresses.api[0] ?? '', accounts, {
    ...{ grpcUrl: `${facts.eposGrpcScheme}://${facts.acquirerAddress}`, restUrl: addresses.sandboxEpos },
    send: createWorldFetch(tls?.filesOf(DEMO_CLIENT) ?? null),
  });
}

/** Where frameworks serve a page during its development. */
const PAGE_PORTS = [3000, 5173];

/** The pages that may embed the card fields: the sandbox's, and those of developers on this machine. */
function listEmbeddingOrigins(places: WorldAddressBook, scheme: ReturnType<typeof findScheme>): string[] {
  const ports = [...PAGE_PORTS, ...places.receiverPorts];
  const pages = ports.flatMap((port) => [`http://localhost:${port}`, `http://${LOOPBACK}:${port}`]);
  return [...new Set([getAddresses(places, scheme).sandbox, ...pages])];
}

function startOwnPostgres({ dataDir, durable = true, log = () => undefined }: WorldOptions): Promise<EmbeddedPostgres> {
  // A killed launcher must not leave a server behind, which would run forever.
  const afterExit = durable ? 'stop' : 'remove';
  return startPostgres({ dataDir: path.join(dataDir, 'postgres'), durable, log, afterExit });
}

/** Migrates, creates the logins, seeds, and returns the settings for the apps. */
async function prepareDatabase(
  options: WorldOptions,
  known: {
    readonly ownerUrl: string;
    /** The same database as the apps reach it. */
    readonly appsUrl: string;
    readonly secrets: Secrets;
    readonly places: WorldAddressBook;
    readonly certificates: DevCertificates;
    /** The certificates for internal calls, in each world, and `tls` where every other connection has them. */
    readonly worldTls: WorldTls;
    readonly tls: WorldTls | null;
  },
): Promise<WorldFacts> {
  const { ownerUrl, appsUrl, secrets, places, certificates, tls, worldTls } = known;
  const { appPassword, vaultPassword, vaultKeys, keyPepper, encryptionKey, worldKey } = secrets;
  await migrate(ownerUrl, secrets, { ...(options.migrations !== undefined && { folder: options.migrations }) });
  const databaseUrl = buildRoleUrl(appsUrl, APP_ROLE, appPassword);
  const build = await loadBuild(options.appsRoot);
  const database = await build.openDatabase({
    url: databaseUrl,
    applicationName: 'seed',
    secrets: { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const accounts = listSeededAccounts(worldKey, options.restaurants);
  const acquirerAddress = `${LOOPBACK}:${getPort(places, 'sandbox', 'sandboxGrpc')}`;
  try {
    const embeddingOrigins = listEmbeddingOrigins(places, findScheme(tls));
    await build.seedDatabase(database, accounts, { worldKey, embeddingOrigins });
    // Both are code of this release, which may not fit the schema of an earlier one.
    if (options.migrations === undefined) {
      await seedPortalUsers(database, accounts, worldKey);
      await forgetAgreedSettings(database);
    }
  } finally {
    await database.close();
  }
  const sandboxAccountsFile = path.join(options.dataDir, 'sandbox-accounts.json');
  await writeFile(`${sandboxAccountsFile}.new`, JSON.stringify(accounts.map(findSandboxAccount)), { mode: 0o600 });
  await rename(`${sandboxAccountsFile}.new`, sandboxAccountsFile);
  const { api, cardVault, checkout, gatewayGrpc, gatewayHttp, gatewayInternal, portal, sandbox, eposTester } =
    getAddresses(places, findScheme(tls));
  const receivers = places.receiverPorts.flatMap((port) => [`${LOOPBACK}:${port}`, `localhost:${port}`]);
  return {
    ...{ databaseUrl, vaultKeys, keyPepper, encryptionKey, acquirerAddress },
    vaultDatabaseUrl: buildRoleUrl(appsUrl, VAULT_ROLE, vaultPassword),
    sandboxUrl: sandbox,
    eposTesterUrl: eposTester,
    apiUrl: api[0] ?? '',
    cardVaultUrl: cardVault[0] ?? '',
    checkoutUrl: checkout,
    portalUrl: portal,
    portalKey: secrets.portalKey,
    seed: options.seed,
    dataDir: path.resolve(options.dataDir),
    caFile: path.resolve(certificates.egressFile),
    filesOf: (app) => tls?.filesOf(app) ?? null,
    internalFilesOf: (app) => worldTls.filesOf(app),
    eposGrpcScheme: findScheme(tls),
    egressAllow: [...receivers, ...(options.egress?.allow ?? [])],
    eposRestAddress: `${LOOPBACK}:${getPort(places, 'sandbox', 'sandboxEpos')}`,
    cardVaultAddress: `${LOOPBACK}:${getPort(places, 'card-vault', 'cardVaultGrpc')}`,
    gatewayAddresses: gatewayGrpc,
    gatewayHttpAddresses: gatewayHttp.map((url) => new URL(url).host),
    gatewayInternalAddresses: gatewayInternal,
    sandboxAccountsFile: path.resolve(sandboxAccountsFile),
  };
}

/** What writes the first rows: of the build whose apps will read them, because it knows their schema. */
async function loadBuild(
  root: string | undefined,
): Promise<{ readonly openDatabase: typeof openDatabase; readonly seedDatabase: typeof seedDatabase }> {
  if (root === undefined) return { openDatabase, seedDatabase };
  const load = (file: string): Promise<unknown> => import(pathToFileURL(path.join(root, file)).href);
  const store = (await load('packages/store/dist/startup/postgres-database.js')) as {
    openDatabase: typeof openDatabase;
  };
  const tools = (await load('tools/dist/dev/seed.js')) as { seedDatabase: typeof seedDatabase };
  return { ...store, ...tools };
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
    readonly programs: ProgramForm | undefined;
    readonly readyMsMax: number | undefined;
    readonly root: string | undefined;
  },
): AppProcess {
  const app: WorldApp = WORLD_APPS[place.app];
  const { facts, env, log, onStart, programs = 'bundle', root, readyMsMax } = world;
  const ports = Object.entries(app.ports).map(([setting, name]): [string, string] => [
    setting,
    String(place.ports[name]),
  ]);
  const files = facts.filesOf(place.app);
  const own = {
    ...app.settings(facts),
    ...(files === null ? {} : app.tlsSettings(files)),
    ...Object.fromEntries(ports),
  };
  return new AppProcess({
    name: place.name,
    entry: getProgram(place.app, programs, root),
    env: { ...own, ...env['*'], ...env[place.app], ...env[place.name] },
    ready: `${files === null || app.hasPlainHealth ? 'http' : 'https'}://${LOOPBACK}:${place.ports[app.health] ?? 0}/health/ready`,
    fetch: createWorldFetch(files),
    ...(readyMsMax !== undefined && { readyMsMax }),
    logFile: path.join(facts.dataDir, 'logs', `${place.name}.log`),
    onUnexpectedEnd: log,
    onStart,
  });
}

function openWorldTls(certificatesFolder: string): Promise<WorldTls> {
  return WorldTls.open(path.resolve(certificatesFolder, 'service'), Object.keys(WORLD_APPS));
}

function findScheme(tls: WorldTls | null): 'http' | 'https' {
  return tls === null ? 'http' : 'https';
}

function getApp(apps: readonly AppProcess[], name: string): AppProcess {
  const app = apps.find((each) => each.name === name);
  if (app !== undefined) return app;
  throw new Error(`no process is named ${name}; there are ${apps.map((each) => each.name).join(', ')}`);
}

function listPids(apps: readonly AppProcess[]): number[] {
  return apps.map(({ pid }) => pid).filter((pid) => pid !== null);
}
