// Servers for development and tests: PostgreSQL, embedded, replicated, with TLS or in memory, and free ports.
export { type EmbeddedPostgres, startPostgres } from './embedded-postgres.js';
export { queryServer, type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.js';
export { createEmptyDatabase, removeServer } from './jest-server.js';
export { createDatabase, requireTls } from './server-certificate.js';
export { findNativeFolder } from './server-folders.js';
export { chooseScratchFolder, createServerFolder } from './scratch-folder.js';
export { writeClientPrograms } from './client-programs.js';
export { disableCompression, findDataDirectory, retainWal } from './server-leaks.js';
export { findFreePort, findFreePorts, isPortTaken } from './free-ports.js';
