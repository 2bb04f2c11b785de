import { fileURLToPath } from 'node:url';
import { SANDBOX_CONTROL_OPERATIONS } from '@pos/rest-contracts/sandbox';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { HTTP_TLS } from '@pos/service-kit/config';
import { startHttpServer } from '@pos/service-kit/http';
import { readWebSite } from '@pos/service-kit/web-site';
import { openPortEncryption } from '@pos/service-kit/network';
import { type Log, readProductVersion } from '@pos/service-kit/telemetry';
import { SandboxAccountFile } from './accounts/account-file.js';
import { AppModule } from './app-module.js';
import { ISSUER_PAGES } from './pages/issuer-pages.js';
import { createWalletPage } from './pages/wallet-page.js';
import { SandboxPorts } from './ports/sandbox-ports.js';
import type { SandboxConfig } from './config/sandbox-config.js';

/** A running sandbox: the simulated environment, and its three ports. */
export interface SandboxServer {
  readonly environment: SimulatedEnvironment;
  readonly grpcPort: number;
  /** URL of the EPOSes that are called over REST. */
  readonly eposUrl: string;
  readonly controlUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts the outside world: opens its ports, then lets the machines and EPOSes of all accounts dial the gateway. */
export async function startSandbox(config: SandboxConfig, log: Log): Promise<SandboxServer> {
  // An account file that cannot be read ends the start before a port is open.
  const provisioned = new SandboxAccountFile(config.SANDBOX_DATA).listAccounts(config.SANDBOX_ACCOUNTS);
  const { app, url, close } = await startHttpServer({
    module: AppModule.forRoot(config, log),
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS, log },
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: SANDBOX_CONTROL_OPERATIONS,
    ownHosts: [config.HOST, ...config.CONTROL_HOSTS],
    pages: readWebSite(SCREENS),
    forms: [...ISSUER_PAGES, createWalletPage(() => new Date())],
    encryption: openPortEncryption(HTTP_TLS, config, log),
    ready: [],
    release: readProductVersion(config),
    log,
    openapi: CONTROL_API_TITLE,
    checksContract: true,
  });
  const environment = app.get(SimulatedEnvironment);
  const { grpcPort, eposUrl } = app.get(SandboxPorts);
  for (const account of provisioned) environment.provisionAccount(account);
  return { environment, grpcPort, eposUrl, controlUrl: url, close };
}

/** The screens of the simulated restaurant, which a person operates in a browser. */
const SCREENS = {
  folder: fileURLToPath(new URL('../dist/web', import.meta.url)),
  paths: ['/', '/machine/:tid', '/epos', '/guest/:token'],
  policy: {},
} as const;

const CONTROL_API_TITLE = {
  title: 'Sandbox control',
  description: 'Makes things go right and wrong outside the service: at the acquirer, the card machines and the EPOS.',
} as const;
