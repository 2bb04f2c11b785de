import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { newId, newKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/permissions';
import { Accounts } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import type * as rest from '@pos/rest-contracts/tester';
import { serveAcquirer } from '@pos/sandbox/acquirer-grpc-server';
import { wallClock } from '@pos/sandbox/clock';
import { serveTables } from '@pos/sandbox/epos-grpc-server';
import { eposRestHandler } from '@pos/sandbox/epos-rest-server';
import type { EposDoor as ReferenceEposDoor } from '@pos/sandbox/epos-door';
import { MACHINE_MODELS } from '@pos/sandbox/machine-play';
import { memoryJournal } from '@pos/sandbox/acquirer-books';
import { Seed } from '@pos/sandbox/seed';
import { World, type WorldEpos, type WorldPlace } from '@pos/sandbox/world';
import { readConfig } from '@pos/service-kit/config';
import { openLog } from '@pos/service-kit/log';
import { callsBetween } from '@pos/store/acquirer-calls';
import { makeAccount } from '@pos/store/accounts';
import { insertApiKey } from '@pos/store/api-keys';
import { liveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { searchIntents } from '@pos/store/payment-intents';
import { freshDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { insertTerminal } from '@pos/store/terminals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { boot, type RunningTester } from './boot.js';
import { Config } from './config.js';

/** How the EPOS of a restaurant is reached: it dials in (d2), it is dialled (d1), or it serves the EPOS Data API, at its address and over its socket. */
export type Way = 'stream' | 'dialled' | 'data';

/** A sandbox account with its machines and its EPOS. */
export interface Restaurant {
  readonly scope: Scope;
  readonly testerKey: string;
  readonly place: WorldPlace;
  readonly epos: ReferenceEposDoor;
}

const GATEWAY = fileURLToPath(new URL('../../pay-at-table-gateway/dist/main.js', import.meta.url));
/** Simulated machines and guests are this much faster than real ones. */
const TIME_SCALE = 100;

const SETTINGS = {
  HTTP_PORT: '0',
  ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
  KEY_PEPPER: TEST_SECRETS.pepper,
  NODE_ENV: 'test',
} as const;

/** A tester in this process, a gateway in one of its own, and restaurants around them. */
export class TestTown {
  readonly #restaurants: Restaurant[] = [];

  private constructor(
    readonly tester: RunningTester,
    readonly store: TestDatabase,
    private readonly parts: {
      readonly gateway: ChildProcess;
      readonly internalGrpc: string;
      readonly world: World;
      readonly rest: HttpServer;
      readonly tables: { readonly server: Server; readonly port: number };
    },
  ) {}

  static async open(): Promise<TestTown> {
    const store = await freshDatabase();
    const gateway = await startGateway(store.url);
    const clock = wallClock({ timeScale: TIME_SCALE, standingAt: null });
    const world = new World({
      seed: new Seed('tester'),
      clock,
      journal: memoryJournal(),
      service: { gatewayAddresses: [gateway.grpc], gatewayUrls: [gateway.health.replace('http', 'ws')], apiUrl: null },
    });
    const tables = await listen((server) => {
      serveTables(server, (username) => world.findDialledEpos(username));
      serveAcquirer(server, { door: world.acquirer, clock, stepUpUrl: 'http://127.0.0.1/step-up' });
    });
    const rest = createServer(eposRestHandler((username) => world.findDialledEpos(username)));
    await new Promise<void>((resolve) => rest.listen(0, '127.0.0.1', resolve));
    const tester = await bootTester(store, gateway.internalGrpc);
    return new TestTown(tester, store, {
      gateway: gateway.process,
      internalGrpc: gateway.internalGrpc,
      ...{ world, rest, tables },
    });
  }

  /** Where the EPOSes are that are dialled. */
  get tablesUrl(): string {
    return `http://127.0.0.1:${this.parts.tables.port}`;
  }

  /** Where the EPOSes are that serve the EPOS Data API over REST. */
  get restUrl(): string {
    return `http://127.0.0.1:${(this.parts.rest.address() as AddressInfo).port}`;
  }

  /** Another tester of the same service, which may know of more gateways. */
  another(...gateways: readonly string[]): Promise<RunningTester> {
    return bootTester(this.store, [...gateways, this.parts.internalGrpc].join(','));
  }

  /** A restaurant of its own, with its EPOS on the way that is asked for. */
  async restaurant(way: Way): Promise<Restaurant> {
    const { database } = this.store;
    const number = this.#restaurants.length + 1;
    const scope: Scope = { accountId: newId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' };
    const [apiKey, testerKey] = [newKeyText('sandbox', randomBytes(32)), newKeyText('sandbox', randomBytes(32))];
    const epos: WorldEpos = {
      ...{ username: `restaurant-${number}`, password: `password-${number}`, dialsIn: way === 'stream' },
      ...(way === 'data' && { sockets: ['ws'], needsLocks: true }),
    };
    const merchantId = `5265670${String(number).padStart(2, '0')}`;
    await makeAccount(database, {
      id: scope.accountId,
      name: `restaurant-${number}`,
      tradingName: `Restaurant ${number}`,
      merchantId,
      locationId: newId('location', 'sandbox', randomBytes(16)),
      currencies: ['GBP'],
      settings: {},
      createdAt: await database.now(),
    });
    await database.transact(scope, async (tx) => {
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text: apiKey, label: 'world', permissions: ROLES.full });
      const permissions = ROLES['epos-only'];
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text: testerKey, label: 'tester', permissions });
      for (const { tid, name } of MACHINE_MODELS) {
        await insertTerminal(tx, { id: await tx.newId('terminal'), tid, name });
      }
      if (way === 'stream') return;
      const { username, password } = epos;
      if (way === 'data') {
        const capabilities = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
        await putEposIntegration(tx, { kind: 'rest', url: this.restUrl, username, password, capabilities });
        await putEposIntegration(tx, { kind: 'ws', url: null, username: null, password: null, capabilities });
        return;
      }
      await putEposIntegration(tx, { kind: 'grpc', url: this.tablesUrl, username, password, capabilities: [] });
    });
    const place = this.parts.world.provision({
      ...{ accountId: scope.accountId, apiKey, merchantId, epos },
      tradingName: `Restaurant ${number}`,
      currencyCode: 'GBP',
      softwareHouseId: 'house-1',
      hasMachines: true,
      amountTriggers: true,
    });
    const restaurant = { scope, testerKey, place, epos: place.epos! };
    this.#restaurants.push(restaurant);
    const opened = { stream: 'epos-grpc-stream', dialled: null, data: 'epos-ws' } as const;
    const kind = opened[way];
    if (kind !== null) {
      await until(async () => (await database.read(scope, (reader) => liveConnections(reader, [kind]))).length > 0);
    }
    return restaurant;
  }

  /** Does what the worker does with calls to the acquirer that are open. */
  async settleCalls({ scope }: Restaurant): Promise<void> {
    const { database } = this.store;
    const acquirer = new AcquirerClient(`127.0.0.1:${this.parts.tables.port}`);
    const settings = DEFAULT_PAYMENT_SETTINGS;
    const calls = new AcquirerCalls({ database, acquirer, accounts: new Accounts(), settings });
    const made = await database.read(scope, (reader) => callsBetween(reader, new Date(0), new Date('2999-01-01')));
    const open = made.filter(({ kind, state }) => kind !== 'Authorise' && state !== 'Settled');
    for (const { reference } of open) await calls.pursue(scope, reference);
    acquirer.close();
  }

  async intentStatuses({ scope }: Restaurant): Promise<string[]> {
    const search = { statuses: [], from: null, to: null, limit: 100, cursor: null, direction: 'older' } as const;
    const { elements } = await this.store.database.read(scope, (reader) => searchIntents(reader, search));
    return elements.map(({ status }) => status);
  }

  /** One request at the tester's API. */
  async request(
    method: 'GET' | 'POST',
    path: string,
    more: {
      readonly key?: string;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
      /** Another tester than the first. */
      readonly base?: string;
    } = {},
  ): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
    const { key, body, headers, base = this.tester.url } = more;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Basic ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  /** Begins a run and returns its id. */
  async start(restaurant: Restaurant, flow: string, params: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await this.request('POST', '/flows', {
      key: restaurant.testerKey,
      body: { flow, params },
    });
    if (status !== 200) throw new Error(`${flow} was not begun: ${JSON.stringify(body)}`);
    return body as string;
  }

  async read(restaurant: Restaurant, id: string): Promise<rest.Run> {
    const { status, body } = await this.request('GET', `/flows/${id}`, { key: restaurant.testerKey });
    if (status !== 200) throw new Error(`${id} cannot be read: ${JSON.stringify(body)}`);
    return body as rest.Run;
  }

  /** Plays a flow to its end. */
  async play(restaurant: Restaurant, flow: string, params: Record<string, unknown> = {}): Promise<rest.Run> {
    return this.ended(restaurant, await this.start(restaurant, flow, params));
  }

  async ended(restaurant: Restaurant, id: string): Promise<rest.Run> {
    await until(async () => {
      // Flows wait for what the worker does.
      await this.settleCalls(restaurant);
      return (await this.read(restaurant, id)).status !== 'IN_PROGRESS';
    });
    return this.read(restaurant, id);
  }

  async close(): Promise<void> {
    const { gateway, world, rest, tables } = this.parts;
    await this.tester.close();
    world.stop();
    rest.closeAllConnections();
    rest.close();
    tables.server.forceShutdown();
    if (gateway.exitCode === null) {
      gateway.kill('SIGKILL');
      await once(gateway, 'exit');
    }
    await this.store.close();
  }
}

