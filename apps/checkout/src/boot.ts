import { Module } from '@nestjs/common';
import { startHttpServer, type HttpServer } from '@pos/service-kit/http/http-server';
import type { Log } from '@pos/service-kit/telemetry/log';
import { createCheckoutPages } from './checkout-page.js';
import type { Config } from './config.js';

@Module({})
class CheckoutModule {}

/** Serves the payment page. It depends on no other process: the payer's browser calls the API and the vault. */
export function startCheckout(config: Config, log: Log): Promise<HttpServer> {
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: CheckoutModule,
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: [],
    pages: createCheckoutPages(config),
    ready: [],
    log,
    openapi: { title: 'Hosted payment page', description: 'Serves pages; they talk to the API and the card vault.' },
  });
}
