import { fileURLToPath } from 'node:url';
import { DatabaseReadiness } from '@pos/nest-modules';
import { PORTAL_OPERATIONS, PORTAL_TITLE } from '@pos/rest-contracts/portal';
import { HTTP_TLS } from '@pos/service-kit/config';
import { type HttpServer, startHttpServer } from '@pos/service-kit/http';
import { readWebSite } from '@pos/service-kit/web-site';
import { openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';
import { DELIVERY_STYLE_PATH } from './deliveries/delivery-page.js';
import { DeliveryPageRoute } from './deliveries/delivery-page-route.js';
import { DELIVERY_PAGE_STYLE } from './deliveries/delivery-page-style.js';
import { PortalEventStream } from './events/event-stream.js';
import { ApiForwarder } from './forwarding/api-forwarder.js';
import { OidcCallback } from './sessions/oidc-callback.js';
import { OidcStart } from './sessions/oidc-start.js';
import { PortalRequestChecks } from './sessions/portal-request-checks.js';
import { PAGE_PATHS } from './page-paths.js';

/** What Vite has built. Tests, which run the sources, need the build too. */
const PAGE_FOLDER = fileURLToPath(new URL('../dist/web/', import.meta.url));

/** The page of deliveries is not of the bundle: it is rendered here, and has no script. */
const DELIVERY_STYLE = {
  path: DELIVERY_STYLE_PATH,
  text: DELIVERY_PAGE_STYLE,
  headers: {
    ...{ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    'x-content-type-options': 'nosniff',
  },
};

/** Waits for the database and serves the portal: its pages, its sessions, and the API for them. */
export function startPortal(config: Config, log: Log): Promise<HttpServer> {
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: AppModule.forRoot(config, log),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: PORTAL_OPERATIONS,
    checks: PortalRequestChecks,
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [DatabaseReadiness],
    release: readProductVersion(config),
    log,
    openapi: PORTAL_TITLE,
    pages: [...readWebSite({ folder: PAGE_FOLDER, paths: PAGE_PATHS, policy: {} }), DELIVERY_STYLE],
    rawRoutes: [ApiForwarder, DeliveryPageRoute, PortalEventStream, OidcStart, OidcCallback],
    checksContract: config.NODE_ENV !== 'production',
  });
}
