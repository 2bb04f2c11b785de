import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { createApiKeyText } from '@pos/core/ids';
import { ROLES, type Scope } from '@pos/core/identity';
import type * as rest from '@pos/rest-contracts/operators';
import type { EposSimulator as ReferenceEposSimulator } from '@pos/sandbox/epos-simulator';
import type { AccountSimulation } from '@pos/sandbox/environment';
import { readConfig } from '@pos/service-kit/config';
import { createLog } from '@pos/service-kit/telemetry';
import { insertApiKey } from '@pos/store/repositories';
import { searchIntents } from '@pos/store/payments';
import { createTestDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { randomBytes } from 'node:crypto';
import { TestBench, type EposAddress, type EnrolledAccount, createEposKey } from '../test-bench/test-bench.js';
import type { HttpServer } from '@pos/service-kit/http';
import { startTester } from '../tester-server.js';
import { Config } from '../config/config.js';

/**
 * The transport of a restaurant's EPOS: it dials in (d2, c), it is dialled (d1), or it serves the EPOS Data API at its
 * address and over its socket.
 */
export type TestTransport = 'stream' | 'tables-socket' | 'dialled' | 'data';

/** A sandbox account with its machines and its EPOS. */
export interface Restaurant {
  readonly scope: Scope;
  readonly testerKey: string;
  readonly enrolled: EnrolledAccount;
  readonly place: AccountSimulation;
  readonly epos: ReferenceEposSimulator;
}

/** With which the tests sign requests of the portal. */
export const TESTER_PORTAL_KEY = 'a key of the portal for tests, which is long enough';
const SETTINGS = {
  HTTP_PORT: '0',
  ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
  KEY_PEPPER: TEST_SECRETS.pepper,
  NODE_ENV: 'test',
} as const;

/** A tester in this process, a gateway in its own process, and restaurants. */
export class TesterTestEnvironment {
  #restaurants = 0;

  private constructor(
    readonly tester: HttpServer,
    readonly store: TestDatabase,
    readonly bench: TestBench,
  ) {}

  static async open(): Promise<TesterTestEnvironment> {
    const store = await createTestDatabase();
    const log = createLog({ app: 'epos-tester', level: 'fatal' });
    const { database, url: databaseUrl } = store;
    const gatewayEnv = { NODE_ENV: 'test', EPOS_CALL_LIMIT_MS: '6000' };
    const bench = await TestBench.open({ database, databaseUrl, secrets: TEST_SECRETS, log, gatewayEnv });
    return new TesterTestEnvironment(await bootTester(store, bench), store, bench);
  }

  /** The address of the EPOSes that are dialled. */
  get tablesUrl(): string {
    return this.bench.referenceUrls.grpcUrl;
  }

  /** The address of the EPOSes that serve the EPOS Data API over REST. */
  get restUrl(): string {
    return this.bench.referenceUrls.restUrl;
  }

  /** Another tester of the same service, which may have more gateways. */
  startAnotherTester(...gateways: readonly string[]): Promise<HttpServer> {
    return bootTester(this.store, this.bench, gateways);
  }

  /** A separate restaurant, with its EPOS on the requested transport. */
  async createRestaurant(transport: TestTransport): Promise<Restaurant> {
    this.#restaurants += 1;
    const number = this.#restaurants;
    const [username, password] = [`restaurant-${number}`, `password-${number}`];
    const at = (url: string): EposAddress => ({ url, username, password });
    const sockets = { data: ['ws'], 'tables-socket': ['tables-ws'], stream: [], dialled: [] } as const;
    const enrolled = await this.bench.enroll({
      ...{ name: username, currencyCode: 'GBP', apiKey: createEposKey(), opensSocket: transport === 'data' },
      grpc: transport === 'dialled' ? at(this.tablesUrl) : null,
      rest: transport === 'data' ? at(this.restUrl) : null,
      capabilities: EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' })),
      reference: {
        username,
        password,
        dialsIn: transport === 'stream',
        sockets: sockets[transport],
        needsLocks: transport === 'data',
      },
    });
    const { scope, place } = enrolled;
    const testerKey = createApiKeyText('sandbox', randomBytes(32));
    await this.store.database.transact(scope, async (tx) => {
      const permissions = ROLES['epos-only'];
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text: testerKey, label: 'tester', permissions });
    });
    const opened = {
      stream: 'grpc-stream',
      'tables-socket': 'tables-ws',
      dialled: 'grpc-dialled',
      data: 'ws',
    } as const;
    await waitUntil(() => this.bench.isConnected(enrolled, opened[transport]));
    return { scope, testerKey, enrolled, place, epos: place.epos! };
  }

  /** Does the worker's part: resolves open calls to the acquirer. */
  settleCalls({ scope }: Restaurant): Promise<void> {
    return this.bench.settleCalls(scope);
  }

  async listIntentStatuses({ scope }: Restaurant): Promise<string[]> {
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

  /** Starts a run and returns its id. */
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
    return this.waitForEnd(restaurant, await this.start(restaurant, flow, params));
  }

  async waitForEnd(restaurant: Restaurant, id: string): Promise<rest.Run> {
    await waitUntil(async () => {
      // Flows wait for the worker's part.
      await this.settleCalls(restaurant);
      return (await this.read(restaurant, id)).status !== 'IN_PROGRESS';
    });
    return this.read(restaurant, id);
  }

  async close(): Promise<void> {
    await this.tester.close();
    await this.bench.close();
    await this.store.close();
  }
}

/** The clauses that a run reports as broken. */
export function listBrokenClauses(run: rest.Run): string[] {
  const lines = run.steps.flatMap(({ additionalInformation }) => additionalInformation);
  return lines.flatMap((line) => /: expected .* \[([a-z.-]+)\]$/.exec(line)?.[1] ?? []);
}

/** Waits for a change by other processes; fails after 60 s. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const LOOKS_MAX = 1_200;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('what was waited for did not happen');
}

/** Starts a tester that asks these gateways before the one of the bench. */
function bootTester(
  store: TestDatabase,
  { gateway, internalTls }: TestBench,
  gateways: readonly string[] = [],
): Promise<HttpServer> {
  const env = {
    ...SETTINGS,
    PORTAL_KEY: TESTER_PORTAL_KEY,
    DATABASE_URL: store.url,
    DATABASE_CONNECTIONS: '4',
    GATEWAY_INTERNAL_ADDRESSES: [...gateways, gateway.internalGrpc].join(','),
    ...internalTls,
    LOG_LEVEL: 'fatal',
  };
  const config = readConfig(Config, env);
  return startTester(config, createLog({ app: 'epos-tester', level: config.LOG_LEVEL }));
}
