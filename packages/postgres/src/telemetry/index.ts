// What a process observes of its use of PostgreSQL: each round trip, and each failure of the server.
export { type DatabaseTelemetry, readTraceId, readTraceparent, setDatabaseTelemetry } from './database-telemetry.js';
