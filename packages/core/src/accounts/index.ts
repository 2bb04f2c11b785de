// Accounts: settings, merchant ids, customers, partners, and the caller with its permissions.
export {
  type Account,
  type AccountSettings,
  type AccountStatus,
  DEFAULT_ACQUIRER,
  type EposTransport,
  type PayAtTableSettings,
  requireEnabledAccount,
  resolveAccountSettings,
  type StoredAccountSettings,
  toIntentChecks,
} from './account.js';
export {
  ACCOUNT_SETTING_FIELDS,
  findSettingField,
  flattenSettings,
  mergeStoredSettings,
  readColumnSettings,
  requireSettingValues,
  type SettingForm,
  type SettingValues,
} from './account-setting-fields.js';
export { type AcquirerMerchantId, getCurrentMerchant, getMerchantId, listMerchantIds } from './merchant-ids.js';
export { type Caller, requirePermission } from './caller.js';
export {
  changeCustomer,
  countChanges,
  createCustomer,
  type Customer,
  CUSTOMER_SECRET_LIFE_MS,
  type CustomerChange,
  deleteCustomer,
} from './customer.js';
export {
  isPartnerId,
  listNamedPartners,
  type Partner,
  PARTNER_ID_LENGTH_MAX,
  PARTNER_KINDS,
  PARTNER_STATUSES,
  type PartnerKind,
  type PartnerName,
  type PartnerStatus,
} from './partner.js';
export { NO_PARTNERS, type Partners, toStorablePartners } from './partner-headers.js';
export { formatPartnerReport, type PartnerReportLine, PartnerTotals, type PartnerTurnover } from './partner-report.js';
export { EMBEDDING_ORIGINS_MAX } from './embedding-origin.js';
