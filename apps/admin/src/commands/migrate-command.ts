import { requiresVerifiedServers } from '@pos/service-kit/config';
import { toggle } from '@pos/command-line';
import { requireReason } from '@pos/payments/audit';
import { distributeRelations, listMigrations, migrate, recordMigration, RELEASE } from '@pos/store/migrations';
import { parseConnectionUrl, requireVerifiedServers } from '@pos/postgres/connections';
import { describeSchemaProblem, readSchemaStateAt, type SchemaState } from '@pos/store/startup';
import { type CommandDefinition, defineQuery } from '../command/command-definition.js';
import { describeStartFailure } from '../command/database-failures.js';
import { optional, text, WrongUse } from '../command/flags.js';
import { describeOperatingSystemUser, resolveActor } from '../command/actor.js';

/** `migrate` writes to the audit log that it has just created, so it is no change like the others. */
export const MIGRATE_COMMAND: CommandDefinition = defineQuery({
  path: 'migrate',
  details: [
    'It needs DATABASE_OWNER_URL, and may run beside processes of the previous release. It can be repeated, and several runs at once wait for each other. An update runs it first, and then replaces the processes.',
    'SERVICE_APP_PASSWORD and SERVICE_VAULT_PASSWORD set the passwords of the two logins.',
  ],
  examples: ['migrate --reason "release 0.2.0"', 'migrate --check', 'migrate --dry-run', 'migrate --distributed'],
  flags: {
    check: toggle('Changes nothing, and ends with 1 unless the schema works with this release.'),
    distributed: toggle('Afterwards distributes the relations of a new database over its Citus cluster, by account.'),
    dryRun: toggle('Changes nothing, and lists the migrations that would run.'),
    reason: optional(text('Why, for the audit log; the release when left out.', 'text')),
    actor: optional(text('Who, for the audit log; the login of the system when left out.', 'name')),
  },
  async run(session, { values }) {
    const { check, distributed, dryRun, reason = `release ${RELEASE}`, actor } = values;
    if (distributed && (check || dryRun))
      throw new WrongUse('--distributed changes the database, so it excludes --check and --dry-run');
    if (check && dryRun) throw new WrongUse('--check and --dry-run exclude each other');
    const operatingSystemUser = describeOperatingSystemUser(session.env);
    const change = requireReason({ actor: resolveActor(actor), reason, operatingSystemUser });
    const { DATABASE_OWNER_URL, SERVICE_APP_PASSWORD, SERVICE_VAULT_PASSWORD, ...tls } = session.migrationConfig;
    const url = DATABASE_OWNER_URL.reveal();
    if (requiresVerifiedServers(tls)) requireVerifiedServers(parseConnectionUrl(url), 'DATABASE_OWNER_URL');
    const before = await readSchemaStateAt(url).catch(describeStartFailure(url));
    if (check || dryRun) return describeState(before, check);
    if (before.kind === 'newer') return describeState(before, true);
    const passwords = { appPassword: SERVICE_APP_PASSWORD?.reveal(), vaultPassword: SERVICE_VAULT_PASSWORD?.reveal() };
    await migrate(url, passwords).catch(describeStartFailure(url));
    const applied = listMissing(before);
    // Before the audit log has a row: only empty relations are distributed.
    const distribution = distributed ? await distributeRelations(url).catch(describeStartFailure(url)) : null;
    await recordMigration(url, change, { release: RELEASE, applied });
    const summary = applied.length === 0 ? 'the schema was up to date' : `applied ${applied.join(', ')}`;
    if (distribution === null) return { data: { release: RELEASE, applied }, lines: [summary] };
    const count = distribution.distributed.length + distribution.references.length;
    return {
      data: { release: RELEASE, applied, ...distribution },
      lines: [summary, count === 0 ? 'all relations were distributed' : `distributed ${count} relations`],
    };
  },
});

function describeState(state: SchemaState, isCheck: boolean) {
  const missing = listMissing(state);
  const problem = describeSchemaProblem(state, 'the database');
  const plan = listMigrations()
    .filter(({ file }) => missing.includes(file))
    .map(({ file, subject }) => `would run ${file}: ${subject}`);
  const lines = isCheck ? [problem ?? `the schema works with release ${RELEASE}`] : plan;
  return {
    data: { release: RELEASE, state: state.kind, missing },
    lines: lines.length === 0 ? ['nothing to run'] : lines,
    hasFindings: problem !== null && (isCheck || state.kind === 'newer'),
  };
}

function listMissing(state: SchemaState): readonly string[] {
  if (state.kind === 'older') return state.missing;
  return state.kind === 'none' ? listMigrations().map(({ file }) => file) : [];
}
