// Test support for the service kit: connection limits, internal certificates and channels.
// After it, what only tests of other packages use of the other folders.
export { countDropped, hasIpv6, TEST_CONNECTIONS_MAX } from './connections.js';
export { getInternalTls } from './internal-certificates.js';
export { createTestChannel } from './internal-channels.js';
export type { RpcDefinition } from '../grpc/grpc-controller.js';
export { listCallers, SERVICE_APPS } from '../internal/internal-callers.js';
export { readPortalToken } from '../portal/portal-token.js';
