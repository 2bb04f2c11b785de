import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Scope } from '@pos/core/identity';
import { openClient } from '@pos/rest-contracts/client';
import { listAcquirerBookings } from '@pos/rest-contracts/sandbox';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import { findRows, type PaymentIntentRow, paymentIntents } from '@pos/store/relations';
import { startWorld, type DevWorld, type WorldOptions } from '../dev/world.js';
import { CardTraffic } from '../leaks/card-traffic.js';
import {
  AMOUNTS,
  type LoadRequest,
  type LoadRequestKind,
  PREPARED_INTENTS,
  prepareRequests,
  settleLoad,
} from './database-load.js';
import { type FailingServer, startRestartedServer } from './failing-server.js';

const LIMITER = 8;
/** How long the database stays down, as a number of failed requests. */
const FAILED_MIN = 10;
const TIMES = {
  INQUIRY_INTERVAL_MS: '300',
  LANE_LEASE_MS: '4000',
  TIMER_LEASE_MS: '4000',
  WEBHOOK_BACKOFF_SCALE: '0.02',
};

/** The whole service on a database whose processes are killed during payments. */
export class KillableDatabase {
  readonly #traffic: CardTraffic;
  #orders: LoadRequest[] = [];
  #isVaultReplaced = false;
  #killedAtMs = 0;
  /** From then on fewer clients work than the limit, so a pause says nothing about the database. */
  #drainedAtMs = Infinity;

  private constructor(
    private readonly folder: string,
    private readonly world: DevWorld,
    private readonly server: FailingServer,
  ) {
    this.#traffic = new CardTraffic(world);
  }

  /** `startServer` decides how the service gets a database again after a kill; by default the same one restarts. */
  static async open(
    startServer = startRestartedServer,
    more: Pick<WorldOptions, 'appsRoot' | 'migrations' | 'count'> = {},
  ): Promise<KillableDatabase> {
    // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
    const folder = await mkdtemp('/var/tmp/pos-killed-');
    chmodSync(folder, 0o755);
    const server = await startServer(path.join(folder, 'postgres'));
    const env = { '*': { ...TIMES, NODE_ENV: 'test' }, 'card-vault': { TRUSTED_PROXIES: '127.0.0.1' } };
    const world = await startWorld({
      ...more,
      dataDir: folder,
      databaseUrl: server.url,
      ports: 'free',
      restaurants: 2,
      env,
    });
    return new KillableDatabase(folder, world, server);
  }

