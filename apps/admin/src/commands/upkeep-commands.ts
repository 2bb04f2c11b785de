import { toggle } from '@pos/command-line';
import { SYSTEM_ACCOUNT_ID, SYSTEM_SCOPE } from '@pos/core/administration';
import { beginAgreedSettingChange, finishAgreedSettingChange, resetAgreedSettings } from '@pos/administration/accounts';
import { isId } from '@pos/core/identity';
import { hasAuditEntry, listAuditLog, recordAuditRead, verifyAuditLogs } from '@pos/administration/audit';
import { replaceEncryptionKey, retirePepper } from '@pos/administration/api-keys';
import { getPepperOverlap } from '@pos/store/key-rotation';
import { listAgreedSettings } from '@pos/store/startup';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, choice, optional, text, time, wholeNumber, withDefault, WrongUse } from '../command/flags.js';
import { formatMoment, formatValue, toTable } from '../command/result-lines.js';

const VAULT_HINT =
  'The master keys of stored card numbers (VAULT_KEYS) are known to card-vault alone, which has a login of its own: run `node dist/rotate-keys.js` in card-vault, with its settings.';

const rotate = defineChange({
  path: 'keys rotate',
  details: [
    'docs/operate/replace-keys.md describes the steps. `encryption-key` seals all values under ENCRYPTION_KEY, retires the previous key if every value could be read, and may be stopped and run again. `pepper` ends the overlap of two peppers.',
    VAULT_HINT,
  ],
  examples: [
    'keys rotate --key encryption-key --reason "yearly replacement"',
    'keys rotate --key pepper --reason "yearly replacement"',
  ],
  flags: {
    key: choice('Which key.', ['encryption-key', 'pepper']),
    force: toggle('For `pepper`: although API keys or idempotency keys still need the previous one.'),
  },
  async run(session, { values, change }) {
    const database = await session.openDatabase({ isLong: true });
    if (values.key === 'pepper') {
      await retirePepper(database, change, { isForced: values.force });
      return { data: { retired: 'KEY_PEPPER' }, lines: ['the previous pepper is retired: remove KEY_PEPPER_ACCEPTED'] };
    }
    const result = await replaceEncryptionKey(database, change, (done) =>
      session.reportProgress(`${done} values sealed again`),
    );
    return {
      data: result,
      lines: [
        `all values are sealed under ENCRYPTION_KEY; ${result.resealed} were not`,
        ...result.unreadable.map((row) => `cannot be read: ${row}`),
        ...(result.isPreviousRetired ? ['the previous key is retired: remove ENCRYPTION_KEY_ACCEPTED'] : []),
      ],
      hasFindings: result.unreadable.length > 0,
    };
  },
});

const pepper = defineQuery({
  path: 'keys pepper',
  details: ['It ends with 1 while the overlap is not over.'],
  examples: ['keys pepper'],
  flags: {},
  async run(session) {
    const overlap = await getPepperOverlap(await session.openDatabase({ isLong: true }));
    const { since, idempotencyKeys, unusedApiKeys, isOver } = overlap;
    if (since === null) return { data: overlap, lines: ['no pepper is being replaced'] };
    return {
      data: overlap,
      lines: [
        `the previous pepper is accepted since ${formatMoment(since)}`,
        `${idempotencyKeys} idempotency keys from before are kept`,
        ...unusedApiKeys.map((id) => `not used since: API key ${id}`),
        isOver ? 'the overlap is over: run keys rotate --key pepper' : 'the overlap is not over',
      ],
      hasFindings: !isOver,
    };
  },
});

const SETTING_NAME = text('The setting.', 'NAME');

const listAgreed = defineQuery({
  path: 'agreed-settings list',
  examples: ['agreed-settings list'],
  flags: {},
  async run(session) {
    const settings = await (await session.openDatabase()).readSystem(listAgreedSettings);
    const rows = settings.map(({ name, value, nextValue, app }) => [name, value, formatValue(nextValue), app]);
    return {
      data: settings,
      lines: toTable(['SETTING', 'VALUE', 'NEXT', 'FIRST APP'], rows, 'no process has started yet'),
    };
  },
});

const changeAgreed = defineChange({
  path: 'agreed-settings change',
  details: ['Then deploy the processes with the new value, and end with `agreed-settings finish`.'],
  examples: ['agreed-settings change --name CHECKOUT_BASE_URL --value https://pay.example --reason "new domain"'],
  flags: { name: SETTING_NAME, value: text('The new value.', 'value') },
  async run(session, { values, change }) {
    const database = await session.openDatabase();
    const setting = await database.transact(SYSTEM_SCOPE, (tx) => beginAgreedSettingChange(tx, change, values));
    return { data: setting, lines: [`${setting.name} may be ${setting.value} or ${formatValue(setting.nextValue)}`] };
  },
});

