import { PaymentIntents } from '@pos/payments/payment-intents';
import { listTerminals, TerminalSessions } from '@pos/payments/terminals';
import { credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import {
  type AcquirerSimulator,
  addAcquirerService,
  type BookingLine,
  createMemoryJournal,
  listBookingLines,
} from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { addTablesService, createEposRestHandler } from '@pos/sandbox/epos-transports';
import { MACHINE_MODELS } from '@pos/sandbox/machines';
import { SimulatedEnvironment, type SimulatedAccount, type AccountSimulation } from '@pos/sandbox/environment';
import { openAcquirerSimulator } from '@pos/sandbox/testing';
import type { AccountSettings } from '@pos/core/accounts';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { gbp, createPlainIntentRequest } from '@pos/core/testing';
import { type Permission, ROLES, type Scope, type TerminalId } from '@pos/core/identity';
import type { SessionStatus } from '@pos/core/terminals';
import {
  CardPresentPaymentInfo,
  CardPresentPaymentStatus,
  type Payment,
  PaymentMethod,
  RequestorType,
  type RequestorInfo,
  TablesServiceClient,
} from '@pos/grpc-contracts/tables';
import { readConfig } from '@pos/service-kit/config';
import type { FaultPoint } from '@pos/service-kit/lifecycle';
import { createLoopbackChannelCredentials } from '@pos/service-kit/grpc';
import { createLog } from '@pos/service-kit/telemetry';
import { TestLog } from '@pos/testing';
import { createAccount, insertApiKey, putEposIntegration } from '@pos/store/repositories';
import { findTerminalByTid, findTerminalSession, insertTerminal } from '@pos/store/terminals';
import { findIntent } from '@pos/store/payments';
import { createTestDatabase, createTestScope, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { bootGateway, type RunningGateway } from '../boot.js';
import { Config } from '../config/config.js';
import { getInternalTls } from '@pos/service-kit/testing';

/** How many times faster simulated time is than real time. */
const TIME_SCALE = 50;
const WORLD_OPTIONS = { seed: new Seed('gateway tests') };

/** An account of a test: its keys, and its part of the simulated world. */
export interface GatewayAccount {
  readonly scope: Scope;
  readonly apiKey: string;
  readonly sandbox: AccountSimulation;
  /** The bookings of its acquirer. */
  readonly listBookings: () => BookingLine[];
}

/** The options of a test account; by default it has neither an EPOS nor machines. */
interface TestAccountOptions {
  readonly gateways?: readonly RunningGateway[];
  readonly epos?: 'dialled' | 'stream' | 'rest' | 'ws' | 'tables-ws' | 'none';
  /** The capabilities that its EPOS registers. */
  readonly capabilities?: readonly EposCapability[];
  readonly hasMachines?: boolean;
  readonly permissions?: readonly Permission[];
  /** False: no amount triggers a decline. */
  readonly amountTriggers?: boolean;
  readonly settings?: Partial<AccountSettings>;
}

/** A database, gateways on it, and the world around them. */
export class GatewayEnvironment {
  readonly #gateways: RunningGateway[] = [];
  readonly #closers: (() => unknown)[] = [];
  readonly #log = new TestLog();

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly simulators: {
      readonly worlds: SimulatedEnvironment[];
      readonly address: string;
      readonly server: Server;
      readonly restUrl: string;
      /** The acquirer of all accounts; null: each account has its own, which gateways cannot reach. */
      readonly acquirer: AcquirerSimulator | null;
    },
  ) {}

  static async create({ hasAcquirer = false } = {}): Promise<GatewayEnvironment> {
    const worlds: SimulatedEnvironment[] = [];
    const server = new Server();
    const clock = createWallClock({ timeScale: TIME_SCALE, frozenAt: null });
    const acquirer = hasAcquirer
      ? openAcquirerSimulator({ ...WORLD_OPTIONS, clock, journal: createMemoryJournal() })
      : null;
    if (acquirer !== null)
      addAcquirerService(server, { simulator: acquirer, clock, stepUpUrl: 'http://127.0.0.1/step-up' });
    addTablesService(server, (username) => worlds.map((each) => each.findDialledEpos(username)).find(Boolean) ?? null);
    const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
    const find = (username: string) => worlds.map((each) => each.findDialledEpos(username)).find(Boolean) ?? null;
    const rest = createServer(createEposRestHandler(find));
    await new Promise<void>((resolve) => rest.listen(0, '127.0.0.1', resolve));
    const restUrl = `http://127.0.0.1:${(rest.address() as AddressInfo).port}`;
    const simulators = { worlds, address: `127.0.0.1:${port}`, server, restUrl, acquirer };
    const environment = new GatewayEnvironment(await createTestDatabase(), simulators);
    environment.#closers.push(() => {
      rest.closeAllConnections();
      rest.close();
    });
    return environment;
  }

  /** The address of dialled EPOSes. */
  get simulatorAddress(): string {
    return this.simulators.address;
  }

  /** Another gateway on the same database. */
  async startGateway(
    overrides: Record<string, string> = {},
    fault: FaultPoint = () => undefined,
  ): Promise<RunningGateway> {
    const config = readConfig(Config, {
      DATABASE_URL: this.testDatabase.url,
      DATABASE_CONNECTIONS: '4',
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      ...{ HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_GRPC_PORT: '0' },
      ...getInternalTls('pay-at-table-gateway'),
      ACQUIRER_ADDRESS: this.simulators.address,
      ALLOW_PLAINTEXT_EPOS: 'true',
      NODE_ENV: 'test',
      POLL_MS: '100',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
      ...overrides,
    });
    const write = (line: string): void => {
      this.#log.write(line);
      process.stderr.write(line);
    };
    const log = createLog({ app: 'test', level: config.LOG_LEVEL, write });
    const running = await bootGateway(config, { log, fault });
    this.#gateways.push(running);
    return running;
  }

  /** Makes an account whose machines and EPOS know these gateways. */
  async createAccount(accountOptions: TestAccountOptions = {}): Promise<GatewayAccount> {
    const scope = createTestScope();
    const apiKey = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
    const {
      epos = 'none',
      hasMachines = false,
      permissions = ROLES.full,
      capabilities = EPOS_CAPABILITIES,
    } = accountOptions;
    const registeredCapabilities = capabilities.map((name) => ({ name, version: 'v1' as const }));
    const { database } = this.testDatabase;
    const name = `place-${randomBytes(4).toString('hex')}`;
    await createAccount(database, {
      id: scope.accountId,
      name,
      tradingName: 'The Oyster Shed',
      locationId: `loc_${randomBytes(16).toString('base64url')}`,
      merchantId: `m-${name}`,
      currencies: ['GBP'],
      settings: accountOptions.settings ?? {},
      createdAt: new Date(),
    });
    await database.transact(scope, async (tx) => {
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text: apiKey, label: 'test', permissions });
      if (hasMachines) {
        for (const model of MACHINE_MODELS) {
          await insertTerminal(tx, { id: await tx.newId('terminal'), tid: model.tid, name: model.name });
        }
      }
      if (epos === 'dialled') {
        const integration = { kind: 'grpc', username: name, password: 'secret:word', capabilities: [] } as const;
        await putEposIntegration(tx, { ...integration, url: `http://${this.simulators.address}` });
      }
      if (epos === 'rest') {
        const integration = { kind: 'rest', username: name, password: 'secret:word' } as const;
        await putEposIntegration(tx, {
          ...integration,
          url: this.simulators.restUrl,
          capabilities: registeredCapabilities,
        });
      }
      if (epos === 'ws') {
        const integration = { kind: 'ws', url: null, username: null, password: null } as const;
        await putEposIntegration(tx, { ...integration, capabilities: registeredCapabilities });
      }
    });
    const account: SimulatedAccount = {
      accountId: scope.accountId,
      apiKey,
      merchantId: `m-${name}`,
      tradingName: 'The Oyster Shed',
      currencyCode: 'GBP',
      softwareHouseId: 'house',
      hasMachines,
      amountTriggers: accountOptions.amountTriggers ?? true,
      ...(epos !== 'none' && {
        epos: {
          ...{ username: name, password: 'secret:word', dialsIn: epos === 'stream' },
          sockets: epos === 'ws' || epos === 'tables-ws' ? [epos] : [],
          needsLocks: capabilities.includes('CreateOrderLock') && capabilities.includes('DeleteOrderLock'),
        },
      }),
    };
    const world = this.#createWorld(accountOptions.gateways ?? this.#gateways);
    const listBookings = () => listBookingLines(world.acquirerSimulator.acquirer.books, world.clock.now());
    return { scope, apiKey, sandbox: world.provisionAccount(account), listBookings };
  }

  /** Each account has a world of its own, whose machines and EPOS know these gateways, in this order. */
  #createWorld(gateways: readonly RunningGateway[]): SimulatedEnvironment {
    const { acquirer } = this.simulators;
    const world = new SimulatedEnvironment({
      ...WORLD_OPTIONS,
      ...(acquirer !== null && { acquirer }),
      clock: createWallClock({ timeScale: TIME_SCALE, frozenAt: null }),
      journal: createMemoryJournal(),
      service: {
        gatewayAddresses: gateways.map(({ urls }) => urls.grpc),
        gatewayUrls: gateways.map(({ urls }) => urls.health.replace('http', 'ws')),
        apiUrl: null,
        transport: { createCredentials: createLoopbackChannelCredentials, readSocketOptions: () => ({}) },
      },
    });
    this.simulators.worlds.push(world);
    return world;
  }

  /** A device's client of a gateway. */
  createDeviceClient(gateway: RunningGateway): TablesServiceClient {
    const client = new TablesServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.#closers.push(() => client.close());
    return client;
  }

  /** Starts a Sale on a machine, as the api would. */
  async startSale(
    { scope }: GatewayAccount,
    tid: string,
    minorUnits = 1_000,
  ): Promise<{ sessionId: string; intentId: string }> {
    const [{ app }] = this.#gateways as [RunningGateway];
    const caller = { permissions: new Set(ROLES.full) };
    return this.testDatabase.database.transact(scope, async (tx) => {
      const terminal = await findTerminalByTid(tx, tid);
      const { intent } = await app.get(PaymentIntents).create(tx, caller, buildSaleRequest(minorUnits));
      const view = await app.get(TerminalSessions).create(tx, caller, {
        sessionType: 'Sale',
        terminalId: terminal?.id ?? '',
        paymentIntentId: intent.id,
      });
      return { sessionId: view.session.id, intentId: intent.id };
    });
  }

  /** Takes money with a machine's card, and returns the payment as its device records it. */
  async takeCardPayment(
    account: GatewayAccount,
    sessionId: string,
    { tid = '90000001', ...overrides }: Partial<Payment> & { readonly tid?: string } = {},
  ): Promise<Payment> {
    const { baseAmount = 100n, gratuityAmount = 0n, cashbackAmount = 0n } = overrides;
    await this.#waitForMachine(account, tid);
    const total = Number(baseAmount + gratuityAmount + cashbackAmount);
    const sale = await this.startSale(account, tid, total);
    const { database } = this.testDatabase;
    const transactionId = await pollUntil(async () => {
      const intent = await database.read(account.scope, (reader) => findIntent(reader, sale.intentId));
      return intent?.status === 'Captured' ? (intent.paymentDetails?.transactionId ?? null) : null;
    });
    return buildDevicePayment(sessionId, { ...buildCardDetails(transactionId, tid), ...overrides });
  }

  #waitForMachine({ scope }: GatewayAccount, tid: string): Promise<true> {
    return pollUntil(async () => {
      const available = await this.testDatabase.database.read(scope, (reader) => listTerminals(reader, ['Available']));
      return available.some(({ terminal }) => terminal.tid === tid) ? true : null;
    });
  }

  /** The status of a session now. */
  async getSessionStatus({ scope }: GatewayAccount, sessionId: string): Promise<SessionStatus | null> {
    const session = await this.testDatabase.database.read(scope, (reader) => findTerminalSession(reader, sessionId));
    return session?.status ?? null;
  }

  async terminalId({ scope }: GatewayAccount, tid: string): Promise<TerminalId> {
    const terminal = await this.testDatabase.database.read(scope, (reader) => findTerminalByTid(reader, tid));
    if (terminal === null) throw new Error(`no terminal ${tid}`);
    return terminal.id;
  }

  /** Stops the machines and EPOSes of all accounts, and all gateways, so that they cost the next tests nothing. */
  async stopGateways(): Promise<void> {
    for (const world of this.simulators.worlds.splice(0)) world.stop();
    await Promise.all(this.#gateways.splice(0).map((each) => each.close()));
  }

  async close(): Promise<void> {
    for (const close of this.#closers) close();
    await this.stopGateways();
    this.simulators.server.forceShutdown();
    await this.testDatabase.close();
    this.#log.expectNoLeaks();
  }
}

/** The metadata of a client's call. */
export function buildCallMetadata(apiKey: string, overrides: Record<string, string> = {}): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${apiKey}`);
  for (const [name, value] of Object.entries(overrides)) metadata.set(name, value);
  return metadata;
}

export function buildMachineRequestor(terminalId: string, waiterId = 0): RequestorInfo {
  return {
    requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
    requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId, waiterId } },
  };
}

/** Repeats a look until it finds something. */
async function pollUntil<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await setTimeout(20);
  }
}

/** How a device describes the card transaction of a payment. */
export function buildCardDetails(transactionId: string, tid: string): Pick<Payment, 'methodDetails'> {
  return {
    methodDetails: {
      method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
      cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
      cardPresentPaymentInfo: CardPresentPaymentInfo.fromPartial({
        acquirerTransactionId: transactionId,
        terminalId: tid,
      }),
      remotePaymentStatus: undefined,
      remotePaymentInfo: undefined,
    },
  };
}

/** A payment of one pound that a device reports with RecordPayment, by default without a card transaction. */
export function buildDevicePayment(sessionId: string, overrides: Partial<Payment> = {}): Payment {
  return {
    id: randomUUID(),
    sessionId,
    waiterId: undefined,
    currency: 'GBP',
    baseAmount: 100n,
    gratuityAmount: 0n,
    cashbackAmount: 0n,
    paymentSuccessful: true,
    attemptedAt: new Date(),
    methodDetails: {
      method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
      cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
      cardPresentPaymentInfo: undefined,
      remotePaymentStatus: undefined,
      remotePaymentInfo: undefined,
    },
    ...overrides,
  };
}

function buildSaleRequest(minorUnits: number) {
  return {
    ...createPlainIntentRequest(gbp(minorUnits)),
    details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
    isNotOnlineCheckout: false,
    generateRemoteToken: null,
  } as const;
}
