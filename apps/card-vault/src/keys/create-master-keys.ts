import { readFileSync } from 'node:fs';
import { ConfigError } from '@pos/service-kit/config';
import type { Log } from '@pos/service-kit/telemetry';
import type { Config } from '../config/config.js';
import { combineComponents, readVaultKeys, type VaultKeys } from '../config/vault-keys.js';
import { KeyServiceClient } from './key-service-client.js';
import { KeyServiceProvider } from './key-service-provider.js';
import { KeyServiceToken } from './key-service-token.js';
import { MasterKeys } from './master-keys.js';
import { SettingsKeyProvider } from './settings-key-provider.js';

/** The settings that name the master keys. */
type KeyConfig = Pick<
  Config,
  | 'KEY_SERVICE_CA_FILE'
  | 'KEY_SERVICE_KEY'
  | 'KEY_SERVICE_MOUNT'
  | 'KEY_SERVICE_NAMESPACE'
  | 'KEY_SERVICE_SEALS'
  | 'KEY_SERVICE_TIMEOUT_MS'
  | 'KEY_SERVICE_TOKEN_PATH'
  | 'KEY_SERVICE_URL'
  | 'VAULT_KEYS'
  | 'VAULT_KEYS_SECOND'
  | 'VAULT_KEYS_THIRD'
  | 'VAULT_KEY_COMPONENTS'
>;

/** The master keys of the settings and of the key service. Throws `ConfigError` for settings without a key that seals. */
export function createMasterKeys(config: KeyConfig, log: Pick<Log, 'info' | 'warn' | 'error'>): MasterKeys {
  const settingKeys = readSettingKeys(config);
  const own = settingKeys === null ? [] : [new SettingsKeyProvider(settingKeys)];
  const service = createKeyService(config, log);
  const [first, ...others] = config.KEY_SERVICE_SEALS ? [...service, ...own] : [...own, ...service];
  if (first === undefined) throw new ConfigError(['VAULT_KEYS: is not set, and KEY_SERVICE_URL is not, either']);
  if (settingKeys === null && !config.KEY_SERVICE_SEALS) {
    throw new ConfigError(['VAULT_KEYS: is not set, and KEY_SERVICE_SEALS is false, so nothing seals']);
  }
  return new MasterKeys([first, ...others]);
}

/** The keys of `VAULT_KEYS` with their components combined; null without any. */
export function readSettingKeys({
  VAULT_KEYS: first,
  VAULT_KEYS_SECOND: second,
  VAULT_KEYS_THIRD: third,
  VAULT_KEY_COMPONENTS: componentsMin,
}: Pick<
  KeyConfig,
  'VAULT_KEYS' | 'VAULT_KEYS_SECOND' | 'VAULT_KEYS_THIRD' | 'VAULT_KEY_COMPONENTS'
>): VaultKeys | null {
  if (first === undefined) {
    if (second === undefined && third === undefined) return null;
    throw new ConfigError(['VAULT_KEYS: is not set, and further components are']);
  }
  const [keys, ...further] = [first, second, third].map((list) => readVaultKeys(list?.reveal() ?? ''));
  if (keys === null || keys === undefined) throw new ConfigError(['VAULT_KEYS: is not a list of keys']);
  const combined = combineComponents(keys, further, componentsMin);
  if ('problem' in combined) throw new ConfigError([`VAULT_KEYS_SECOND, VAULT_KEYS_THIRD: ${combined.problem}`]);
  return combined;
}

function createKeyService(config: KeyConfig, log: Pick<Log, 'info' | 'warn' | 'error'>): readonly KeyServiceProvider[] {
  const {
    KEY_SERVICE_URL: url,
    KEY_SERVICE_TOKEN_PATH: tokenFile,
    KEY_SERVICE_MOUNT: mount,
    KEY_SERVICE_NAMESPACE: namespace = null,
    KEY_SERVICE_CA_FILE: authorityFile,
    KEY_SERVICE_TIMEOUT_MS: timeoutMs,
  } = config;
  if (url === undefined) return [];
  if (tokenFile === undefined) {
    throw new ConfigError(['KEY_SERVICE_TOKEN_PATH: is not set, and KEY_SERVICE_URL is']);
  }
  const authorities = authorityFile === undefined ? null : readFileSync(authorityFile, 'utf8');
  const token = new KeyServiceToken(tokenFile);
  const client = new KeyServiceClient({ url, mount, namespace, token, authorities, timeoutMs, log });
  return [new KeyServiceProvider(client, config.KEY_SERVICE_KEY)];
}
