import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type EmbeddedPostgres,
  queryServer,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '@pos/dev-database';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { connectDatabase, openDatabase } from '@pos/store/startup';
import { APP_ROLE, buildRoleUrl, migrate } from '@pos/store/migrations';
import { TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectConsistent } from '../testing/consistency-checks.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { MoneyOperations } from '../testing/money-operations.js';
import {
  createTestAccount,
  createTestEnvironment,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

const PASSWORDS = { appPassword: 'app password', vaultPassword: 'vault password' };
const CLIENTS = 4;
const CAPTURED = 700;
const SECONDS = 1_000;
const RETRY_MS = 20;
const LOOK_MS = 5;
/** Longer than a search waits for a second server once it knows a timeline. */
const LATE_MS = 600;

let folder: string;
let servers: ReplicatedPostgres;
let testEnvironment: TestEnvironment;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-failover-'));
  // The account that runs PostgreSQL for root must be able to pass.
  chmodSync(folder, 0o755);
  servers = await startReplicatedPostgres(folder);
  await migrate(servers.url, PASSWORDS);
  testEnvironment = await createTestEnvironment({ openDatabase: openReplicatedDatabase });
}, 60 * SECONDS);
afterAll(async () => {
  await testEnvironment.close();
  await servers.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The database of a process that knows both servers. */
async function openReplicatedDatabase(): Promise<TestDatabase> {
  const url = buildRoleUrl(servers.url, APP_ROLE, PASSWORDS.appPassword);
  const options = { url, applicationName: 'test', secrets: TEST_SECRETS };
  const database = await openDatabase(options);
  return {
    url,
    ownerUrl: servers.url,
    database,
    open: (more = {}) => openDatabase({ ...options, ...more }),
    close: () => database.close(),
  };
}

/** Clients that pay and capture all the time, and every capture that was acknowledged to them. */
class Load {
  readonly acknowledged: {
    readonly intentId: PaymentIntent['id'];
    readonly account: TestAccount;
    readonly atMs: number;
  }[] = [];
  refused = 0;
  /** All accounts in which was paid. */
  readonly accounts: TestAccount[];
  #isOver = false;
  readonly #clients: Promise<void>[];

  constructor(accounts: readonly TestAccount[]) {
    this.accounts = [...accounts];
    this.#clients = accounts.map((account) => this.#pay(account));
  }

  /** Resolves when this many more captures were acknowledged. */
  async awaitMore(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    while (this.acknowledged.length < wanted) await pause(LOOK_MS);
  }

  /** The longest time after a moment between two captures that were acknowledged. */
  findGapMs(sinceMs: number): number {
    const times = this.acknowledged.map(({ atMs }) => atMs).filter((atMs) => atMs > sinceMs);
    return Math.max(...times.map((atMs, index) => atMs - (times[index - 1] ?? sinceMs)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #pay(first: TestAccount): Promise<void> {
    let account = first;
    while (!this.#isOver) {
      try {
        const operations = new MoneyOperations(testEnvironment, account);
        const { intentId } = await createPaidIntent(testEnvironment, account, { captureMode: 'Manual' });
        if ((await operations.capture(intentId, CAPTURED)) === 'done')
          this.acknowledged.push({ intentId, account, atMs: performance.now() });
        else this.refused += 1;
      } catch {
        this.refused += 1;
        await pause(RETRY_MS);
        // A sale that was interrupted keeps the machine of its account in use.
        account = await this.#openAccount().catch(() => account);
      }
    }
  }

  async #openAccount(): Promise<TestAccount> {
    const account = await createTestAccount(testEnvironment);
    this.accounts.push(account);
    return account;
  }
}

async function expectNothingLost(load: Load): Promise<void> {
  for (const { intentId, account } of load.acknowledged) {
    const { captured } = await readIntent(testEnvironment, account, intentId);
    expect([intentId, captured.value]).toEqual([intentId, CAPTURED]);
  }
}

const countIntents = async (server: EmbeddedPostgres): Promise<string | undefined> =>
  (await queryServer<{ count: string }>(server, 'select count(*) from payment_intents'))[0]?.count;

const countConnections = async (server: EmbeddedPostgres) =>
  Number(
    (
      await queryServer<{ count: string }>(
        server,
        `select count(*) from pg_stat_activity where usename = '${APP_ROLE}'`,
      )
    )[0]?.count,
  );

/** The port that a process uses that starts now, and reaches the first of two servers at once and the second one late. */
async function findPortAtStart(prompt: EmbeddedPostgres, late: EmbeddedPostgres): Promise<number> {
  const proxy = createServer((socket) => {
    const target = connect(late.port, '127.0.0.1');
    for (const each of [socket, target]) each.on('error', () => undefined);
    setTimeout(() => socket.pipe(target).pipe(socket), LATE_MS);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const both = `127.0.0.1:${prompt.port},127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const url = buildRoleUrl(`postgres://${both}/postgres`, APP_ROLE, PASSWORDS.appPassword);
  const database = await openDatabase({ url, applicationName: 'fresh', secrets: TEST_SECRETS });
  const [row] = await database.dataSource.query<{ port: number }[]>('select inet_server_port() as port');
  await database.close();
  proxy.close();
  return row?.port ?? 0;
}

test(
  'a killed primary costs no acknowledged capture, and its return as a stale primary none either',
  async () => {
    const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => createTestAccount(testEnvironment)));
    const load = new Load(accounts);
    await load.awaitMore(20);
    const killedAtMs = performance.now();
    await servers.killPrimary();
    await servers.promoteStandby();
    await load.awaitMore(20);
    const gapMs = Math.round(load.findGapMs(killedAtMs));
    process.stdout.write(`fail-over: ${gapMs} ms without an acknowledged capture, ${load.refused} refused\n`);

    // The supervisor failed: the old primary accepts writes again, without a standby that it would have to wait for.
    const stale = await servers.restartPrimary();
    await queryServer(stale, `alter system set synchronous_standby_names = ''`);
    await queryServer(stale, 'select pg_reload_conf()');
    const before = await countIntents(stale);
    // A process that starts now knows no timeline, and the stale primary answers it first.
    expect(await findPortAtStart(stale, servers.standby)).toBe(servers.standby.port);
    await queryServer(
      servers.standby,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${APP_ROLE}'`,
    );
    await load.awaitMore(20);
    await load.end();
    expect(await countIntents(stale)).toBe(before);
    expect(await countConnections(stale)).toBe(0);
    await expectNothingLost(load);
    for (const account of load.accounts) {
      await runDueWork(testEnvironment, account.scope);
      await expectConsistent(testEnvironment, account);
    }

    // Without the new primary the service is unavailable. It does not go back in time.
    await servers.standby.stop();
    await expect(testEnvironment.database.now()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await countIntents(stale)).toBe(before);

    // Demoted, as a supervisor must leave it: no process starts on it.
    await queryServer(stale, 'alter system set default_transaction_read_only = on');
    await queryServer(stale, 'select pg_reload_conf()');
    const onlyStale = buildRoleUrl(stale.url, APP_ROLE, PASSWORDS.appPassword);
    await expect(connectDatabase({ url: onlyStale, applicationName: 'late', secrets: TEST_SECRETS })).rejects.toThrow(
      'does not answer (25006)',
    );
  },
  90 * SECONDS,
);
