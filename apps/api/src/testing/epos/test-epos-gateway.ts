import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@pos/core/identity';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { requireValue } from '@pos/core/refusals';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { type EposSimulator } from '@pos/sandbox/epos-simulator';
import { openRestaurantEpos } from '@pos/sandbox/testing';
import { createEposRestHandler } from '@pos/sandbox/epos-transports';
import { createAccount, putEposIntegration } from '@pos/store/repositories';
import { createTestDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { z } from 'zod';
import type { ApiTestEnvironment } from '../api-test-environment.js';
import { getInternalTls } from '@pos/service-kit/testing';

const GATEWAY_PROGRAM = fileURLToPath(new URL('../../../../pay-at-table-gateway/bundle/main.js', import.meta.url));
const GatewayStart = z.object({ internalGrpc: z.string() });
const CALL_LIMIT_MS = 1_500;
const PASSWORD = 'secret:word';

/**
 * A real gateway, in a process of its own, and the EPOSes of restaurants that it calls. It has a database of its own, so
 * that it does not continue the payments of other tests.
 */
export class TestEposGateway {
  readonly #restaurants = new Map<string, EposSimulator>();
  readonly #rest: Server;

  private constructor(
    private readonly gateway: { readonly process: ChildProcess; readonly address: string },
    private readonly testDatabase: TestDatabase,
  ) {
    this.#rest = createServer(
      createEposRestHandler((username) => {
        const simulator = this.#restaurants.get(username);
        return simulator === undefined ? null : { simulator, merchantName: 'The Oyster Shed', password: PASSWORD };
      }),
    );
  }

  static async open(): Promise<TestEposGateway> {
    const testDatabase = await createTestDatabase();
    const started = new TestEposGateway(await startGateway(testDatabase.url), testDatabase);
    await new Promise<void>((resolve) => started.#rest.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** The settings of an API that uses this gateway. */
  get settings() {
    return { GATEWAY_INTERNAL_ADDRESSES: this.gateway.address, ...getInternalTls('api') };
  }

  /** Opens a restaurant for an account of the API, whose EPOS has registered these capabilities. */
  async openRestaurant(
    { testDatabase }: Pick<ApiTestEnvironment, 'testDatabase'>,
    scope: Scope,
    names: readonly EposCapability[] = EPOS_CAPABILITIES,
  ): Promise<EposSimulator> {
    const { accountId } = scope;
    const simulator = openRestaurantEpos({
      ...{ seed: new Seed(accountId), clock: createWallClock({ timeScale: 1, frozenAt: null }), accountId },
      ...{ currencyCode: 'GBP', merchantName: 'The Oyster Shed', needsLocks: false, readIntent: null },
    });
    this.#restaurants.set(accountId, simulator);
    const { database } = this.testDatabase;
    await createAccount(database, {
      ...{ id: accountId, name: accountId, tradingName: 'The Oyster Shed', merchantId: accountId },
      ...{ locationId: `loc_${accountId.slice(4)}`, currencies: ['GBP'], settings: {}, createdAt: new Date() },
    });
    await this.register({ testDatabase }, scope, names);
    return simulator;
  }

  /** Registers these capabilities from now on. */
  async register(
    { testDatabase }: Pick<ApiTestEnvironment, 'testDatabase'>,
    scope: Scope,
    names: readonly EposCapability[],
  ): Promise<void> {
    const url = `http://127.0.0.1:${(this.#rest.address() as AddressInfo).port}`;
    const capabilities = names.map((name) => ({ name, version: 'v1' as const }));
    const integration = { kind: 'rest', url, username: scope.accountId, password: PASSWORD, capabilities } as const;
    for (const { database } of [testDatabase, this.testDatabase])
      await database.transact(scope, (tx) => putEposIntegration(tx, integration));
  }

  async close(): Promise<void> {
    const { process } = this.gateway;
    const ended = once(process, 'exit');
    process.kill();
    await ended;
    this.#rest.closeAllConnections();
    this.#rest.close();
    await this.testDatabase.close();
  }
}

async function startGateway(databaseUrl: string) {
  const child = spawn(process.execPath, [GATEWAY_PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: '4', NODE_ENV: 'test' },
      ...{ ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'), KEY_PEPPER: TEST_SECRETS.pepper },
      ...{ HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_GRPC_PORT: '0', ACQUIRER_ADDRESS: '127.0.0.1:1' },
      ...getInternalTls('pay-at-table-gateway'),
      ...{ ALLOW_PLAINTEXT_EPOS: 'true', EPOS_CALL_LIMIT_MS: String(CALL_LIMIT_MS) },
    },
  });
  const output = requireValue(child.stdout, 'the output of the gateway');
  for await (const line of createInterface({ input: output })) {
    const started = GatewayStart.safeParse(JSON.parse(line));
    if (!started.success) continue;
    output.resume();
    return { process: child, address: started.data.internalGrpc };
  }
  throw new Error('the gateway did not start; is it built?');
}
