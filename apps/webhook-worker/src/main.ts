import { readFileSync } from 'node:fs';
import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { Egress } from '@pos/service-kit/egress';
import { armFaultPoint } from '@pos/service-kit/fault-point';
import { serveHealth } from '@pos/service-kit/health';
import { openLog } from '@pos/service-kit/log';
import { openDatabase } from '@pos/store/database';
import { Config } from './config.js';
import { startWorker } from './worker.js';

const DATABASE_CONNECTIONS_MAX = 16;

const config = settings();
const log = openLog({ app: 'webhook-worker', level: config.LOG_LEVEL });
const database = await openDatabase({
  url: config.DATABASE_URL.reveal(),
  applicationName: 'webhook-worker',
  poolMax: DATABASE_CONNECTIONS_MAX,
  secrets: {
    encryptionKey: Buffer.from(config.ENCRYPTION_KEY.reveal(), 'base64'),
    pepper: config.KEY_PEPPER.reveal(),
  },
  ...(config.SEED !== undefined && { seed: config.SEED }),
});
const egress = new Egress({
  allow: config.EGRESS_ALLOW,
  certificateAuthority: config.EGRESS_CA_FILE === undefined ? null : readFileSync(config.EGRESS_CA_FILE, 'utf8'),
});
const worker = await startWorker({
  database,
  egress,
  effects: {},
  log,
  fault: armFaultPoint(config),
  settings: config,
});
const health = await serveHealth({
  port: config.WORKER_PORT,
  host: config.WORKER_HOST,
  checks: [{ name: 'database', check: () => database.isReady() }],
});
drainOnSignal({
  log,
  steps: [
    { name: 'worker', stop: () => worker.stop() },
    { name: 'egress', stop: () => egress.close() },
    { name: 'health', stop: health.close },
    { name: 'database', stop: () => database.close() },
  ],
});
log.info('process.started', { health: health.url });

function settings(): Config {
  try {
    return readConfig(Config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
