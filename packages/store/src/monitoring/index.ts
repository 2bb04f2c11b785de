// Figures for monitoring: the state of the service, acquirers in use, and accounts with open money.
export { readServiceState, type ServiceState, type StateSubject } from './service-state.js';
export { type AcquirerInUse, listAcquirersInUse } from './acquirers-in-use.js';
export { listScopesWithOpenMoney } from './scopes-with-open-money.js';
