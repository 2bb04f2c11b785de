import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseReadiness } from '@pos/nest-modules';
import { SIMULATOR_OPERATIONS } from '@pos/rest-contracts/sandbox';
import { ConfigError, HTTP_TLS } from '@pos/service-kit/config';
import { GrpcServer } from '@pos/service-kit/grpc';
import { startHttpServer } from '@pos/service-kit/http';
import { createFaultPoint, type FaultPoint } from '@pos/service-kit/lifecycle';
import { formatHostPort, isWildcardHost, openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';
import { SocketUpgradeServer } from './epos-connections/socket-upgrade-server.js';
import { GatewayInternalServer } from './epos-routing/internal-server.js';
import { GatewayRequestChecks } from './request-checks.js';

/** A gateway that serves. */
export interface RunningGateway {
  /** `grpc` and `internalGrpc` are host:port. */
  readonly urls: { readonly health: string; readonly grpc: string; readonly internalGrpc: string };
  readonly app: INestApplicationContext;
  /** Stops it after its running work. */
  readonly close: () => Promise<void>;
}

/** Starts a gateway once the database is available. Rejects when a port cannot be opened; nothing stays open then. */
export async function bootGateway(
  config: Config,
  {
    log,
    fault = createFaultPoint(config),
  }: {
    readonly log: Log;
    readonly fault?: FaultPoint;
  },
): Promise<RunningGateway> {
  requireReachableInternalPort(config);
  const { app, url, close } = await startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS, log },
    module: AppModule.forRoot(config, { log, fault }),
    operations: SIMULATOR_OPERATIONS,
    checks: GatewayRequestChecks,
    log,
    host: config.HOST,
    port: config.HTTP_PORT,
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [DatabaseReadiness],
    release: readProductVersion(config),
    openapi: {
      title: 'Pay-at-table gateway',
      description:
        'The device simulator. Sockets of EPOSes are opened at `/epos` (EPOS Data API) and `/ws/v1/tables/epos` (pay at table).',
    },
    checksContract: config.NODE_ENV !== 'production',
    beforeListen: async (starting) => {
      await starting.connectMicroservice({ strategy: starting.get(GrpcServer) }).listen();
      starting.get(SocketUpgradeServer).attach(starting.getHttpServer());
    },
  });
  const grpc = formatHostPort(config.HOST, app.get(GrpcServer).port);
  const internalGrpc = app.get(GatewayInternalServer).getAddress();
  return { urls: { health: url, grpc, internalGrpc }, app, close };
}

/** Wrong settings of the internal port end the start before it waits for the database. */
function requireReachableInternalPort({ ADVERTISED_ADDRESS: advertised, INTERNAL_HOST: host }: Config): void {
  if (advertised === undefined && isWildcardHost(host)) {
    throw new ConfigError([
      'ADVERTISED_ADDRESS: is not set, and no process can connect to an INTERNAL_HOST that is a wildcard',
    ]);
  }
}
