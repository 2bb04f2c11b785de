import { createId, createApiKeyText } from '@pos/core/ids';
import type { RegisteredCapability } from '@pos/core/tables';
import { ROLES, type Scope } from '@pos/core/identity';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { createMemoryJournal } from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { MACHINE_MODELS } from '@pos/sandbox/machines';
import { SimulatedEnvironment, type SimulatedEposOptions, type AccountSimulation } from '@pos/sandbox/environment';
import { createLoopbackChannelCredentials } from '@pos/service-kit/grpc';
import { InternalIdentity } from '@pos/service-kit/internal';
import type { Log } from '@pos/service-kit/telemetry';
import { listCallsBetween } from '@pos/store/payments';
import { createAccount, insertApiKey, putEposIntegration } from '@pos/store/repositories';
import { insertTerminal } from '@pos/store/terminals';
import { listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CardPayments } from '../drivers/card-payments.js';
import { EposDriver } from '../drivers/epos-driver.js';
import { BenchCertificates } from './bench-certificates.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import type { FlowSelection, RunFlow } from '../clause-coverage/group.js';
import type { Run } from '../runs/run.js';
import { RunService } from '../runs/run-service.js';
import type { GroupTransport } from '../clause-coverage/transports.js';
import { openSandboxServers, type SandboxServers } from './sandbox-servers.js';

/** An address where the EPOS is called, and its credentials. */
export interface EposAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** An EPOS under test, as an account of the bench registers it. */
export interface EposTarget {
  /** The name of the account. An EPOS that dials in at `/ws/v1/tables/epos` sends it beside its key. */
  readonly name: string;
  readonly currencyCode: string;
  /** The key that an EPOS sends when it dials in. */
  readonly apiKey: string;
  readonly grpc: EposAddress | null;
  readonly rest: EposAddress | null;
  /** Whether it opens a socket at `/epos`. */
  readonly opensSocket: boolean;
  /** Its capabilities of the EPOS Data API. */
  readonly capabilities: readonly Pick<RegisteredCapability, 'name' | 'version'>[];
  /** The EPOS of the sandbox; null: the EPOS is external. */
  readonly reference: SimulatedEposOptions | null;
}

/** An account of the bench with its EPOS. */
export interface EnrolledAccount {
  readonly scope: Scope;
  readonly request: EposTarget;
  readonly place: AccountSimulation;
}

/** The database of a bench, its keys, and further settings of its gateway. */
export interface BenchOptions {
  readonly database: Database;
  /** The same database, for the gateway. */
  readonly databaseUrl: string;
  readonly secrets: { readonly encryptionKey: Buffer; readonly pepper: string };
  readonly log: Log;
  readonly gatewayEnv?: Readonly<Record<string, string>>;
}

/** How many times faster simulated machines and payers are than real ones. */
const TIME_SCALE = 100;
const SETTLE_EVERY_MS = 100;
/** The certificates of a bench are not replaced. */
const TLS_RELOAD_MS = 60 * 60 * 1_000;

/**
 * The parts of the service that flows need, with the sandbox around them: a gateway in its own process, card machines
 * with their acquirer, and the runs of flows.
 */
export class TestBench {
  readonly runs: RunService;
  readonly #driver: EposDriver;
  #enrolled = 0;

