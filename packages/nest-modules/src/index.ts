// NestJS modules shared by the apps: database, API keys, payments, acquirer clients and telemetry.
export {
  ACTIVITIES,
  buildDatabaseOptions,
  DatabaseModule,
  type DatabaseModuleOptions,
  DatabaseReadiness,
} from './database-module.js';
export { PAYMENT_SETTINGS, PaymentsModule } from './payments-module.js';
export { ApiKeysModule } from './api-keys-module.js';
export { PortalAuthenticator } from './portal-authenticator.js';
export { AcquirerClients } from './acquirer-clients.js';
export { createAcquirerCallObserver } from './acquirer-telemetry.js';
export { RequestActivityRecorder } from './request-activity-recorder.js';
