// Accounts in use: settings of payments, API keys, acquirers, EPOS registration and partners of requests.
export { AccountCache } from './account-cache.js';
export {
  computeSessionWindows,
  DEFAULT_PAYMENT_SETTINGS,
  FAULT_POINTS,
  type FaultPointName,
  ORDER_FAULT_POINTS,
  type PaymentSettings,
} from './payment-settings.js';
export { changeApiKey, createApiKey, type NewApiKey, revokeApiKey } from './api-keys.js';
export { ApiKeyAuthenticator } from './api-key-authenticator.js';
export { admitPortalRequest } from './portal-requests.js';
export {
  AcquirerDirectory,
  type AcquirerName,
  type AcquirerPorts,
  createCompleteDirectory,
} from './acquirer-directory.js';
export { claimMerchantIds } from './merchant-id-claims.js';
export { EposRegistration, listIntegrations, listIntegrationsOfKind } from './epos-registration.js';
export { PartnerDirectory } from './partner-directory.js';
export { listTesterRuns } from './tester-run-listing.js';
