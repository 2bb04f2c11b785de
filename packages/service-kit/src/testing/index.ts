// Test support for the service kit: connection limits, internal certificates and channels.
export { countDropped, hasIpv6, TEST_CONNECTIONS_MAX } from './connections.js';
export { getInternalTls } from './internal-certificates.js';
export { createTestChannel } from './internal-channels.js';
