import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { generate } from 'selfsigned';
import { waitUntil, WORKERS } from '../e2e/stage.js';
import { REPOSITORY } from '../repository/repository.js';
import type { AlertScenario } from './alert-scenario.js';
import type { AlertStage } from './alert-stage.js';
import { createIntent, createIntents } from './payment-traffic.js';

const READY_MS_MAX = 20_000;

const TARGET_DOWN: AlertScenario = {
  alerts: ['TargetDown'],
  says: 'a process is killed and nobody restarts it',
  provoke: async ({ stage }) => {
    const app = stage.world.app('checkout');
    await app.kill();
    return async () => {
      app.start();
      await app.untilReady();
    };
  },
};

const NO_WORKER: AlertScenario = {
  alerts: ['NoWebhookWorker'],
  says: 'every worker is stopped',
  provoke: async ({ stage }) => {
    const workers = WORKERS.map((name) => stage.world.app(name));
    for (const worker of workers) await worker.kill();
    return async () => {
      for (const worker of workers) worker.start();
      await Promise.all(workers.map((worker) => worker.untilReady()));
    };
  },
};

const DATABASE_AWAY: AlertScenario = {
  alerts: ['DatabaseUnreachable', 'RequestsFailing'],
  says: 'the database stops',
  provoke: async (at) => {
    const { id } = await createIntent(at.stage);
    unreadableIntent = id;
    await at.stopDatabase();
    return () => at.startDatabase();
  },
  during: (at) => readIntent(at),
  after: (at) => readIntent(at),
};

let unreadableIntent = '';

async function readIntent({ stage }: AlertStage): Promise<void> {
  const params = { paymentIntentId: unreadableIntent };
  for (const house of stage.houses)
    await stage
      .api(house)(readPaymentIntent, { params })
      .catch(() => undefined);
}

/** More than one connection can serve, so that some request waits for it at every scrape. */
const BUSY_CLIENTS = 40;

const POOL_EXHAUSTED: AlertScenario = {
  alerts: ['DatabasePoolExhausted'],
  says: 'an api with one connection to the database gets forty requests at a time',
  provoke: async ({ stage }) => {
    await stage.replace('api', { DATABASE_CONNECTIONS: '1' });
    let isOver = false;
    const clients = Array.from({ length: BUSY_CLIENTS }, async () => {
      while (!isOver) await createIntent(stage).catch(() => pause(20));
    });
    return async () => {
      isOver = true;
      await Promise.all(clients);
      await stage.replace('api');
      await stage.untilHooksAreOut(stage.houses[0]);
    };
  },
};

/** A certificate that ends in three days, beside the one that is in use. */
const CERTIFICATE_ENDS: AlertScenario = {
  alerts: ['CertificateExpiring', 'DatabaseNearlyFull'],
  says: 'a certificate of a worker ends in three days, and its database is larger than its limit allows',
  provoke: async ({ stage }) => {
    const folder = await mkdtemp('/var/tmp/pos-alert-files-');
    const file = path.join(folder, 'ca.pem');
    const notBeforeDate = new Date();
    const notAfterDate = new Date(notBeforeDate.getTime() + 3 * 24 * 60 * 60 * 1_000);
    const { cert } = await generate([{ name: 'commonName', value: 'ends soon' }], { notBeforeDate, notAfterDate });
    await writeFile(file, `${await readFile(stage.world.certificates.egressFile, 'utf8')}\n${cert}`);
    await stage.replace(WORKERS[0], { EGRESS_CA_FILE: file, DATABASE_SIZE_MAX_BYTES: '1000000' });
    return async () => {
      await stage.replace(WORKERS[0]);
      await rm(folder, { recursive: true, force: true });
    };
  },
};

const STALL_MS = 400;

const LOOP_DELAYED: AlertScenario = {
  alerts: ['EventLoopDelayed'],
  says: 'a process gets too little of a processor',
  provoke: async () => () => Promise.resolve(),
  during: async ({ stage }) => {
    const app = stage.world.app('checkout');
    await app.kill('SIGSTOP');
    await pause(STALL_MS);
    await app.kill('SIGCONT');
    // The loop measures the stall when it runs again.
    await pause(50);
  },
};