/** The clauses that a run says were broken. */
export function brokenClauses(run: rest.Run): string[] {
  const lines = run.steps.flatMap(({ additionalInformation }) => additionalInformation);
  return lines.flatMap((line) => /: expected .* \[([a-z.-]+)\]$/.exec(line)?.[1] ?? []);
}

/** Waits for something that other processes bring about; fails after 60 s. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const LOOKS_MAX = 1_200;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('what was waited for did not happen');
}

function bootTester(store: TestDatabase, internalGrpc: string): Promise<RunningTester> {
  const env = { ...SETTINGS, DATABASE_URL: store.url, GATEWAY_INTERNAL_ADDRESSES: internalGrpc, LOG_LEVEL: 'fatal' };
  const config = readConfig(Config, env);
  return boot(config, openLog({ app: 'epos-tester', level: config.LOG_LEVEL }));
}

const Started = z.object({ health: z.string(), grpc: z.string(), internalGrpc: z.string() });

/** The real gateway as a process of its own; it says on its log where it listens. */
async function startGateway(databaseUrl: string) {
  const child = spawn(process.execPath, [GATEWAY], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...SETTINGS,
      DATABASE_URL: databaseUrl,
      GRPC_PORT: '0',
      INTERNAL_GRPC_PORT: '0',
      ALLOW_PLAINTEXT_EPOS: 'true',
      EPOS_CALL_LIMIT_MS: '6000',
    },
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const started = Started.safeParse(JSON.parse(line));
    if (!started.success) continue;
    child.stdout.resume();
    return { process: child, ...started.data };
  }
  throw new Error('the gateway did not start; is it built?');
}

async function listen(serve: (server: Server) => void): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new Server();
  serve(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) => {
      if (error === null) resolve(taken);
      else reject(error);
    });
  });
  return { server, port };
}
