import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { AccountCache } from '@pos/payments/accounts';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings, computeSessionWindows } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { internalKeysOf } from '@pos/service-kit/internal-grpc';
import { Egress } from '@pos/service-kit/egress';
import type { FaultPoint } from '@pos/service-kit/fault-point';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { wakeEposLane } from '@pos/store/epos-lanes';
import type { Config } from './config.js';
import { ConnectionRegistry } from './connections/connection-registry.js';
import { LineKeeper } from './connections/line-keeper.js';
import { TableReads } from './devices/table-reads.js';
import { AccountEpos } from './epos/account-epos.js';
import { EposChannels } from './epos/epos-channels.js';
import { EposConnections } from './epos/epos-connections.js';
import { EposForwards } from './epos/epos-forwards.js';
import { EposRouter } from './epos/epos-router.js';
import { EposService } from './epos/epos-service.js';
import { EposSockets } from './epos/epos-sockets.js';
import { EposStreams } from './epos/epos-streams.js';
import { assembleTables } from './journeys/journey-assembly.js';
import { CardMachines } from './machines/card-machines.js';
import { MachineLines } from './machines/machine-lines.js';
import { orderParts } from './orders/orders-epos.js';

/** Everything a gateway is made of beside its ports, each made once. */
export type Gateway = ReturnType<typeof assembleGateway>;

const EPOS_DRAIN_MS = 10_000;
const EPOS_CONNECT_MS = 5_000;

/** Puts the parts of a gateway together. Nothing runs before `startGateway`. */
export function assembleGateway({
  config,
  database,
  log,
  fault,
  address,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly fault: FaultPoint;
  /** How the other gateways reach this one; known once its internal port is open. */
  readonly address: () => string;
}) {
  const gatewayId = randomUUID();
  const settings: PaymentSettings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    checkoutBaseUrl: config.CHECKOUT_BASE_URL,
    hasProductionAcquirer: config.ACQUIRER_ADDRESS_PRODUCTION !== undefined,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
    fault,
  };
  const accounts = new AccountCache();
  const intents = new PaymentIntents(accounts);
  const sessions = new TerminalSessions(accounts, settings);
  const registry = new ConnectionRegistry({ database, gatewayId, gatewayAddress: address, log });
  const keeper = new LineKeeper();
  const lines = new MachineLines({ database, settings, log });
  const callLimitMs = config.EPOS_CALL_LIMIT_MS;
  const epos = assembleEpos({ config, database, accounts, gatewayId, log });
  const { streams, router, orders } = epos;
  const tables = assembleTables({
    ...{ database, accounts, intents, sessions, settings, callLimitMs, log },
    eposOf: (scope) => new AccountEpos(router, scope, orders.locks),
    askOrders: async (wish) => (await router.ask(wish)).outcome,
    acquirerAddress: config.ACQUIRER_ADDRESS,
    productionAcquirerAddress: config.ACQUIRER_ADDRESS_PRODUCTION ?? null,
    runnerLeaseMs: config.RUNNER_LEASE_MS,
    lockLeaseMs: config.LOCK_LEASE_MS,
  });
  const connected = async (scope: Scope): Promise<void> => {
    await Promise.all([tables.eposConnected(scope), database.transact(scope, wakeEposLane)]);
  };
  return {
    database,
    log,
    settings,
    accounts,
    intents,
    sessions,
    registry,
    keeper,
    lines,
    ...epos,
    machines: new CardMachines({ database, registry, keeper, lines, sessions, log }),
    connections: new EposConnections({ database, registry, keeper, streams, log, connected }),
    sockets: new EposSockets({ database, registry, keeper, streams, log, connected }),
    service: new EposService({ router, database, internalKeys: internalKeysOf(config), log }),
    reads: new TableReads({ database, accounts, router }),
    tables,
  };
}

/** The ways to EPOSes, and what is spoken on them. */
function assembleEpos({
  config,
  database,
  accounts,
  gatewayId,
  log,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly gatewayId: string;
  readonly log: Log;
}) {
  const streams = new EposStreams();
  const forwards = new EposForwards(config.INTERNAL_KEY ?? null);
  const allow = config.EGRESS_ALLOW;
  const allowsPlaintext = config.ALLOW_PLAINTEXT_EPOS;
  const certificateAuthority = config.EGRESS_CA_FILE === undefined ? null : readFileSync(config.EGRESS_CA_FILE, 'utf8');
  const channels = new EposChannels({ reach: { allow, allowsPlaintext }, certificateAuthority });
  const egress = new Egress({ allow, certificateAuthority, connectMs: EPOS_CONNECT_MS });
  const callLimitMs = config.EPOS_CALL_LIMIT_MS;
  const orders = orderParts(database);
  const ways = { streams, forwards, channels, egress, allowsPlaintext, orders };
  const router = new EposRouter({ ...ways, database, accounts, gatewayId, callLimitMs, log });
  return { streams, forwards, channels, egress, orders, router };
}

/** Starts what runs by itself: renewals, heartbeats, orders to machines, payments at tables. */
export async function startGateway({ registry, keeper, lines, tables }: Gateway): Promise<void> {
  keeper.start();
  await registry.start();
  await lines.start();
  await tables.start();
}

/** Hands payments at tables back, then takes no new calls to EPOSes and gives those outstanding a while. The ports are still open. */
export async function drainGateway({ router, streams, sockets, tables }: Gateway): Promise<void> {
  // The runners end what they have begun while there still is a way to the EPOSes.
  await tables.stop();
  router.drain();
  await streams.drain(EPOS_DRAIN_MS);
  sockets.close();
}

/** Stops what runs by itself; the streams have ended by now. */
export async function stopGateway({
  tables,
  lines,
  keeper,
  registry,
  forwards,
  channels,
  egress,
}: Gateway): Promise<void> {
  await tables.stop();
  await lines.stop();
  keeper.stop();
  await registry.stop();
  forwards.close();
  channels.close();
  await egress.close();
}