  /**
   * Sends this many requests of each kind at once, kills the database this many times meanwhile, and waits until all of
   * them are settled. Throws where a request cannot be settled, or was answered with an internal error.
   */
  async live({ orders, kills }: { readonly orders: number; readonly kills: number }): Promise<void> {
    await this.change({ orders, changes: () => Array.from({ length: kills }, () => () => this.#kill()) });
  }

  /**
   * As `live`, with changes of the service that are made one after another meanwhile. While the card vault is replaced a
   * charge may not reach the acquirer; it then ends without money.
   */
  async change({
    orders,
    changes,
    replacesVault = false,
  }: {
    readonly orders: number;
    readonly replacesVault?: boolean;
    readonly changes: (world: DevWorld) => readonly (() => Promise<void>)[];
  }): Promise<void> {
    this.#isVaultReplaced = replacesVault;
    this.#orders = await prepareRequests(this.#traffic, orders);
    const waiting = [...this.#orders];
    const work = async (): Promise<void> => {
      for (let order = waiting.shift(); order !== undefined; order = waiting.shift())
        await settleLoad(this.#traffic, order);
      this.#drainedAtMs = Math.min(this.#drainedAtMs, performance.now());
    };
    const limiter = Array.from({ length: LIMITER }, work);
    const steps = changes(this.world);
    for (const [index, step] of steps.entries()) {
      const due = Math.floor((this.#orders.length * (index + 1)) / (steps.length + 1));
      await this.#until('some orders are answered', () => this.#settled.length >= due);
      await step();
    }
    await Promise.all(limiter);
    await this.#until('all is at rest', async () => (await this.#findBookFaults()).length === 0).catch(() => undefined);
  }

  /** Describes every difference to what was acknowledged. */
  async faults(): Promise<string[]> {
    const ids = new Set<string>();
    const faults: string[] = [];
    for (const order of this.#orders) {
      const { kind, answers } = order;
      const strange = answers.filter(({ status, body }) => !isExpectedResponse(status, body));
      faults.push(...strange.map((answer) => `${kind} was answered ${JSON.stringify(answer)}`));
      const first = answers.at(-1);
      const again = await settleLoad(this.#traffic, order);
      const id = getId(kind, again.body);
      if (first?.status !== 200) faults.push(`${kind} is not settled: ${JSON.stringify(first)}`);
      else if (id !== getId(kind, first.body))
        faults.push(`${kind} was acknowledged as ${getId(kind, first.body)}, now it is ${id}`);
      if (ids.has(id)) faults.push(`two orders are one: ${id}`);
      ids.add(id);
    }
    const charges = this.#orders.filter(({ kind }) => kind === 'charge');
    const failed = charges.filter((charge) => findChargeStatus([charge]) !== 'Successful').length;
    if (this.#isVaultReplaced && failed * 2 > charges.length)
      faults.push(`${failed} of ${charges.length} charges did not succeed`);
    return [...faults, ...(await this.#findBookFaults())];
  }

  /** How many answers were an unavailability, or never arrived. */
  get failedCount(): number {
    return this.#orders.flatMap(({ answers }) => answers).filter(({ status }) => status === 503 || status === null)
      .length;
  }

  /** The longest time without a success from the last kill until the load ran out. */
  get gapMs(): number {
    const times = this.#orders
      .flatMap(({ answers }) => answers)
      .filter(({ status, atMs }) => status === 200 && atMs > this.#killedAtMs && atMs < this.#drainedAtMs)
      .map(({ atMs }) => atMs)
      .toSorted((one, other) => one - other);
    return Math.max(...times.map((atMs, index) => atMs - (times[index - 1] ?? this.#killedAtMs)));
  }

  async remove(): Promise<void> {
    await this.world.stop();
    await this.server.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #settled(): LoadRequest[] {
    return this.#orders.filter(({ answers }) => answers.at(-1)?.status === 200);
  }

  async #kill(): Promise<void> {
    const failedBefore = this.failedCount;
    this.#killedAtMs = performance.now();
    await this.server.fail(() =>
      this.#until('the outage is felt', () => this.failedCount >= failedBefore + FAILED_MIN),
    );
  }

  /** Our rows against the requests, and against the acquirer's. */
  async #findBookFaults(): Promise<string[]> {
    const rows = await this.#rows();
    const faults = rows.flatMap((row) => this.#findIntentFaults(row));
    const count = (kind: LoadRequestKind): number => this.#orders.filter((order) => order.kind === kind).length;
    const made = rows.filter(({ reference }) => reference.startsWith('under load'));
    if (made.length !== count('create')) faults.push(`${made.length} payments are there for ${count('create')} orders`);
    const { merchantId } = this.#traffic.account;
    const sandbox = openClient({ baseUrl: this.world.addresses.sandbox, apiKey: null });
    const { bookings } = await sandbox(listAcquirerBookings, { query: { merchantId } });
    for (const [kind, name] of [
      ['Capture', 'capture'],
      ['Refund', 'refund'],
      ['Authorise', 'charge'],
    ] as const) {
      const booked = bookings.filter(
        (each) => each.kind === kind && each.status === 'Booked' && each.amount.value === AMOUNTS[name],
      );
      const wanted =
        name === 'charge' && this.#isVaultReplaced ? rows.filter((row) => this.#isCharged(row)).length : count(name);
      if (booked.length !== wanted) faults.push(`the acquirer has booked ${booked.length} of ${wanted} (${name})`);
    }
    return faults;
  }

  #findIntentFaults({ id, reference, captured, refunded, status }: PaymentIntentRow): string[] {
    const own = this.#orders.filter((order) => order.intentId === id);
    const sum = (kind: LoadRequestKind): number => own.filter((order) => order.kind === kind).length * AMOUNTS[kind];
    const isRefunded = own.some(({ kind }) => kind === 'refund');
    const charged = findChargeStatus(own);
    // It was withdrawn at the acquirer.
    const isNotMade = charged === 'Failed' || (charged === 'Created' && captured === 0);
    const chargedSum = this.#isVaultReplaced && isNotMade ? 0 : sum('charge');
    const wanted = isRefunded ? PREPARED_INTENTS : sum('capture') + chargedSum;
    const isRight = captured === wanted && refunded === sum('refund');
    return isRight
      ? []
      : [
          `${id} (${reference}) is ${status} with ${captured} less ${refunded}, not ${wanted} less ${sum('refund')}; the last answers are ${JSON.stringify(own.map(({ answers }) => answers.at(-1)?.body))}`,
        ];
  }

  /** Whether our row has the money of a charge. */
  #isCharged({ id, captured }: PaymentIntentRow): boolean {
    return captured > 0 && this.#orders.some((order) => order.kind === 'charge' && order.intentId === id);
  }

  async #rows(): Promise<PaymentIntentRow[]> {
    const { keyPepper, encryptionKey } = this.world.secrets;
    const secrets = { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper };
    const database: Database = await openDatabase({
      url: this.world.databaseUrl,
      applicationName: 'scenario',
      secrets,
    });
    const scope: Scope = { accountId: this.#traffic.account.accountId, environment: 'sandbox' };
    try {
      return await database.read(scope, (reader) => findRows(reader, paymentIntents, { where: {} }));
    } finally {
      await database.close();
    }
  }

  async #until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      assert.ok(performance.now() < giveUpAt, `never came true: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 20;

function getId(kind: LoadRequestKind, body: Readonly<Record<string, unknown>>): string {
  const names = { create: 'id', capture: 'captureId', refund: 'refundId', charge: 'paymentIntentId' };
  return String(body[names[kind]] ?? body['id']);
}

/** How the charge among these requests ended by its last answer; null without a charge. */
function findChargeStatus(requests: readonly LoadRequest[]): unknown {
  return requests.find(({ kind }) => kind === 'charge')?.answers.at(-1)?.body['status'] ?? null;
}

/** A success, a problem that asks for a retry, or no answer. */
function isExpectedResponse(status: number | null, body: Readonly<Record<string, unknown>>): boolean {
  if (status === null || status === 200) return true;
  return [409, 429, 503, 504].includes(status) && body['status'] === status && typeof body['traceId'] === 'string';
}
