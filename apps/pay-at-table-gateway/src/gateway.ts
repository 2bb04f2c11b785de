import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity/identity';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import {
  DEFAULT_PAYMENT_SETTINGS,
  type PaymentSettings,
  computeSessionWindows,
} from '@pos/payments/accounts/payment-settings';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { readInternalKeys } from '@pos/service-kit/internal/internal-server';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import type { FaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import { wakeEposLane } from '@pos/store/queues/epos-lanes';
import type { Config } from './config.js';
import { ConnectionRegistry } from './connections/connection-registry.js';
import { ConnectionMonitor } from './connections/line-keeper.js';
import { TableReadService } from './devices/table-reads.js';
import { AccountEposClient } from './epos/account-epos.js';
import { EposChannelPool } from './epos/epos-channels.js';
import { EposStreamService } from './epos/epos-connections.js';
import { GatewayForwarder } from './epos/epos-forwards.js';
import { EposRouter } from './epos/epos-router.js';
import { EposService } from './epos/epos-service.js';
import { EposSocketService } from './epos/epos-sockets.js';
import { LocalEposConnections } from './epos/epos-streams.js';
import { createTableServices } from './journeys/journey-assembly.js';
import { CardMachineService } from './machines/card-machines.js';
import { MachineCommandDispatcher } from './machines/machine-lines.js';
import { createOrderServices } from './orders/orders-epos.js';

/** Everything a gateway is made of beside its ports, each made once. */
export type Gateway = ReturnType<typeof assembleGateway>;

const EPOS_DRAIN_TIMEOUT_MS = 10_000;
const EPOS_CONNECT_TIMEOUT_MS = 5_000;

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
  const monitor = new ConnectionMonitor();
  const dispatcher = new MachineCommandDispatcher({ database, settings, log });
  const callLimitMs = config.EPOS_CALL_LIMIT_MS;
  const epos = assembleEpos({ config, database, accounts, gatewayId, log });
  const { streams: localConnections, router, orders } = epos;
  const tables = createTableServices({
    ...{ database, accounts, intents, sessions, settings, callLimitMs, log },
    getEpos: (scope) => new AccountEposClient(router, scope, orders.locks),
    callData: async (callRequest) => (await router.callData(callRequest)).outcome,
    acquirerAddress: config.ACQUIRER_ADDRESS,
    productionAcquirerAddress: config.ACQUIRER_ADDRESS_PRODUCTION ?? null,
    runnerLeaseMs: config.RUNNER_LEASE_MS,
    lockLeaseMs: config.LOCK_LEASE_MS,
  });
  const onEposConnected = async (scope: Scope): Promise<void> => {
    await Promise.all([tables.onEposConnected(scope), database.transact(scope, wakeEposLane)]);
  };
  const connectionParts = { database, registry, monitor, localConnections, log, onConnected: onEposConnected };
  return {
    database,
    log,
    settings,
    accounts,
    intents,
    sessions,
    registry,
    keeper: monitor,
    lines: dispatcher,
    ...epos,
    machines: new CardMachineService({ database, registry, monitor, dispatcher, sessions, log }),
    eposStreams: new EposStreamService(connectionParts),
    eposSockets: new EposSocketService(connectionParts),
    eposService: new EposService({ router, database, internalKeys: readInternalKeys(config), log }),
    tableReads: new TableReadService({ database, accounts, router }),
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
  const localConnections = new LocalEposConnections();
  const forwarder = new GatewayForwarder(config.INTERNAL_KEY ?? null);
  const allow = config.EGRESS_ALLOW;
  const allowsPlaintext = config.ALLOW_PLAINTEXT_EPOS;
  const certificateAuthority = config.EGRESS_CA_FILE === undefined ? null : readFileSync(config.EGRESS_CA_FILE, 'utf8');
  const channelPool = new EposChannelPool({ reach: { allow, allowsPlaintext }, certificateAuthority });
  const egress = new EgressClient({ allow, certificateAuthority, connectMs: EPOS_CONNECT_TIMEOUT_MS });
  const callLimitMs = config.EPOS_CALL_LIMIT_MS;
  const orders = createOrderServices(database);
  const transports = {
    streams: localConnections,
    forwards: forwarder,
    channels: channelPool,
    egress,
    allowsPlaintext,
    orders,
  };
  const router = new EposRouter({ ...transports, database, accounts, gatewayId, callLimitMs, log });
  return { streams: localConnections, forwards: forwarder, channels: channelPool, egress, orders, router };
}

/** Starts what runs by itself: renewals, heartbeats, orders to machines, payments at tables. */
export async function startGateway({ registry, keeper: monitor, lines: dispatcher, tables }: Gateway): Promise<void> {
  monitor.start();
  await registry.start();
  await dispatcher.start();
  await tables.start();
}

/** Hands payments at tables back, then takes no new calls to EPOSes and gives those outstanding a while. The ports are still open. */
export async function drainGateway({ router, streams: localConnections, eposSockets, tables }: Gateway): Promise<void> {
  // The runners end what they have begun while there still is a way to the EPOSes.
  await tables.stop();
  router.drain();
  await localConnections.drain(EPOS_DRAIN_TIMEOUT_MS);
  eposSockets.close();
}

/** Stops what runs by itself; the streams have ended by now. */
export async function stopGateway({
  tables,
  lines: dispatcher,
  keeper: monitor,
  registry,
  forwards: forwarder,
  channels: channelPool,
  egress,
}: Gateway): Promise<void> {
  await tables.stop();
  await dispatcher.stop();
  monitor.stop();
  await registry.stop();
  forwarder.close();
  channelPool.close();
  await egress.close();
}
