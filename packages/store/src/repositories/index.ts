// Stored accounts, locations, API keys, customers, partners, EPOS integrations, audit entries and alarms.
export {
  type AdministeredAccount,
  createAccount,
  findAccount,
  findAdministeredAccount,
  getAccount,
  insertAccount,
  listAccountIds,
  listAdministeredAccounts,
  lockAccount,
  replaceAccountSettings,
  updateAccountSettings,
  updateAccountStatus,
} from './accounts.js';
export { findLocation, insertLocation, listLocations, type Location, updateLocation } from './locations.js';
export { readTimeZone, readTimeZoneOfIntent, readTimeZoneOfTerminal } from './time-zones.js';
export {
  type ApiKey,
  type ApiKeyOwner,
  deleteApiKey,
  findApiKeyOwners,
  insertApiKey,
  listApiKeys,
  lockApiKeys,
  recordApiKeyUse,
  updateApiKey,
  wasApiKeyIssued,
} from './api-keys.js';
export { claimMerchantId, isMerchantIdInUse, listClaimedMerchantIds, releaseMerchantId } from './merchant-ids.js';
export {
  findOpenMoney,
  listRetiredMerchantIds,
  type OpenMoney,
  retireMerchantId,
  reviveMerchantId,
} from './retired-merchant-ids.js';
export { listDeclaredAcquirers, storeDeclaration } from './acquirers.js';
export {
  deleteEposIntegration,
  type EposIntegration,
  findEposIntegration,
  isStillRegistered,
  listEposIntegrations,
  putEposIntegration,
} from './epos-integrations.js';
export {
  type CustomerPrefix,
  type CustomerSecret,
  deleteCustomerSecrets,
  findCustomer,
  findCustomers,
  findCustomerSecret,
  findCustomerSecretById,
  insertCustomer,
  insertCustomerSecret,
  listCustomers,
  lockCustomer,
  updateCustomer,
} from './customers.js';
export {
  findPartner,
  insertPartner,
  lockPartnerRegistry,
  type PartnerRegistry,
  readPartnerRegistry,
  updatePartner,
  updatePartnerEnforcement,
} from './partners.js';
export { listUsedPartners, sumPartnerTurnover, type TimeSpan } from './partner-turnover.js';
export {
  type AuditQuery,
  type AuditSearch,
  hasAuditActionSince,
  hasAuditEntrySince,
  insertAuditEntry,
  listAuditEntries,
  searchAuditEntries,
} from './audit-entries.js';
export {
  type AuditChainVerification,
  type AuditStep,
  hasAuditHash,
  listAuditScopes,
  verifyAuditChain,
  verifyAuditStep,
} from './audit-chain.js';
export { insertOperatorCall, listOperatorCalls } from './operator-calls.js';
export {
  answerEndedAccessAlarms,
  answerEndedAlarms,
  insertAlarm,
  listAlarms,
  listUnansweredAlarms,
  lockAlarm,
  updateAlarmAnswer,
} from './alarms.js';
export { countMailsSince, findMail, insertMail, listMails, type Mail, updateMail } from './mails.js';
export {
  countRunningTesterRuns,
  deleteTesterRuns,
  findTesterRun,
  insertTesterRun,
  listInterruptedTesterRuns,
  lockTesterRuns,
  searchTesterRuns,
  type TesterRun,
  type TesterRunStatus,
  type TesterRunSummary,
  updateTesterRun,
} from './tester-runs.js';
