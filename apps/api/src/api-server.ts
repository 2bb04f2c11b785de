import { DatabaseReadiness, RequestActivityRecorder } from '@pos/nest-modules';
import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { type HttpServer, startHttpServer } from '@pos/service-kit/http';
import { HTTP_TLS } from '@pos/service-kit/config';
import { openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';
import { ApiRequestChecks } from './request-checks/api-request-checks.js';

/** Waits for the database and serves the API. Closing lets running requests finish. */
export function startApi(config: Config, log: Log): Promise<HttpServer> {
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: AppModule.forRoot(config, log),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: API_OPERATIONS,
    checks: ApiRequestChecks,
    recorder: RequestActivityRecorder,
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [DatabaseReadiness],
    release: readProductVersion(config),
    log,
    openapi: API_TITLE,
    checksContract: config.NODE_ENV !== 'production',
  });
}