const finishAgreed = defineChange({
  path: 'agreed-settings finish',
  examples: ['agreed-settings finish --name CHECKOUT_BASE_URL --reason "all processes have it"'],
  flags: { name: SETTING_NAME, abandon: toggle('Keeps the previous value instead.') },
  async run(session, { values, change }) {
    const database = await session.openDatabase();
    const request = { name: values.name, isAbandoned: values.abandon };
    const setting = await database.transact(SYSTEM_SCOPE, (tx) => finishAgreedSettingChange(tx, change, request));
    return { data: setting, lines: [`${setting.name} is ${setting.value}`] };
  },
});

const resetAgreed = defineChange({
  path: 'agreed-settings reset',
  details: ['Only while no process runs.'],
  examples: ['agreed-settings reset --reason "moved to another domain while stopped"'],
  flags: {},
  async run(session, { change }) {
    const database = await session.openDatabase();
    const names = await database.transact(SYSTEM_SCOPE, (tx) => resetAgreedSettings(tx, change));
    return { data: { names }, lines: [`${names.length} settings are free`] };
  },
});

const auditList = defineQuery({
  path: 'audit list',
  examples: ['audit list --account acc_...', 'audit list --system'],
  flags: {
    account: optional(account()),
    system: toggle('The changes that belong to no account: migrations, keys, agreed settings.'),
    before: optional(time('Only changes before this time.')),
    limit: withDefault(wholeNumber('The most to list.', { min: 1, max: 1_000 }), '50'),
  },
  async run(session, { values, change }) {
    const { system, before = null, limit } = values;
    if ((values.account === undefined) !== system) {
      throw new WrongUse('--account or --system must be given, and not both');
    }
    const accountId = values.account ?? SYSTEM_ACCOUNT_ID;
    const database = await session.openDatabase();
    const entries = await listAuditLog(database, accountId, { before, limit });
    await recordAuditRead(database, { ...change, reason: 'audit list' }, accountId);
    const rows = entries.map(({ createdAt, actor, operatingSystemUser, action, subject, reason }) => [
      ...[formatMoment(createdAt), actor, formatValue(operatingSystemUser), action, subject],
      reason,
    ]);
    const names = ['WHEN', 'WHO', 'SYSTEM USER', 'ACTION', 'SUBJECT', 'WHY'];
    return { data: entries, lines: toTable(names, rows, 'there are no changes') };
  },
});

const auditVerify = defineQuery({
  path: 'audit verify',
  details: [
    'It recomputes the chain of the audit log, of all accounts and of the service when no account is named, and ends with 1 when an entry was edited, removed or moved. It prints the end of each chain: keep it elsewhere, and compare the next one with --expect.',
  ],
  examples: ['audit verify', 'audit verify --account acc_...', 'audit verify --json'],
  flags: {
    account: optional(account()),
    expect: optional(
      text(
        'An end that was printed before, `<account>/<environment>:<number>:<hash>`: it is still in the chain.',
        'end',
      ),
    ),
  },
  async run(session, { values }) {
    const database = await session.openDatabase({ isLong: true });
    const expected = values.expect === undefined ? null : parseEnd(values.expect);
    const logs = await verifyAuditLogs(database, values.account ?? null);
    const missing = expected === null || (await hasAuditEntry(database, expected)) ? [] : [values.expect ?? ''];
    const broken = logs.filter(({ problems }) => problems.length > 0);
    return {
      data: logs.map(({ scope, end, problems }) => ({
        ...{ ...scope, length: end.length, head: end.head.toString('hex'), problems },
      })),
      lines: [
        `${logs.length} audit logs: ${broken.length} broken`,
        ...logs.map(
          ({ scope, end }) => `${scope.accountId}/${scope.environment}:${end.length}:${end.head.toString('hex')}`,
        ),
        ...broken.map(({ scope, problems }) => `${scope.accountId}/${scope.environment}: ${problems.join('; ')}`),
        ...missing.map((each) => `${each} is not in the chain: the log was replaced`),
      ],
      hasFindings: broken.length > 0 || missing.length > 0,
    };
  },
});

const END_FORM = /^(acc_[\w-]+)\/(sandbox|production):(\d{1,15}):((?:[0-9a-f]{2})+)$/;

/** The end of a chain as `audit verify` has printed it. */
function parseEnd(text: string) {
  const [, accountId = '', environment = '', number = '', hash = ''] = END_FORM.exec(text) ?? [];
  if (!isId('account', accountId)) throw new WrongUse(`--expect ${text}: must be like acc_.../production:12:0a1b…`);
  const scope = { accountId, environment: environment === 'sandbox' ? 'sandbox' : 'production' } as const;
  return { scope, number: Number(number), hash: Buffer.from(hash, 'hex') };
}

export const UPKEEP_COMMANDS: readonly CommandDefinition[] = [
  ...[rotate, pepper, listAgreed, changeAgreed, finishAgreed, resetAgreed, auditList, auditVerify],
];
