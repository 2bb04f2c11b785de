// Settings of an app from its environment: parsing, secrets, TLS files, and values all processes agree on.
export {
  certificateFileSetting,
  ConfigError,
  connectionsPerAddressSetting,
  databaseUrlSetting,
  formatConfigTable,
  hostNameListSetting,
  hostPortListSetting,
  hostPortSetting,
  listSecretSettings,
  listSetting,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  optionalWindowSetting,
  poolSizeSetting,
  portSetting,
  readConfig,
  requiredHostPortListSetting,
  requireInProduction,
  secretSetting,
  timeScaleSetting,
  toSecret,
} from './config.js';
export { Secret } from './secret.js';
export {
  activitySettings,
  databaseSettings,
  databaseTlsSettings,
  httpEncryptionSettings,
  internalPortSettings,
  type PortalKeySettings,
  portalKeySettings,
  requiresVerifiedServers,
  shutdownSettings,
  telemetrySettings,
} from './shared-settings.js';
export {
  GRPC_TLS,
  grpcTlsSettings,
  HTTP_TLS,
  internalTlsSettings,
  tlsFileSetting,
  tlsReloadSetting,
} from './tls-settings.js';
export { type AcquirerSettings, acquirerSettings, readAcquirerConnections } from './acquirer-settings.js';
export { NOT_SET, readAgreedSettings } from './agreed-settings.js';
export { readStoreSecrets } from './store-secrets.js';
export { requireHttpsInProduction } from './plaintext-addresses.js';
