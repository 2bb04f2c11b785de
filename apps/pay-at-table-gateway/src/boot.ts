import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { SIMULATOR_OPERATIONS } from '@pos/rest-contracts/sandbox/simulator';
import { ConfigError } from '@pos/service-kit/config/config';
import type { DrainStep } from '@pos/service-kit/lifecycle/drain';
import { createFaultPoint, type FaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import { startGrpcServers } from '@pos/service-kit/grpc/grpc-startup';
import { startHttpServer } from '@pos/service-kit/http/http-server';
import { readInternalHost, readInternalKeys } from '@pos/service-kit/internal/internal-server';
import { formatHostPort, isWildcardHost } from '@pos/service-kit/network/listen-address';
import { createLog, type Log } from '@pos/service-kit/telemetry/log';
import { awaitDatabase } from '@pos/store/startup/database-startup';
import type { DatabaseOptions } from '@pos/store/database/database';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import type { Config } from './config.js';
import { openInternalServer } from './epos-routing/internal-client.js';
import { SocketUpgradeServer } from './epos-connections/socket-server.js';
import { assembleGateway, drainGateway, type Gateway, startGateway, stopGateway } from './gateway.js';
import { createHttpModule, GatewayModule } from './app-module.js';
import { PUBLIC_SERVICES, buildReflectionOptions } from './wire.js';

const DATABASE_CONNECTIONS_MAX = 20;
const STREAMS_CLOSE_TIMEOUT_MS = 5_000;

/** A gateway that serves. */
export interface RunningGateway {
  /** `grpc` and `internalGrpc` are host:port. */
  readonly urls: { readonly health: string; readonly grpc: string; readonly internalGrpc: string };
  readonly gateway: Gateway;
  readonly log: Log;
  /** How to stop it without losing anything, in this order. */
  readonly drainSteps: readonly DrainStep[];
  readonly close: () => Promise<void>;
}

/** Starts a gateway, once the database is there. Rejects when a port cannot be had; nothing stays open then. */
export async function bootGateway(
  config: Config,
  {
    log = createLog({ app: 'pay-at-table-gateway', level: config.LOG_LEVEL }),
    fault = createFaultPoint(config),
  }: {
    readonly log?: Log;
    readonly fault?: FaultPoint;
  } = {},
): Promise<RunningGateway> {
  const steps: DrainStep[] = [];
  const close = async (): Promise<void> => {
    for (const { stop } of steps.splice(0)) await stop();
  };
  try {
    return { ...(await openGateway(config, { log, fault, steps })), log, drainSteps: steps, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function buildDatabaseOptions(config: Config): DatabaseOptions {
  return {
    url: config.DATABASE_URL.reveal(),
    applicationName: 'pay-at-table-gateway',
    poolMax: DATABASE_CONNECTIONS_MAX,
    secrets: readStoreSecrets(config),
    ...(config.SEED !== undefined && { seed: config.SEED }),
  };
}

/** What was opened last stops first, so that each part still has what it needs. */
async function openGateway(
  config: Config,
  { log, fault, steps }: { readonly log: Log; readonly fault: FaultPoint; readonly steps: DrainStep[] },
): Promise<Pick<RunningGateway, 'urls' | 'gateway'>> {
  const internalHost = readInternalHost(config);
  readInternalKeys(config);
  if (config.ADVERTISED_ADDRESS === undefined && isWildcardHost(internalHost)) {
    throw new ConfigError([
      'ADVERTISED_ADDRESS: is not set, and nobody can connect to an INTERNAL_HOST that is a wildcard',
    ]);
  }
  const database = await awaitDatabase(buildDatabaseOptions(config), log);
  steps.unshift({ name: 'database', stop: () => database.close() });

  let address = config.ADVERTISED_ADDRESS ?? '';
  const gateway = assembleGateway({ config, database, log, fault, address: () => address });
  steps.unshift({ name: 'gateway', stop: () => stopGateway(gateway) });

  const { HOST: host } = config;
  const connections = { perAddress: config.CONNECTIONS_PER_ADDRESS, log };
  const internal = await openInternalServer({
    ...{ host: internalHost, port: config.INTERNAL_GRPC_PORT },
    ...{ service: gateway.eposService, connections },
  });
  const internalGrpc = formatHostPort(internalHost, internal.port);
  if (address === '') address = internalGrpc;
  steps.unshift({ name: 'internal gRPC', stop: internal.close });
  await startGateway(gateway);

  const keys = new ApiKeyAuthenticator(database, { limits: await SharedRateLimiter.open(database, log) });
  const authenticate = (text: string, address: string) => keys.authenticate(text, address);
  const { doors, close } = await startGrpcServers({
    module: GatewayModule.forRoot(gateway),
    doors: [
      {
        ...{ host, port: config.GRPC_PORT },
        ...{ services: PUBLIC_SERVICES, connections, authenticate, log },
        closeTimeoutMs: STREAMS_CLOSE_TIMEOUT_MS,
        ...buildReflectionOptions(config.NODE_ENV),
      },
    ],
  });
  steps.unshift({ name: 'gRPC', stop: close });
  steps.unshift({ name: 'calls to EPOSes', stop: () => drainGateway(gateway) });

  const http = await startHttpServer({
    ...{ connections, module: createHttpModule(gateway), operations: SIMULATOR_OPERATIONS },
    ...{ authenticate, log, host, port: config.HTTP_PORT },
    ready: [{ name: 'database', check: () => database.checkReady() }],
    openapi: {
      title: 'Pay-at-table gateway',
      description:
        'The device simulator. Sockets of EPOSes are opened at `/epos` (EPOS Data API) and `/ws/v1/tables/epos` (pay at table).',
    },
    checksContract: config.NODE_ENV !== 'production',
  });
  const { accounts, eposSockets } = gateway;
  new SocketUpgradeServer({ database, accounts, keys, sockets: eposSockets, log }).attach(http.app.getHttpServer());
  // Health answers to the end: an orchestrator that hears nothing would not wait for the rest.
  steps.push({ name: 'health', stop: http.close });
  return { urls: { health: http.url, grpc: formatHostPort(host, doors[0]?.port ?? 0), internalGrpc }, gateway };
}
