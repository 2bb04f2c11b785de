import { LOOPBACK, type PortName } from './ports.js';
import type { CertificateFiles } from './world-tls.js';

/** What the settings of the apps are derived from. */
export interface WorldFacts {
  readonly databaseUrl: string;
  /** The only login with access to schema vault. */
  readonly vaultDatabaseUrl: string;
  readonly vaultKeys: string;
  readonly keyPepper: string;
  readonly encryptionKey: string;
  readonly portalKey: string;
  readonly seed: string | undefined;
  readonly dataDir: string;
  readonly caFile: string;
  /** The certificate of an app for every connection; null in a world that encrypts internal calls only. */
  readonly filesOf: (app: string) => CertificateFiles | null;
  /** The certificate of an app for internal calls. */
  readonly internalFilesOf: (app: string) => CertificateFiles;
  /** How the EPOSes of the sandbox are dialled over gRPC. */
  readonly eposGrpcScheme: 'http' | 'https';
  readonly egressAllow: readonly string[];
  readonly acquirerAddress: string;
  /** URL of the EPOSes that are called over REST. */
  readonly eposRestAddress: string;
  readonly cardVaultAddress: string;
  readonly sandboxUrl: string;
  /** Empty in a world without the tester. */
  readonly eposTesterUrl: string;
  /** The addresses that payers' browsers use. */
  readonly apiUrl: string;
  readonly cardVaultUrl: string;
  readonly checkoutUrl: string;
  readonly portalUrl: string;
  readonly gatewayAddresses: readonly string[];
  readonly gatewayHttpAddresses: readonly string[];
  readonly gatewayInternalAddresses: readonly string[];
  readonly sandboxAccountsFile: string;
}

/** One app of the world, with the settings of its ports and its other settings. */
export interface WorldApp {
  readonly folder: string;
  /** The setting of each port, and the port of the world for it. */
  readonly ports: Readonly<Record<string, PortName>>;
  /** The port that serves `/health/ready`. */
  readonly health: PortName;
  readonly settings: (facts: WorldFacts) => Readonly<Record<string, string>>;
  /** The settings that encrypt its ports and its other calls. */
  readonly tlsSettings: (files: CertificateFiles) => Readonly<Record<string, string>>;
  /** Whether health is served without TLS, because the app serves nothing else over HTTP. */
  readonly hasPlainHealth: boolean;
}

