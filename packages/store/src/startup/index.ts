// Database checks at the start of a process: connection, schema and server state, and agreed settings.
export { awaitDatabase, connectDatabase, type ConnectOptions } from './database-startup.js';
export { openDatabase } from './postgres-database.js';
export { describeSchemaProblem, readSchemaStateAt, type SchemaState } from './schema-state.js';
export { listReplacedKeys, readServerFacts, type ServerFacts } from './server-state.js';
export {
  type AgreedSetting,
  deleteAgreedSettings,
  listAgreedSettings,
  lockAgreedSetting,
  type RefusedStart,
  updateAgreedSetting,
} from './agreed-settings.js';
