import { DatabaseReadiness } from '@pos/nest-modules/database-module';
import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { type HttpServer, startHttpServer } from '@pos/service-kit/http/http-server';
import type { Log } from '@pos/service-kit/telemetry/log';
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
    trustedProxies: config.TRUSTED_PROXIES,
    ready: [DatabaseReadiness],
    log,
    openapi: API_TITLE,
    checksContract: config.NODE_ENV !== 'production',
  });
}
