import { DatabaseReadiness, RequestActivityRecorder } from '@pos/nest-modules';
import { CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE } from '@pos/rest-contracts/card-vault';
import { startHttpServer } from '@pos/service-kit/http';
import { HTTP_TLS } from '@pos/service-kit/config';
import { openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';
import { createCardFrames } from './frame/card-frame.js';
import { EmbeddedFrames } from './frame/embedded-frames.js';
import { InternalPort } from './internal/internal-module.js';
import { VaultRequestChecks } from './request-checks/vault-request-checks.js';

/** A running card vault. */
export interface CardVaultServer {
  readonly url: string;
  /** The internal port, `host:port`. */
  readonly internalGrpc: string;
  readonly close: () => Promise<void>;
}

/** Waits for the database, starts to erase what is due, and serves payers. Closing lets running requests finish. */
export async function startVault(config: Config, log: Log): Promise<CardVaultServer> {
  const { app, url, close } = await startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: AppModule.forRoot(config, log),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: CARD_VAULT_OPERATIONS,
    pages: createCardFrames({ checkoutOrigins: config.CHECKOUT_ORIGINS, deviceDataUrl: config.DEVICE_DATA_URL }),
    rawRoutes: [EmbeddedFrames],
    checks: VaultRequestChecks,
    recorder: RequestActivityRecorder,
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [DatabaseReadiness],
    release: readProductVersion(config),
    log,
    openapi: CARD_VAULT_TITLE,
    checksContract: config.NODE_ENV !== 'production',
  });
  return { url, internalGrpc: app.get(InternalPort, { strict: false }).address, close };
}
