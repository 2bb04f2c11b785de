import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import { type Client, openClient } from '@pos/rest-contracts/client';
import { listPendingPayments } from '@pos/rest-contracts/operators';
import { clearEposFaults, listEposSessions, listMachines, listSandboxAccounts } from '@pos/rest-contracts/sandbox';
import { createSubscription } from '@pos/rest-contracts/webhooks';
import { EVENT_KINDS } from '@pos/core/events';
import type { Database } from '@pos/store/database';
import { createServerFolder } from '@pos/dev-database';
import { openDatabase } from '@pos/store/startup';
import { findEposIntegration } from '@pos/store/repositories';
import { listLiveConnections } from '@pos/store/connections';
import type { AppProcess } from '../dev/app-process.js';
import type { ProgramForm } from '../dev/places.js';
import type { SeededAccount } from '../dev/seed.js';
import { startWorld, type DevWorld } from '../dev/world.js';
import { type LedgerSources, findRecordMismatches, listLocksAtEpos } from './books.js';
import { Device } from './device.js';
import { findWebhookMismatches, countPendingWebhooks } from './hook-book.js';
import { HookReceiver } from './hook-receiver.js';

export const GATEWAYS = ['pay-at-table-gateway', 'pay-at-table-gateway-2'] as const;
export const WORKERS = ['webhook-worker', 'webhook-worker-2'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** A restaurant of the stage: its account, its EPOS and access to all three sets of books. */
export interface StageRestaurant {
  readonly account: SeededAccount;
  readonly scope: Scope;
  readonly keepers: LedgerSources;
  /** Whether its EPOS opens a stream to a gateway; otherwise every gateway dials it. */
  readonly dialsIn: boolean;
}

/** Short, so that the work of a killed gateway is taken over within seconds; long enough for two busy cores. */
const TIMES = {
  RUNNER_LEASE_MS: '1000',
  EPOS_CALL_LIMIT_MS: '2000',
  SIGNATURE_WINDOW_MS: '4000',
  INQUIRY_INTERVAL_MS: '300',
  LANE_LEASE_MS: '4000',
  TIMER_LEASE_MS: '4000',
  WEBHOOK_BACKOFF_SCALE: '0.02',
} as const;

/** Simulated people and machines are fast. Our own windows keep their length, or a busy machine would exceed them. */
const OUTSIDE_TIMES = { SIMULATOR_TIME_SCALE: '40' } as const;

const SETTLED_MS_MAX = 25_000;
const READY_MS_MAX = 30_000;
const LOOK_EVERY_MS = 25;

/** How a stage differs from the usual one. */
interface StageOptions {
  readonly log?: (line: string) => void;
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly databaseUrl?: string;
  /** What the processes run; their bundles when left out. */
  readonly programs?: ProgramForm;
}

/** Two gateways, two workers and everything around them as real processes on one database, with free ports. */
export class Stage {
  readonly houses: readonly [StageRestaurant, StageRestaurant];
  /** A restaurant whose books no scenario compares: its payers may also pay on the payment page. */
  readonly paymentPageRestaurant: StageRestaurant;
  /** The control port of the outside world. */
  readonly sandbox: Client;
  readonly #busy = new Set<string>();
  readonly #armed = new Set<AppProcess>();
  readonly #devices: Device[] = [];
  #tables = Promise.resolve();

  private constructor(
    readonly world: DevWorld,
    readonly database: Database,
    readonly receiver: HookReceiver,
    /** The address of the acquirer. */
    readonly acquirerAddress: string,
  ) {
    this.sandbox = openClient({ baseUrl: world.addresses.sandbox, apiKey: null });
    const [first, second, third] = world.accounts;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('the world has fewer than three accounts');
    this.houses = [this.#house(first), this.#house(second)];
    this.paymentPageRestaurant = this.#house(third);
  }

  /** `env` has settings of processes beside those of every stage; `databaseUrl` is a server that the caller has started. */
  static async open({ log = () => undefined, env = {}, databaseUrl, programs }: StageOptions = {}): Promise<Stage> {
    const dataDir = createServerFolder('pos-stage-');
    const world = await startWorld({
      dataDir,
      ports: 'free',
      durable: false,
      restaurants: 3,
      count: { 'pay-at-table-gateway': GATEWAYS.length, 'webhook-worker': WORKERS.length, 'epos-tester': 0, portal: 0 },
      env: { ...env, '*': { ...TIMES, NODE_ENV: 'test', ...env['*'] }, sandbox: OUTSIDE_TIMES },
      databaseUrl,
      programs,
      log,
    });
    const { keyPepper, encryptionKey } = world.secrets;
    const database = await openDatabase({
      url: world.databaseUrl,
      applicationName: 'stage',
      secrets: { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper },
    });
    const receiver = await HookReceiver.open(world.receiverPorts[0] ?? 0, world.certificates);
    const stage = new Stage(world, database, receiver, await getAcquirerAddress(world, database));
    for (const house of [...stage.houses, stage.paymentPageRestaurant]) await stage.#subscribe(house);
    await stage.untilConnected();
    return stage;
  }

  /** A client of the public API with all permissions of the restaurant. */
  api({ account }: StageRestaurant): Client {
    const baseUrl = this.world.addresses.api[0] ?? '';
    return openClient({ baseUrl, apiKey: account.keys.full, softwareHouseId: 'stage', resellerId: 'stage' });
  }

  /** A card machine of the restaurant that uses these gateways, in this order. */
  device(house: StageRestaurant, tid: string, gateways: readonly GatewayName[] = GATEWAYS): Device {
    const addresses = gateways.map((name) => this.world.addresses.gatewayGrpc[GATEWAYS.indexOf(name)] ?? '');
    const device = new Device({ addresses, apiKey: house.account.keys.device, tid });
    this.#devices.push(device);
    return device;
  }

  /** The gateway that holds the newest stream of the restaurant's EPOS or of one of its machines, and the other one. */
  async gatewaysBy(
    house: StageRestaurant,
    kind: 'epos-grpc-stream' | 'machine',
    key = '',
  ): Promise<readonly [GatewayName, GatewayName]> {
    const live = await this.database.read(house.scope, (reader) => listLiveConnections(reader, [kind]));
    const address = live.find((each) => each.key === key)?.gatewayAddress ?? '';
    const isFirst = this.world.addresses.gatewayInternal.indexOf(address) !== 1;
    return isFirst ? [GATEWAYS[0], GATEWAYS[1]] : [GATEWAYS[1], GATEWAYS[0]];
  }

  /** The payable sessions of the restaurant that no scenario uses, with what they owe, most first. */
  async freeTables({
    scope,
  }: StageRestaurant): Promise<{ readonly sessionId: string; readonly outstanding: number }[]> {
    const { sessions } = await this.sandbox(listEposSessions, { params: { accountId: scope.accountId } });
    return sessions
      .filter((each) => each.isPayable && !each.isLocked && !this.#busy.has(each.sessionId))
      .map(({ sessionId, totalAmount, paidAmount }) => ({ sessionId, outstanding: totalAmount - paidAmount }))
      .sort((one, other) => other.outstanding - one.outstanding);
  }

  /** Reserves the free table that owes most or least, until it is released. */
  async slot(house: StageRestaurant, wanted: 'most' | 'least' = 'most') {
    // One after another: two scenarios at the same moment would take the same table.
    const seated = this.#tables.then(async () => {
      const table = (await this.freeTables(house)).at(wanted === 'most' ? 0 : -1);
      if (table === undefined) throw new Error('no table is free');
      this.#busy.add(table.sessionId);
      return table;
    });
    this.#tables = seated.then(
      () => undefined,
      () => undefined,
    );
    return seated;
  }

  leave(sessionId: string): void {
    this.#busy.delete(sessionId);
  }

  /** Arms a fault point in each of these processes, and replaces the one of an earlier scenario. */
  async arm(names: readonly string[], faultPoint: string): Promise<void> {
    for (const app of this.#armed) if (!names.includes(app.name)) await this.#restart(app);
    for (const name of names) {
      const app = this.world.app(name);
      await this.#restart(app, { FAULT_POINT: faultPoint });
      app.expectEnd();
      this.#armed.add(app);
    }
  }

  /** Disarms the fault points of processes that they did not kill, so that they do not affect other scenarios. */
  async disarm(): Promise<void> {
    for (const app of this.#armed) await this.#restart(app);
  }

  /** Does the work, and restarts each armed process that is killed meanwhile, disarmed. Returns their number. */
  async restartKilled(work: () => Promise<void>): Promise<number> {
    let isOver = false;
    const ends = this.#revive([...this.#armed], () => isOver);
    try {
      await work();
    } finally {
      isOver = true;
    }
    return ends;
  }

  /** Kills a process without a drain, and restarts it with its original settings and these. */
  async replace(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#restart(this.world.app(name), env);
  }

  /** One after another, so that connected clients find another process meanwhile. */
  async #restart(app: AppProcess, env: Readonly<Record<string, string>> = {}): Promise<void> {
    await app.kill();
    this.#armed.delete(app);
    app.start(env);
    await app.untilReady();
    await this.untilConnected();
  }

  async #revive(apps: readonly AppProcess[], isOver: () => boolean): Promise<number> {
    let ends = 0;
    while (!isOver()) {
      const dead = apps.filter((app) => !app.isRunning);
      ends += dead.length;
      await Promise.all(
        dead.map(async (app) => {
          this.#armed.delete(app);
          app.start();
          await app.untilReady();
        }),
      );
      await pause(LOOK_EVERY_MS);
    }
    return ends;
  }

  async untilHooksAreOut({ scope }: StageRestaurant): Promise<void> {
    await waitUntil(
      'every webhook is delivered',
      SETTLED_MS_MAX,
      async () => (await countPendingWebhooks(this.database, scope)) === 0,
    );
  }

  /** Waits until every EPOS that dials in and every machine has a stream to a running gateway. */
  async untilConnected(): Promise<void> {
    await waitUntil('every machine and EPOS is connected', READY_MS_MAX, async () => {
      const { accounts } = await this.sandbox(listSandboxAccounts, {});
      for (const house of this.houses) {
        const { accountId } = house.scope;
        const account = accounts.find((each) => each.accountId === accountId);
        if (house.dialsIn && account?.isEposConnected !== true) return false;
        const { machines } = await this.sandbox(listMachines, { params: { accountId } });
        if (machines.some(({ behaviour, isConnected }) => behaviour !== 'offline' && !isConnected)) return false;
      }
      return true;
    });
  }

  /** The pending list as an operator of the restaurant sees it. */
  async pending(house: StageRestaurant) {
    return this.api(house)(listPendingPayments, {});
  }

  /** Removes the faults of the restaurant's EPOS. */
  async clearFaults({ scope }: StageRestaurant): Promise<void> {
    await this.sandbox(clearEposFaults, { params: { accountId: scope.accountId } });
  }

  /** Waits until no work is left, then describes the differences of the books and the webhooks. */
  async findDifferences(house: StageRestaurant): Promise<string[]> {
    const isQuiet = async (): Promise<boolean> =>
      (await this.pending(house)).length === 0 &&
      (await countPendingWebhooks(this.database, house.scope)) === 0 &&
      (await listLocksAtEpos(house.keepers)).length === 0 &&
      (await findRecordMismatches(house.keepers)).length === 0;
    const isSettled = await waitUntil('the books agree', SETTLED_MS_MAX, isQuiet).then(
      () => true,
      () => false,
    );
    return [
      ...(await findRecordMismatches(house.keepers)),
      ...(await findWebhookMismatches(this.database, house.scope, this.receiver)),
      ...(await listLocksAtEpos(house.keepers)).map((sessionId) => `the EPOS still holds a lock of ${sessionId}`),
      ...(await this.pending(house)).map(({ paymentId, state }) => `${paymentId} is still pending as ${state}`),
      ...(isSettled ? [] : ['it never came to rest']),
    ];
  }

  async close(): Promise<void> {
    await this.#closeConnections();
    await this.world.remove();
  }

  /** Stops everything, keeps rows and logs for an investigation, and returns their folder. */
  async stop(): Promise<string> {
    await this.#closeConnections();
    await this.world.stop();
    return path.dirname(this.world.app(GATEWAYS[0]).logFile);
  }

  async #closeConnections(): Promise<void> {
    for (const device of this.#devices) device.close();
    await this.database.close();
    await this.receiver.close();
  }

  #house(account: SeededAccount): StageRestaurant {
    const scope: Scope = { accountId: account.accountId, environment: 'sandbox' };
    return {
      account,
      scope,
      dialsIn: account.epos.way === 'grpc-stream',
      keepers: {
        scope,
        merchantId: account.merchantId,
        database: this.database,
        sandbox: this.sandbox,
        acquirerAddress: this.acquirerAddress,
      },
    };
  }

  async #subscribe(house: StageRestaurant): Promise<void> {
    const { accountId } = house.scope;
    const body = { events: [...EVENT_KINDS], url: this.receiver.url(accountId) };
    const { secret } = await this.api(house)(createSubscription, { body });
    this.receiver.addSecret(accountId, secret.value);
  }
}

/** The sandbox serves the acquirer and the dialled EPOSes on one port, and these are registered with theirs. */
/** Where the acquirer of the first account is called: the sandbox's gRPC port, where its EPOS is dialled too. */
export async function getAcquirerAddress(world: DevWorld, database: Database): Promise<string> {
  const accountId = world.accounts[0]?.accountId ?? 'acc_';
  const integration = await database.read({ accountId, environment: 'sandbox' }, (reader) =>
    findEposIntegration(reader, 'grpc'),
  );
  return new URL(integration?.url ?? '').host;
}

/** An id that a device would create for a new payment. */
export function createPaymentId(): string {
  return randomUUID();
}

/** Waits until the condition is true; throws its name when it does not become true. */
export async function waitUntil(what: string, withinMs: number, isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`never came true within ${withinMs} ms: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
