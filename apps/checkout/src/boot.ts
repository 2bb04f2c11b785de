import { type DynamicModule, Module } from '@nestjs/common';
import { HTTP_TLS } from '@pos/service-kit/config';
import { startHttpServer, type HttpServer } from '@pos/service-kit/http';
import { openPortEncryption } from '@pos/service-kit/network';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { createCheckoutPages } from './checkout-page.js';
import type { Config } from './config.js';

@Module({})
class CheckoutModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    const monitoring = MonitoringModule.forRoot({ app: 'checkout', ready: [] });
    return { module: CheckoutModule, imports: [SettingsModule.forRoot(config, log), monitoring] };
  }
}

/** Serves the payment page. It depends on no other process: the payer's browser calls the API and the vault. */
export function startCheckout(config: Config, log: Log): Promise<HttpServer> {
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: CheckoutModule.forRoot(config, log),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: [],
    encryption: openPortEncryption(HTTP_TLS, config, log),
    pages: createCheckoutPages(config),
    ready: [],
    release: readProductVersion(config),
    log,
    openapi: { title: 'Hosted payment page', description: 'Serves pages; they talk to the API and the card vault.' },
  });
}
