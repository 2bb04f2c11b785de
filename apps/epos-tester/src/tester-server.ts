import { DatabaseReadiness } from '@pos/nest-modules';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import { HTTP_TLS } from '@pos/service-kit/config';
import { type HttpServer, startHttpServer } from '@pos/service-kit/http';
import { openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';
import { TesterRequestChecks } from './request-checks/tester-request-checks.js';

/** Waits for the database and serves the flows. The gateways need not be up yet. Closing ends the runs that run. */
export function startTester(config: Config, log: Log): Promise<HttpServer> {
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: AppModule.forRoot(config, log),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: TESTER_OPERATIONS,
    checks: TesterRequestChecks,
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [DatabaseReadiness],
    release: readProductVersion(config),
    log,
    openapi: {
      title: 'EPOS tester',
      description:
        'Plays named flows against the EPOS of a sandbox account, through the same gateway that serves its devices, ' +
        'and says which clause of the contract the EPOS broke.',
    },
    checksContract: config.NODE_ENV !== 'production',
  });
}