/** The processes of a world in the order of their start; the outside world comes last. */
export const WORLD_APPS = {
  api: {
    folder: 'apps/api',
    ports: { HTTP_PORT: 'api' },
    health: 'api',
    hasPlainHealth: false,
    tlsSettings: (files) => ({
      ...httpTls(files),
      ...acquirerTls(files),
      ALLOW_PLAINTEXT_EPOS: 'false',
    }),
    settings: (facts) => ({
      ...storeSettings(facts),
      ...internalTls(facts.internalFilesOf('api')),
      ...getSeed(facts),
      ACQUIRER_ADDRESS: facts.acquirerAddress,
      ALLOW_PLAINTEXT_EPOS: 'true',
      EGRESS_ALLOW: [facts.acquirerAddress, facts.eposRestAddress, ...facts.egressAllow].join(','),
      CHECKOUT_BASE_URL: facts.checkoutUrl,
      CARD_VAULT_ADDRESS: facts.cardVaultAddress,
      GATEWAY_INTERNAL_ADDRESSES: facts.gatewayInternalAddresses.join(','),
      PORTAL_KEY: facts.portalKey,
    }),
  },
  'card-vault': {
    folder: 'apps/card-vault',
    ports: { HTTP_PORT: 'cardVault', GRPC_PORT: 'cardVaultGrpc' },
    health: 'cardVault',
    hasPlainHealth: false,
    tlsSettings: (files) => ({ ...httpTls(files), ...acquirerTls(files) }),
    settings: (facts) => ({
      ...storeSettings(facts),
      ...internalTls(facts.internalFilesOf('card-vault')),
      INTERNAL_HOST: LOOPBACK,
      ...getSeed(facts),
      DATABASE_URL: facts.vaultDatabaseUrl,
      VAULT_KEYS: facts.vaultKeys,
      ACQUIRER_ADDRESS: facts.acquirerAddress,
      CHECKOUT_ORIGINS: `${facts.checkoutUrl},${facts.checkoutUrl.replace(LOOPBACK, 'localhost')}`,
      DEVICE_DATA_URL: `${facts.sandboxUrl}/acquirer/device-data`,
    }),
  },
  'webhook-worker': {
    folder: 'apps/webhook-worker',
    ports: { HTTP_PORT: 'workerHealth' },
    health: 'workerHealth',
    hasPlainHealth: true,
    tlsSettings: (files) => ({ ...acquirerTls(files) }),
    settings: (facts) => ({
      // The users of a world for developers stay, however long nobody has used it.
      UNUSED_USER_DAYS: '0',
      ...storeSettings(facts),
      ...internalTls(facts.internalFilesOf('webhook-worker')),
      ...getSeed(facts),
      ACQUIRER_ADDRESS: facts.acquirerAddress,
      EGRESS_ALLOW: facts.egressAllow.join(','),
      EGRESS_CA_FILE: facts.caFile,
      GATEWAY_INTERNAL_ADDRESSES: facts.gatewayInternalAddresses.join(','),
    }),
  },
  'pay-at-table-gateway': {
    folder: 'apps/pay-at-table-gateway',
    ports: { HTTP_PORT: 'gatewayHttp', GRPC_PORT: 'gatewayGrpc', INTERNAL_GRPC_PORT: 'gatewayInternal' },
    health: 'gatewayHttp',
    hasPlainHealth: false,
    tlsSettings: (files) => ({
      ...httpTls(files),
      ...grpcTls(files),
      ...acquirerTls(files),
      ALLOW_PLAINTEXT_EPOS: 'false',
    }),
    settings: (facts) => ({
      ...storeSettings(facts),
      ...internalTls(facts.internalFilesOf('pay-at-table-gateway')),
      INTERNAL_HOST: LOOPBACK,
      ...getSeed(facts),
      ACQUIRER_ADDRESS: facts.acquirerAddress,
      ALLOW_PLAINTEXT_EPOS: 'true',
      CHECKOUT_BASE_URL: facts.checkoutUrl,
      EGRESS_ALLOW: [facts.acquirerAddress, facts.eposRestAddress, ...facts.egressAllow].join(','),
      EGRESS_CA_FILE: facts.caFile,
    }),
  },
  'epos-tester': {
    folder: 'apps/epos-tester',
    ports: { HTTP_PORT: 'eposTester' },
    health: 'eposTester',
    hasPlainHealth: false,
    tlsSettings: (files) => ({ ...httpTls(files) }),
    settings: (facts) => ({
      ...storeSettings(facts),
      ...internalTls(facts.internalFilesOf('epos-tester')),
      ...getSeed(facts),
      GATEWAY_INTERNAL_ADDRESSES: facts.gatewayInternalAddresses.join(','),
      PORTAL_KEY: facts.portalKey,
    }),
  },
  checkout: {
    folder: 'apps/checkout',
    ports: { HTTP_PORT: 'checkout' },
    health: 'checkout',
    hasPlainHealth: false,
    tlsSettings: (files) => httpTls(files),
    settings: (facts) => ({
      API_BASE_URL: facts.apiUrl,
      CARD_VAULT_URL: facts.cardVaultUrl,
      CHALLENGE_ORIGINS: facts.sandboxUrl,
      SANDBOX_WALLET_URL: `${facts.sandboxUrl}/wallet`,
    }),
  },
  portal: {
    folder: 'apps/portal',
    ports: { HTTP_PORT: 'portal' },
    health: 'portal',
    hasPlainHealth: false,
    // It calls the api with Node's own client.
    tlsSettings: (files) => ({ ...httpTls(files), NODE_EXTRA_CA_CERTS: files.ca }),
    settings: (facts) => ({
      ...storeSettings(facts),
      NODE_ENV: 'development',
      PASSWORD_MAX_AGE_DAYS: '0',
      API_URL: facts.apiUrl,
      ...(facts.sandboxUrl !== '' && { SANDBOX_URL: facts.sandboxUrl }),
      ...(facts.eposTesterUrl !== '' && { EPOS_TESTER_URL: facts.eposTesterUrl }),
      PORTAL_KEY: facts.portalKey,
      // Passkeys need a name: they work on pages of this address, and not on those of 127.0.0.1.
      ...(facts.portalUrl !== '' && { PORTAL_BASE_URL: facts.portalUrl.replace('127.0.0.1', 'localhost') }),
    }),
  },
  sandbox: {
    folder: 'apps/sandbox',
    ports: { HTTP_PORT: 'sandboxControl', GRPC_PORT: 'sandboxGrpc', EPOS_HTTP_PORT: 'sandboxEpos' },
    health: 'sandboxControl',
    hasPlainHealth: false,
    tlsSettings: (files) => ({
      ...httpTls(files),
      // Without an authority for clients: a gateway shows no certificate to the EPOSes that it dials.
      ...{ GRPC_TLS_CERT: files.cert, GRPC_TLS_KEY: files.key },
      ...{ GATEWAY_TLS_CERT: files.cert, GATEWAY_TLS_KEY: files.key, GATEWAY_TLS_CA: files.ca },
      // Its EPOSes read payments back from the api with Node's own client.
      NODE_EXTRA_CA_CERTS: files.ca,
    }),
    settings: (facts) => ({
      ...getSeed(facts),
      SANDBOX_DATA: `${facts.dataDir}/sandbox`,
      SANDBOX_ACCOUNTS: facts.sandboxAccountsFile,
      GATEWAY_ADDRESSES: facts.gatewayAddresses.join(','),
      GATEWAY_HTTP_ADDRESSES: facts.gatewayHttpAddresses.join(','),
      API_URL: facts.apiUrl,
      // A world of a test may have no portal.
      ...(facts.portalUrl !== '' && { PORTAL_URL: facts.portalUrl }),
    }),
  },
} as const satisfies Record<string, WorldApp>;
export type WorldAppName = keyof typeof WORLD_APPS;

function httpTls({ cert, key }: CertificateFiles) {
  return { HTTP_TLS_CERT: cert, HTTP_TLS_KEY: key };
}

/** Clients of the port need a certificate, too. */
function grpcTls({ cert, key, ca }: CertificateFiles) {
  return { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca };
}

function internalTls({ cert, key, ca }: CertificateFiles) {
  return { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca };
}

function acquirerTls({ cert, key, ca }: CertificateFiles) {
  return { ACQUIRER_TLS_CERT: cert, ACQUIRER_TLS_KEY: key, ACQUIRER_TLS_CA: ca };
}

function storeSettings({ databaseUrl, keyPepper, encryptionKey }: WorldFacts) {
  return { DATABASE_URL: databaseUrl, KEY_PEPPER: keyPepper, ENCRYPTION_KEY: encryptionKey };
}

function getSeed({ seed }: WorldFacts): Record<string, string> {
  return { NODE_ENV: 'development', ...(seed === undefined ? {} : { SEED: seed }) };
}
