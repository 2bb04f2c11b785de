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
import { AccountEposClient } from './epos-port/account-epos.js';
import { EposChannelPool } from './epos-transports/epos-channels.js';
import { EposStreamService } from './epos-connections/epos-connections.js';
import { GatewayForwarder } from './epos-routing/epos-forwards.js';
import { EposService } from './epos-routing/epos-service.js';
import { EposSocketService } from './epos-connections/epos-sockets.js';
import { createEposClients } from './epos-clients.js';
import { createTableServices } from './table-services.js';
import { CardMachineService } from './machines/card-machines.js';
import { MachineCommandDispatcher } from './machines/machine-lines.js';

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
  const { localConnections, tablesClient, dataClient, orders } = epos;
  const tables = createTableServices({
    ...{ database, accounts, intents, sessions, settings, callLimitMs, log },
    getEpos: (scope) => new AccountEposClient({ tablesClient, dataClient, locks: orders.locks }, scope),
    callData: async (callRequest) => (await dataClient.callData(callRequest)).outcome,
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
    monitor,
    dispatcher,
    ...epos,
    machines: new CardMachineService({ database, registry, monitor, dispatcher, sessions, log }),
    eposStreams: new EposStreamService(connectionParts),
    eposSockets: new EposSocketService(connectionParts),
    eposService: new EposService({ tablesClient, dataClient, database, internalKeys: readInternalKeys(config), log }),
    tableReads: new TableReadService({ database, accounts, tablesClient }),
    tables,
  };
}

/** Everything that calls EPOSes, and what it holds open. */
function assembleEpos({
  config,
  ...parts
}: {
  readonly config: Config;
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly gatewayId: string;
  readonly log: Log;
}) {
  const allow = config.EGRESS_ALLOW;
  const allowsPlaintext = config.ALLOW_PLAINTEXT_EPOS;
  const certificateAuthority = config.EGRESS_CA_FILE === undefined ? null : readFileSync(config.EGRESS_CA_FILE, 'utf8');
  const forwarder = new GatewayForwarder(config.INTERNAL_KEY ?? null);
  const channels = new EposChannelPool({ reach: { allow, allowsPlaintext }, certificateAuthority });
  const egress = new EgressClient({ allow, certificateAuthority, connectMs: EPOS_CONNECT_TIMEOUT_MS });
  const callLimitMs = config.EPOS_CALL_LIMIT_MS;
  const clients = createEposClients({ ...parts, forwarder, channels, egress, allowsPlaintext, callLimitMs });
  return { forwarder, channels, egress, ...clients };
}

/** Starts what runs by itself: renewals, heartbeats, orders to machines, payments at tables. */
export async function startGateway({ registry, monitor, dispatcher, tables }: Gateway): Promise<void> {
  monitor.start();
  await registry.start();
  await dispatcher.start();
  await tables.start();
}

/** Hands payments at tables back, then takes no new calls to EPOSes and gives those outstanding a while. The ports are still open. */
export async function drainGateway({ runner, localConnections, eposSockets, tables }: Gateway): Promise<void> {
  // The runners end what they have begun while there still is a way to the EPOSes.
  await tables.stop();
  runner.drain();
  await localConnections.drain(EPOS_DRAIN_TIMEOUT_MS);
  eposSockets.close();
}

/** Stops what runs by itself; the streams have ended by now. */
export async function stopGateway({
  tables,
  dispatcher,
  monitor,
  registry,
  forwarder,
  channels,
  egress,
}: Gateway): Promise<void> {
  await tables.stop();
  await dispatcher.stop();
  monitor.stop();
  await registry.stop();
  forwarder.close();
  channels.close();
  await egress.close();
}
