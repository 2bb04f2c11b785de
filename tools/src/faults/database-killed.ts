import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Scope } from '@pos/core/identity/identity';
import { openClient } from '@pos/rest-contracts/client';
import { listAcquirerBookings } from '@pos/rest-contracts/sandbox/sandbox-acquirer';
import type { Database } from '@pos/store/database/database';
import { openDatabase } from '@pos/store/startup/postgres-database';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database/embedded-postgres';
import { findDataDirectory } from '@pos/dev-database/server-leaks';
import { type PaymentIntentRow, paymentIntents } from '@pos/store/relations/payment-relations';
import { findRows } from '@pos/store/relations/relation';
import { startWorld, type DevWorld } from '../dev/world.js';
import { CardTraffic } from '../leaks/card-traffic.js';
import { listProcessFamily } from '../leaks/process-memory.js';
import {
  AMOUNTS,
  type LoadRequest,
  type LoadRequestKind,
  PREPARED_INTENTS,
  prepareRequests,
  settleLoad,
} from './database-load.js';

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

  private constructor(
    private readonly folder: string,
    private readonly world: DevWorld,
    private postgres: EmbeddedPostgres,
  ) {
    this.#traffic = new CardTraffic(world);
  }

  static async open(): Promise<KillableDatabase> {
    // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
    const folder = await mkdtemp('/var/tmp/pos-killed-');
    chmodSync(folder, 0o755);
    const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: true });
    const env = { '*': { ...TIMES, NODE_ENV: 'test' }, 'card-vault': { TRUSTED_PROXIES: '127.0.0.1' } };
    const world = await startWorld({ dataDir: folder, databaseUrl: postgres.url, ports: 'free', restaurants: 2, env });
    return new KillableDatabase(folder, world, postgres);
  }

  /**
   * Sends this many requests of each kind at once, kills the database this many times meanwhile, and waits until all of
   * them are settled. Throws where a request cannot be settled, or was answered with an internal error.
   */
  async live({ orders, kills }: { readonly orders: number; readonly kills: number }): Promise<void> {
    this.#orders = await prepareRequests(this.#traffic, orders);
    const waiting = [...this.#orders];
    const work = async (): Promise<void> => {
      for (let order = waiting.shift(); order !== undefined; order = waiting.shift())
        await settleLoad(this.#traffic, order);
    };
    const limiter = Array.from({ length: LIMITER }, work);
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = Math.floor((this.#orders.length * kill) / (kills + 1));
      await this.#until('some orders are answered', () => this.#settled.length >= due);
      await this.#killAndRestart();
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
    return [...faults, ...(await this.#findBookFaults())];
  }

  /** How many answers were an unavailability, or never arrived. */
  get failedCount(): number {
    return this.#orders.flatMap(({ answers }) => answers).filter(({ status }) => status === 503 || status === null)
      .length;
  }

  async remove(): Promise<void> {
    await this.world.stop();
    await this.postgres.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #settled(): LoadRequest[] {
    return this.#orders.filter(({ answers }) => answers.at(-1)?.status === 200);
  }

  async #killAndRestart(): Promise<void> {
    const cluster = await findDataDirectory(this.postgres);
    const { port } = this.postgres;
    const postmaster = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const failedBefore = this.failedCount;
    // The postmaster first: it would restart after the loss of its children.
    for (const pid of listProcessFamily(postmaster)) killIfRunning(pid);
    await this.#until('the outage is felt', () => this.failedCount >= failedBefore + FAILED_MIN);
    this.postgres = await startPostgres({ dataDir: path.join(this.folder, 'postgres'), port, durable: true });
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
      if (booked.length !== count(name))
        faults.push(`the acquirer has booked ${booked.length} of ${count(name)} (${name})`);
    }
    return faults;
  }

  #findIntentFaults({ id, reference, captured, refunded, status }: PaymentIntentRow): string[] {
    const own = this.#orders.filter((order) => order.intentId === id);
    const sum = (kind: LoadRequestKind): number => own.filter((order) => order.kind === kind).length * AMOUNTS[kind];
    const isRefunded = own.some(({ kind }) => kind === 'refund');
    const wanted = isRefunded ? PREPARED_INTENTS : sum('capture') + sum('charge');
    const isRight = captured === wanted && refunded === sum('refund');
    return isRight
      ? []
      : [`${id} (${reference}) is ${status} with ${captured} less ${refunded}, not ${wanted} less ${sum('refund')}`];
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

/** A success, a problem that asks for a retry, or no answer. */
function isExpectedResponse(status: number | null, body: Readonly<Record<string, unknown>>): boolean {
  if (status === null || status === 200) return true;
  return [409, 429, 503, 504].includes(status) && body['status'] === status && typeof body['traceId'] === 'string';
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
