import { readConfig } from '@pos/service-kit/config';
import { TEST_SECRETS } from '@pos/store/testing';
import { Config } from '../config/config.js';
import type { TestAcquirer } from './test-acquirer.js';

export type ApiSettings = Readonly<Record<string, string>>;

export const PORTAL_KEY = 'a key of the portal for tests, which is long enough';

/** The configuration of an API on this database and acquirer. */
export function createConfig(databaseUrl: string, acquirer: TestAcquirer, settings: ApiSettings): Config {
  return readConfig(Config, buildSettings(databaseUrl, acquirer, settings));
}

/** The same as the environment of a process. */
export function buildSettings(databaseUrl: string, acquirer: TestAcquirer, settings: ApiSettings): ApiSettings {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '4',
    ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
    KEY_PEPPER: TEST_SECRETS.pepper,
    PORTAL_KEY,
    HTTP_PORT: '0',
    CHECKOUT_BASE_URL: 'https://pay.example',
    NODE_ENV: 'test',
    RATE_LIMIT_PER_SECOND: '100000',
    ACQUIRER_ADDRESS: acquirer.address,
    ACQUIRER_DEADLINE_MS: '8000',
    TRUSTED_PROXIES: '127.0.0.1',
    // No server listens there; tests of charges name a vault.
    CARD_VAULT_ADDRESS: '127.0.0.1:1',
    ...settings,
  };
}
