// Internal gRPC calls between apps: identities by certificate, permitted callers, and health queries.
export { type InternalChannel, InternalIdentity } from './internal-identity.js';
export type { Callers, InternalApp, ServiceApp } from './internal-callers.js';
export { handleInternalCall, type InternalFailure, startInternalServer } from './internal-server.js';
export { findCallerRefusal } from './caller-refusal.js';
export { queryHealth, STORED_NUMBERS_HEALTH } from './health-query.js';