let restarts = 0;

const RESTARTING: AlertScenario = {
  alerts: ['ProcessRestarting'],
  says: 'a process crashes again and again',
  provoke: async () => {
    restarts = 0;
    return () => Promise.resolve();
  },
  during: async ({ stage }) => {
    if ((restarts += 1) > 4) return;
    const app = stage.world.app('checkout');
    await app.kill();
    app.start();
    await app.untilReady();
    // The address of its metrics is in its log a moment later.
    await pause(200);
  },
};

const LATE: AlertScenario = {
  alerts: ['DeliveriesLate'],
  says: 'workers are too slow for their queue',
  provoke: async ({ stage }) => {
    const workers = WORKERS.map((name) => stage.world.app(name));
    for (const worker of workers) await worker.kill('SIGSTOP');
    await createIntents(stage, 5);
    await pause(11_000);
    for (const worker of workers) await worker.kill('SIGCONT');
    await stage.untilHooksAreOut(stage.houses[0]);
    return () => Promise.resolve();
  },
  after: async ({ stage }) => {
    await createIntents(stage, 1);
    await stage.untilHooksAreOut(stage.houses[0]);
  },
};

const FULL_DISK = `create function refuse_write() returns trigger language plpgsql as
  $$begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end$$`;

/** PostgreSQL answers writes as it does with a full disk: only root may give it a small one. */
const DATABASE_DISK_FULL: AlertScenario = {
  alerts: ['DatabaseDiskFull'],
  says: 'the database answers writes with a full disk',
  provoke: async (at) => {
    await at.sql(FULL_DISK);
    await at.sql(
      'create trigger full_disk before insert on payment_intents for each row execute function refuse_write()',
    );
    return async () => {
      await at.sql('drop trigger full_disk on payment_intents');
      await at.sql('drop function refuse_write()');
    };
  },
  during: async ({ stage }) => {
    await createIntent(stage).catch(() => undefined);
  },
};

const DISK_BYTES = 1_000_000;
const FILLED_BYTES = 950_000;

/** A process whose folder is a small file system of its own, nearly filled. Only root may mount one. */
const DISK_FULL: AlertScenario = {
  alerts: ['DiskNearlyFull'],
  says: 'the disk of a process has five percent left',
  isPossible: () => process.getuid?.() === 0,
  provoke: async ({ monitor }) => {
    const folder = await mkdtemp('/var/tmp/pos-alert-disk-');
    const logFile = `${folder}.log`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
    await writeFile(path.join(folder, 'filled'), Buffer.alloc(FILLED_BYTES));
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [path.join(REPOSITORY, 'apps/checkout/bundle/main.js')], {
      cwd: folder,
      env: {
        ...{ NODE_ENV: 'development', HTTP_PORT: '0', HEALTH_PORT: '0' },
        ...{ API_BASE_URL: 'http://127.0.0.1:1', CARD_VAULT_URL: 'http://127.0.0.1:1' },
      },
      stdio: ['ignore', log, log],
    });
    const removeTarget = monitor.addTarget({ name: 'small-disk', logFile, pid: child.pid ?? 0 });
    const isStarted = async (): Promise<boolean> => (await readFile(logFile, 'utf8')).includes('monitoring.started');
    await waitUntil('the process on the small disk runs', READY_MS_MAX, isStarted);
    return async () => {
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      removeTarget();
      closeSync(log);
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true });
      await rm(logFile);
    };
  },
};

/** What may happen to processes, their database and their certificates. */
export const PROCESS_SCENARIOS: readonly AlertScenario[] = [
  TARGET_DOWN,
  NO_WORKER,
  POOL_EXHAUSTED,
  CERTIFICATE_ENDS,
  LOOP_DELAYED,
  RESTARTING,
  LATE,
  DATABASE_DISK_FULL,
  DISK_FULL,
  // Last: every process connects again after it.
  DATABASE_AWAY,
];
