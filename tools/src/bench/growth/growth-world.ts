import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { startPostgres } from '@pos/dev-database';
import { startWorld } from '../../dev/world.js';
import { ProcessorMeter, readPostmaster } from '../../processes/processor-time.js';
import { type GrowthSize, type GrowthTemplates, PlantedPayments } from './planted-payments.js';
import { connectPlainClient, type PlainClient } from '../load/plain-pool.js';

/** Sends a request and returns the body of its answer. Throws at an answer that is no success. */
export type SendRequest = (request: GrowthRequest) => Promise<unknown>;

export interface GrowthRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** An api over a database with the history of years. Nothing else runs. */
export interface GrowthWorld {
  readonly scope: Scope;
  readonly planted: PlantedPayments;
  readonly templates: GrowthTemplates;
  readonly send: SendRequest;
  /** The login of the owner of the database. */
  readonly owner: PlainClient;
  readonly serverLog: string;
  /** The number of planted rows, and how long their insertion took. */
  readonly rows: number;
  readonly plantedSeconds: number;
  readonly meter: ProcessorMeter;
  stop(): Promise<void>;
}

const ABSENT = {
  ...{ 'card-vault': 0, 'webhook-worker': 0, 'pay-at-table-gateway': 0, 'epos-tester': 0, checkout: 0, portal: 0 },
};
const SETTINGS = { NODE_ENV: 'production', MAIL_FROM: 'receipts@restaurant.example' };
const API_SETTINGS = { RATE_LIMIT_PER_SECOND: '1000000', CHECKOUT_BASE_URL: 'https://pay.restaurant.example' };
const PARTNER = { 'software-house-id': 'bench', 'reseller-id': 'bench' };
const VERSION = '2026-02-27';
/** The planted rows fill the log of changes; without this a checkpoint follows each gigabyte. */
const LOG_OF_CHANGES_MAX = '8GB';

/** Starts the api, lets it write the templates, and plants their copies. */
export async function startGrowthWorld(
  size: GrowthSize,
  { isDurable, log }: { readonly isDurable: boolean; readonly log: (line: string) => void },
): Promise<GrowthWorld> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-growth-'));
  const folder = path.join(dataDir, 'postgres');
  const postgres = await startPostgres({ dataDir: folder, durable: isDurable, afterExit: 'remove' });
  const owner = await connectPlainClient(postgres.url);
  let removeWorld = (): Promise<void> => Promise.resolve();
  const stop = async (): Promise<void> => {
    await removeWorld();
    await owner.end();
    await postgres.remove();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await owner.query(`alter system set max_wal_size = '${LOG_OF_CHANGES_MAX}'`);
    await owner.query('select pg_reload_conf()');
    const world = await startWorld({
      ...{ dataDir: path.join(dataDir, 'world'), ports: 'free', restaurants: 1, count: ABSENT, log },
      ...{ databaseUrl: postgres.url, env: { '*': SETTINGS, api: API_SETTINGS } },
    });
    removeWorld = () => world.remove();
    const account = world.accounts[0];
    if (account === undefined) throw new Error('the world has no account');
    const scope: Scope = { accountId: account.accountId, environment: 'sandbox' };
    const send = createSender(world.addresses.api[0] ?? '', account.keys.full);
    const templates = await writeTemplates(send, owner, `https://127.0.0.1:${world.receiverPorts[0] ?? 0}/webhooks`);
    const planted = new PlantedPayments(size, templates, await readTime(owner));
    const startedAt = performance.now();
    const rows = await planted.plant(owner, scope, log);
    const plantedSeconds = (performance.now() - startedAt) / 1_000;
    const { rows: backends } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
    const meter = new ProcessorMeter(() => [world.app('api')], readPostmaster(backends[0]?.pid ?? 0));
    const serverLog = path.join(folder, 'server.log');
    return { ...{ scope, planted, templates, send, owner, serverLog, rows, plantedSeconds, meter, stop } };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createSender(url: string, key: string): SendRequest {
  const headers = { authorization: `Basic ${key}`, version: VERSION, 'content-type': 'application/json', ...PARTNER };
  return async ({ method, path: target, body }) => {
    const answer = await fetch(`${url}${target}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${target} answered ${answer.status}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
}

/** What the copies are made of, written by the api itself: an intent from its creation to its end, and its webhooks. */
async function writeTemplates(send: SendRequest, owner: PlainClient, url: string): Promise<GrowthTemplates> {
  const subscription = { events: SUBSCRIBABLE_EVENT_KINDS, url };
  const subscriptionId = readId(await send({ method: 'POST', path: '/webhooks', body: subscription }));
  const customer = { name: 'Ada Guest', emailAddress: 'ada@guest.example', phoneNumber: '+44 117 496 0000' };
  const customerId = readId(await send({ method: 'POST', path: '/customers', body: customer }));
  const intent = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', metadata: { waiter: '7' } };
  const intentId = readId(await send({ method: 'POST', path: '/payment-intents', body: intent }));
  await send({ method: 'DELETE', path: `/payment-intents/${intentId}` });
  const isWritten = async (): Promise<boolean> => {
    const found = await owner.query('select from activities where subject_id = $1', [intentId]);
    return (found.rowCount ?? 0) > 0;
  };
  const until = performance.now() + TEMPLATE_MS_MAX;
  while (!(await isWritten())) {
    if (performance.now() > until) throw new Error('the activity log did not record the request');
    await pause(50);
  }
  const { rows } = await owner.query<{ id: string }>('select id from terminals order by tid limit 1');
  return { subscriptionId, customerId, intentId, terminalId: rows[0]?.id ?? '' };
}

const TEMPLATE_MS_MAX = 10_000;

function readId(answer: unknown): string {
  const { id } = answer as { readonly id: string };
  return id;
}

async function readTime(owner: PlainClient): Promise<Date> {
  const { rows } = await owner.query<{ now: Date }>(`select date_trunc('second', now()) as now`);
  return rows[0]?.now ?? new Date();
}
