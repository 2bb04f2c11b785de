import { createPendingAdministration } from '@pos/administration/pending-work';
import { StartFailure, WrongSetting } from '@pos/core/refusals';
import { readAgreedSettings } from '@pos/service-kit/config';
import type { Database } from '@pos/store/database';
import { listGatewayAddresses } from '@pos/store/connections';
import { toggle } from '@pos/command-line';
import type { AdminSession } from '../command/admin-session.js';
import { type CommandDefinition, defineQuery } from '../command/command-definition.js';
import { Config } from '../config/config.js';
import { checkRules, checkSignIn } from '../doctor/access-checks.js';
import { checkAuditLog } from '../doctor/audit-checks.js';
import { checkAcquirers } from '../doctor/acquirer-checks.js';
import { checkCertificates } from '../doctor/certificate-checks.js';
import { checkDatabase } from '../doctor/database-checks.js';
import { checkEndpoints, type Endpoint, listUncheckedEndpoints } from '../doctor/endpoint-checks.js';
import { type DoctorFinding, formatDoctorFinding, problem } from '../doctor/finding.js';
import { checkRemovedAcquirers } from '../doctor/removed-acquirers.js';
import { checkWork } from '../doctor/work-checks.js';

export const DOCTOR_COMMAND: CommandDefinition = defineQuery({
  path: 'doctor',
  details: [
    'Run it with the settings of the apps: those of the acquirers, CARD_VAULT_ADDRESS, the names of certificate files, and of the portal SECOND_FACTOR, OIDC_ISSUER and PASSWORD_SIGN_IN. It calls every acquirer with its TLS files and its credential, and asks what it can do. It asks the card vault whether it can decrypt the stored card numbers. Each line is a finding and what to do. It ends with 1 when something needs a person.',
    'With --database it checks the database and the work in it, and needs no setting but those of the database.',
  ],
  examples: ['doctor', 'doctor --database', 'doctor --json'],
  flags: { database: toggle('Checks the database only, and calls nothing else.') },
  async run(session, { values: { database: isDatabaseOnly } }) {
    const { config } = session;
    const database = await openOrDescribe(session);
    const databaseFindings = 'dataSource' in database ? await checkOpenDatabase(session, database) : [database];
    if (isDatabaseOnly) return presentFindings(databaseFindings);
    return presentFindings([
      ...databaseFindings,
      ...(hasAcquirer(config) ? await checkAcquirers(config) : []),
      ...(await checkEndpoints(await listEndpoints(config, 'dataSource' in database ? database : null), config)),
      ...listUncheckedEndpoints(listMissingSettings(config)),
      ...checkSignIn(config),
      ...checkCertificates(session.env, readClock()),
    ]);
  },
});

function presentFindings(findings: readonly DoctorFinding[]) {
  return {
    data: findings,
    lines: findings.map(formatDoctorFinding),
    hasFindings: findings.some(({ level }) => level === 'problem'),
  };
}

/** The open database, or the finding that it does not open. */
async function openOrDescribe(session: AdminSession): Promise<Database | DoctorFinding> {
  try {
    return await session.openDatabase();
  } catch (error) {
    if (error instanceof StartFailure)
      return problem('database', error.message, 'see docs/operate/deploy-to-production.md');
    if (error instanceof WrongSetting) return problem('settings', error.problems.join('; '), 'correct the setting');
    throw error;
  }
}

async function checkOpenDatabase(session: AdminSession, database: Database): Promise<DoctorFinding[]> {
  const url = session.config.DATABASE_URL.reveal();
  const agreedSettings = readOwnSettings(session.config);
  const isTlsByNetwork = session.config.DATABASE_TLS_BY_NETWORK;
  const pending = createPendingAdministration(database, { callPendingMs: session.config.ACQUIRER_CALL_PENDING_MS });
  return [
    ...(await checkDatabase(database, { url, readClock, agreedSettings, isTlsByNetwork })),
    ...(await checkWork(database, pending)),
    ...(await checkRemovedAcquirers(database, session.config)),
    await checkAuditLog(database),
    ...(await checkRules(database, session.config)),
  ];
}

/** The agreed settings of this command. The check of the acquirers reports a file that cannot be read. */
function readOwnSettings(config: Config): Readonly<Record<string, string>> {
  try {
    return readAgreedSettings(Config, config);
  } catch (error) {
    if (error instanceof WrongSetting) return readAgreedSettings(Config, { ...config, ACQUIRERS_FILE: undefined });
    throw error;
  }
}

async function listEndpoints(config: Config, database: Database | null): Promise<Endpoint[]> {
  const now = await database?.now();
  const connected =
    database === null || now === undefined
      ? []
      : await database.readSystem((reader) => listGatewayAddresses(reader, now));
  const gateways = new Set([...config.GATEWAY_INTERNAL_ADDRESSES, ...connected]);
  return [
    ...(config.CARD_VAULT_ADDRESS === undefined
      ? []
      : [
          {
            subject: 'card-vault',
            app: 'card-vault',
            address: config.CARD_VAULT_ADDRESS,
            addressSetting: 'CARD_VAULT_ADDRESS',
          } as const,
        ]),
    ...[...gateways].map(
      (address) =>
        ({
          subject: 'gateway',
          app: 'pay-at-table-gateway',
          address,
          addressSetting: 'GATEWAY_INTERNAL_ADDRESSES',
        }) as const,
    ),
  ];
}

function listMissingSettings(config: Config): string[] {
  return [
    ...(hasAcquirer(config) ? [] : ['ACQUIRER_ADDRESS_PRODUCTION']),
    ...(config.CARD_VAULT_ADDRESS === undefined ? ['CARD_VAULT_ADDRESS'] : []),
  ];
}

function hasAcquirer({ ACQUIRER_ADDRESS, ACQUIRER_ADDRESS_PRODUCTION, ACQUIRERS_FILE }: Config): boolean {
  return [ACQUIRER_ADDRESS, ACQUIRER_ADDRESS_PRODUCTION, ACQUIRERS_FILE].some((setting) => setting !== undefined);
}

function readClock(): Date {
  return new Date();
}