  private constructor(
    private readonly options: BenchOptions,
    private readonly parts: {
      readonly certificates: BenchCertificates;
      readonly identity: InternalIdentity;
      readonly gateway: GatewayProcess;
      readonly world: SimulatedEnvironment;
      readonly servers: SandboxServers;
    },
  ) {
    const { database, log } = options;
    const target = { app: 'pay-at-table-gateway', addressSetting: 'the gateway of the bench' } as const;
    this.#driver = new EposDriver([parts.gateway.internalGrpc], (address) =>
      parts.identity.createChannel({ ...target, address }),
    );
    this.runs = new RunService({ database, driver: this.#driver, cards: new CardPayments(database), log });
  }

  /** Starts everything. Throws a sentence when the gateway cannot be started. */
  static async open(options: BenchOptions): Promise<TestBench> {
    const { databaseUrl, secrets, gatewayEnv = {}, log } = options;
    const certificates = await BenchCertificates.create();
    const gateway = await startGateway({
      ...{ DATABASE_URL: databaseUrl, HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_GRPC_PORT: '0' },
      ...{ ENCRYPTION_KEY: secrets.encryptionKey.toString('base64'), KEY_PEPPER: secrets.pepper },
      ...{ NODE_ENV: 'development', ALLOW_PLAINTEXT_EPOS: 'true' },
      ...certificates.getSettings('pay-at-table-gateway'),
      ...gatewayEnv,
    }).catch(async (error: unknown) => {
      await certificates.remove();
      throw error;
    });
    const own = { ...certificates.getSettings('epos-tester'), TLS_RELOAD_MS, NODE_ENV: 'development' };
    const identity = new InternalIdentity(own, log);
    const clock = createWallClock({ timeScale: TIME_SCALE, frozenAt: null });
    const service = {
      gatewayAddresses: [gateway.grpc],
      gatewayUrls: [gateway.url.replace('http', 'ws')],
      apiUrl: null,
      transport: { createCredentials: createLoopbackChannelCredentials, readSocketOptions: () => ({}) },
    };
    const world = new SimulatedEnvironment({
      seed: new Seed('tester'),
      clock,
      journal: createMemoryJournal(),
      service,
    });
    return new TestBench(options, {
      ...{ certificates, identity, gateway, world },
      servers: await openSandboxServers(world),
    });
  }

  /** The gateway that EPOSes dial into. */
  get gateway(): Pick<GatewayProcess, 'url' | 'grpc' | 'internalGrpc'> {
    return this.parts.gateway;
  }

  /** The settings by which a tester proves its name to the gateway. */
  get internalTls(): ReturnType<BenchCertificates['getSettings']> {
    return this.parts.certificates.getSettings('epos-tester');
  }

  /** The addresses of the EPOS of the sandbox, over REST and over gRPC. */
  get referenceUrls(): Pick<SandboxServers, 'restUrl' | 'grpcUrl'> {
    return this.parts.servers;
  }

  /** Creates an account with its card machines, and registers its EPOS. */
  async enroll(request: EposTarget): Promise<EnrolledAccount> {
    const { database } = this.options;
    const scope: Scope = { accountId: createId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' };
    this.#enrolled += 1;
    const merchantId = `5265670${String(this.#enrolled).padStart(2, '0')}`;
    await createAccount(database, {
      ...{ id: scope.accountId, name: request.name, tradingName: request.name, merchantId },
      locationId: createId('location', 'sandbox', randomBytes(16)),
      currencies: [request.currencyCode],
      settings: {},
      createdAt: await database.now(),
    });
    await this.#register(scope, request);
    const place = this.parts.world.provisionAccount({
      ...{ accountId: scope.accountId, apiKey: request.apiKey, merchantId, tradingName: request.name },
      ...{
        currencyCode: request.currencyCode,
        softwareHouseId: SOFTWARE_HOUSE,
        hasMachines: true,
        amountTriggers: true,
      },
      epos: request.reference ?? undefined,
    });
    return { scope, request, place };
  }

  /** Removes the machines and the EPOS of an account; its rows stay. */
  dismiss({ scope }: EnrolledAccount): void {
    this.parts.world.removeAccount(scope.accountId);
  }

  /** Whether the EPOS has a connection of this kind now. An EPOS that is called may have none. */
  async isConnected({ scope }: EnrolledAccount, transport: GroupTransport): Promise<boolean> {
    const kind = CONNECTIONS[transport];
    if (kind === null) return true;
    const live = await this.options.database.read(scope, (reader) => listLiveConnections(reader, [kind]));
    return live.length > 0;
  }

  /** A function that plays flows at this EPOS, each to its end, together with the worker's part for them. */
  playerOf(enrolled: EnrolledAccount): RunFlow {
    return async ({ flow, params, transport }: FlowSelection): Promise<Run> => {
      const { scope } = enrolled;
      const request = { flow, params: { ...params, transport }, idempotency: null };
      const { body } = await this.runs.start(scope, request);
      const id = String(body);
      const ended = this.runs.ended(id).then(() => true);
      while (!(await Promise.race([ended, pause(SETTLE_EVERY_MS, false)]))) await this.settleCalls(scope);
      const run = await this.runs.find(scope, id);
      if (run === null) throw new Error(`run ${id} is not kept any more`);
      return run;
    };
  }

  /** Does the worker's part: resolves open calls to the acquirer. */
  async settleCalls(scope: Scope): Promise<void> {
    const { database } = this.options;
    const made = await database.read(scope, (reader) => listCallsBetween(reader, new Date(0), new Date('2999-01-01')));
    const open = made.filter(({ kind, state }) => kind !== 'Authorise' && state !== 'Settled');
    if (open.length === 0) return;
    const acquirer = new AcquirerClient(this.parts.servers.acquirer);
    const settings = DEFAULT_PAYMENT_SETTINGS;
    const calls = new AcquirerCalls({
      database,
      acquirers: { find: () => acquirer },
      accounts: new AccountCache(),
      settings,
    });
    for (const { reference } of open) await calls.pursueCall(scope, reference);
    acquirer.close();
  }

  /** Ends the active runs, each with its cleanup, and then everything that was started. The database stays open. */
  async close(): Promise<void> {
    const { certificates, identity, gateway, world, servers } = this.parts;
    await this.runs.close();
    this.#driver.close();
    world.stop();
    servers.close();
    await gateway.kill();
    identity.close();
    await certificates.remove();
  }

  #register(scope: Scope, { apiKey, grpc, rest, opensSocket, capabilities }: EposTarget): Promise<void> {
    return this.options.database.transact(scope, async (tx) => {
      const permissions = ROLES.full;
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text: apiKey, label: 'tester', permissions });
      for (const { tid, name } of MACHINE_MODELS) {
        await insertTerminal(tx, { id: await tx.newId('terminal'), tid, name });
      }
      if (grpc !== null) await putEposIntegration(tx, { kind: 'grpc', ...grpc, capabilities: [] });
      if (rest !== null) await putEposIntegration(tx, { kind: 'rest', ...rest, capabilities });
      if (!opensSocket) return;
      await putEposIntegration(tx, { kind: 'ws', url: null, username: null, password: null, capabilities });
    });
  }
}

/** The merchant that an EPOS sends beside its key when it dials in. */
export const SOFTWARE_HOUSE = 'house-1';

/** A key for an EPOS that dials in. */
export function createEposKey(): string {
  return createApiKeyText('sandbox', randomBytes(32));
}

/** The kind of connection that an EPOS opens; null: it is called. */
const CONNECTIONS = {
  rest: null,
  ws: 'epos-ws',
  'tables-ws': 'tables-ws',
  'grpc-dialled': null,
  'grpc-stream': 'epos-grpc-stream',
} as const;
