// REST operations for API keys, customers, branding, terminals and the EPOS of an account.
export { ApiKey, changeApiKey, createApiKey, CreatedApiKey, deleteApiKey, listApiKeys } from './api-keys.js';
export {
  changeCustomer,
  createCustomer,
  createCustomerSecret,
  Customer,
  CUSTOMER_IDS_MAX,
  deleteCustomer,
  readCustomers,
  searchCustomers,
} from './customers.js';
export { type BrandingView, changeBranding, getBranding } from './branding.js';
export {
  listTerminals,
  listTerminalSessions,
  readTerminal,
  resetTerminalMachine,
  Terminal,
  type TerminalSessionSummary,
} from './terminals.js';
export {
  deleteGrpcIntegration,
  deleteRestIntegration,
  deleteWsIntegration,
  listEposIntegrations,
  putGrpcIntegration,
  putRestIntegration,
  putWsIntegration,
  readGrpcIntegration,
  readRestIntegration,
  readServiceManagedIntegrations,
  readWsIntegration,
  reportEposEvent,
} from './epos-registration.js';
export { type EposCallRecord, type EposConnection, listEposCalls, listEposConnections } from './epos-activity.js';
