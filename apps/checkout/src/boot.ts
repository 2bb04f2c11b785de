import { Module } from '@nestjs/common';
import { bootHttp, type RunningHttpApp } from '@pos/service-kit/http';
import type { Log } from '@pos/service-kit/log';
import { checkoutPages } from './checkout-page.js';
import type { Config } from './config.js';

@Module({})
class CheckoutModule {}

/** Serves the payment page. It needs nothing of ours to run: whatever a page shows, the payer's browser asks for. */
export function bootCheckout(config: Config, log: Log): Promise<RunningHttpApp> {
  return bootHttp({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: CheckoutModule,
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: [],
    pages: checkoutPages(config),
    authenticate: () => Promise.resolve(null),
    ready: [],
    log,
    openapi: { title: 'Hosted payment page', description: 'Serves pages; they talk to the API and the card vault.' },
  });
}
