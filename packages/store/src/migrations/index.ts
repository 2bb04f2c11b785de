// Database migrations of a release, the roles of the apps, and distribution over a Citus cluster.
export { APP_ROLE, buildRoleUrl, migrate, VAULT_ROLE } from './migrate.js';
export { listMigrations } from './migration-files.js';
export { recordMigration } from './migration-audit.js';
export { distributeRelations } from './distribute.js';
export { RELEASE } from './release.js';
