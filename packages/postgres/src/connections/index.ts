// Connections to the server that accepts writes, of the several that a `DATABASE_URL` may name: pooled, or for one purpose.
export { ConnectionPool, type PoolUse } from './connection-pool.js';
export type { PooledConnection } from './pooled-connection.js';
export type { DedicatedConnection } from './dedicated-connection.js';
export type { NotificationCallback, NotificationListener } from './notification-listener.js';
export { DatabaseServers } from './database-servers.js';
export { RoutedClient, routedDriver } from './routed-client.js';
export { buildLoginUrl, describeTarget, parseConnectionUrl, requireVerifiedServers } from './connection-url.js';
export { createUrlError } from './client-tls.js';
