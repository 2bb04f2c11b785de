import { toggle } from '@pos/command-line';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_ACQUIRER } from '@pos/core/accounts';
import { ENVIRONMENTS, type Scope } from '@pos/core/identity';
import { PENDING_ACTIONS, REFUND_DECISIONS } from '@pos/core/operators';
import { toZonedDay } from '@pos/core/time';
import { verifyLedger } from '@pos/administration/audit';
import {
  type BooksDecision,
  createPendingAdministration,
  declareAuditedEmptyDays,
  importAuditedFile,
  type PendingLine,
} from '@pos/administration/pending-work';
import { SETTLEMENT_FORMATS } from '@pos/payments/reconciliation';
import { findReconciliationProgress, listUncomparedDays, type UncomparedDay } from '@pos/store/reconciliation';
import { readTimeZone } from '@pos/store/repositories';
import {
  type CommandDefinition,
  type CommandResult,
  defineChange,
  defineQuery,
} from '../command/command-definition.js';
import type { AdminSession } from '../command/admin-session.js';
import { account, choice, environment, optional, text, time, wholeNumber, withDefault } from '../command/flags.js';
import { formatMoment, formatValue, toTable } from '../command/result-lines.js';
import { readAcquirerNames } from '../doctor/removed-acquirers.js';
import { runWithAcquirers } from './acquirer-books.js';

const SETTLE = 'SettleAsListed';
const ACTIONS = [
  ...(Object.keys(PENDING_ACTIONS) as (keyof typeof PENDING_ACTIONS)[]),
  ...REFUND_DECISIONS,
  'MarkNotTaken',
  SETTLE,
] as const;
const PROGRESS_POLL_MS = 500;
/** An import of a large file takes minutes, and the second one waits for it. */
const IMPORT_LOCK_WAIT_MS = 300_000;

async function openPending(session: AdminSession) {
  const settings = { callPendingMs: session.config.ACQUIRER_CALL_PENDING_MS };
  return createPendingAdministration(await session.openDatabase(), settings);
}

const list = defineQuery({
  path: 'pending list',
  details: [
    'docs/operate/pending-payments-and-alarms.md explains each state. The command ends with 1 when a line is an alarm.',
  ],
  examples: ['pending list --all', 'pending list --account acc_... --environment sandbox'],
  flags: {
    account: optional(account()),
    environment: environment(),
    all: toggle('All accounts, in both environments.'),
  },
  async run(session, { values }) {
    const pending = await openPending(session);
    const database = await session.openDatabase();
    const now = await database.now();
    const named = readAcquirerNames(session.config);
    if (values.account === undefined) return presentPending(await pending.listAll(database), named);
    const target = { account: values.account, environment: values.environment };
    return presentPending(await session.read(target, (reader) => pending.list(reader, now)), named);
  },
});

function presentPending(lines: readonly PendingLine[], named: ReturnType<typeof readAcquirerNames>): CommandResult {
  const rows = lines.map((line) => {
    const { scope, id, kind, state, amount, since, isAlarming } = line;
    return [
      ...[isAlarming ? 'alarm' : '', scope.accountId, scope.environment, kind, state],
      amount === null ? '' : `${amount.value} ${amount.currencyCode}`,
      ...[formatMoment(since), id, explain(line, named)],
    ];
  });
  const headings = ['', 'ACCOUNT', 'ENVIRONMENT', 'KIND', 'STATE', 'MINOR UNITS', 'SINCE', 'ID', 'WHY'];
  return {
    data: lines,
    lines: toTable(headings, rows, 'no money is open'),
    hasFindings: lines.some(({ isAlarming }) => isAlarming),
  };
}

/** What went wrong last, and whether the acquirer is missing in the settings, so that nobody asks it again. */
function explain({ scope, problem, acquirer }: PendingLine, named: ReturnType<typeof readAcquirerNames>): string {
  const isRemoved =
    named.length > 0 &&
    acquirer !== null &&
    !named.some(({ environment, name }) => environment === scope.environment && name === acquirer);
  return [
    ...(problem === null ? [] : [formatValue(problem)]),
    ...(isRemoved ? ['the settings do not name this acquirer'] : []),
  ].join('; ');
}

const resolve = defineChange({
  path: 'pending resolve',
  details: [
    'A gateway or worker continues with the decision. SettleAsListed is for calls to the acquirer and refunds on card machines: the command reads the books of the acquirer, with the ACQUIRER settings of the apps, and settles by its final word. Without one it settles nothing and ends with 1.',
    'MarkNotTaken is for a payment that the acquirer does not have: name the difference NotBooked, or the subject of the alarm MachineApprovalDiffers. The payment becomes Reversed, and difference and alarm are answered.',
    'SettleAsListed takes a refund that the acquirer does not have out of the books: name the terminal session, the difference NotBooked, or the subject of the alarm. The acquirer is asked again first, and the amount can be refunded again afterwards.',
  ],
  examples: [
    'pending resolve --account acc_... --id 6f1c... --action GiveBack --reason "not on the bill, manager asked"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    id: text('The id of the line.', 'id'),
    action: choice('The decision.', ACTIONS),
  },
  async run(session, { values, change }) {
    const { id, action } = values;
    const state =
      action === SETTLE
        ? await concludeFromBooks(session, { ...values, change })
        : await session.transact(values, async (tx) =>
            (await openPending(session)).resolve(tx, change, { id, action }),
          );
    return { data: { id, state }, lines: [`${id} is ${state}`] };
  },
});

async function concludeFromBooks(
  session: AdminSession,
  decision: Pick<Scope, 'environment'> & BooksDecision & { readonly account: Scope['accountId'] },
): Promise<string> {
  const { account: accountId, environment: environmentName, change, id } = decision;
  const database = await session.openDatabase();
  const scope = { accountId, environment: environmentName };
  return runWithAcquirers(database, session.config, (pending) =>
    pending.concludeFromBooks(database, scope, { change, id }),
  );
}

const answerDifference = defineChange({
  path: 'pending answer',
  details: [
    'It marks a difference between the books as checked, and moves no money. The difference leaves the pending list. It is open again when what was booked changes. The reason is the explanation, and the audit log keeps it.',
  ],
  examples: ['pending answer --account acc_... --id 0190f3c2-... --reason "a fee of the acquirer, agreed"'],
  flags: { account: account(), environment: environment(), id: text('The id of the difference.', 'id') },
  async run(session, { values, change }) {
    const pending = await openPending(session);
    const { id, kind, state, says } = await session.transact(values, (tx) =>
      pending.answerDifference(tx, change, values.id),
    );
    return { data: { id, kind, state, says }, lines: [`${kind} ${formatValue(says)} (${id}) is ${state}`] };
  },
});

const reconcile = defineChange({
  path: 'reconcile',
  details: [
    'A webhook worker runs it. Differences are listed, and the days whose comparison with an acquirer is incomplete. The command ends with 1 when there is one of these, or when the worker has not finished in time.',
  ],
  examples: ['reconcile --account acc_... --from 2027-01-01 --to 2027-01-08 --reason "restored from the backup"'],
  flags: {
    account: account(),
    environment: environment(),
    from: time('The begin of the span.'),
    to: optional(time('The end of the span, exclusive; now when left out.')),
    wait: withDefault(wholeNumber('Seconds to wait for the result.', { min: 0, max: 86_400 }), '60'),
  },
  async run(session, { values, change }) {
    const pending = await openPending(session);
    const { from, to = null, wait } = values;
    await session.transact(values, (tx) => pending.reconcile(tx, change, { from, to }));
    let progress = await session.read(values, findReconciliationProgress);
    for (let waitedMs = 0; progress.requested !== null && waitedMs < wait * 1_000; waitedMs += PROGRESS_POLL_MS) {
      await pause(PROGRESS_POLL_MS);
      progress = await session.read(values, findReconciliationProgress);
    }
    const now = await (await session.openDatabase()).now();
    const uncomparedDays = await session.read(values, async (reader) => {
      const timeZone = await readTimeZone(reader);
      const lastMoment = new Date((to ?? now).getTime() - 1);
      return listUncomparedDays(reader, { from: toZonedDay(from, timeZone), to: toZonedDay(lastMoment, timeZone) });
    });
    const open = await session.read(values, (reader) => pending.list(reader, now));
    const differences = open.filter(({ kind }) => kind === 'Difference');
    const isDone = progress.requested === null;
    const isComplete = uncomparedDays.length === 0 && progress.listError === null;
    const compared = isComplete ? 'compared with the acquirer' : 'incomplete: not every acquirer is compared';
    const state = isDone ? compared : 'requested; no worker has finished it yet';
    const lines = differences.map(({ state: kind, id, problem }) => `${kind} ${formatValue(problem)} (${id})`);
    return {
      data: { isDone, listError: progress.listError, uncomparedDays, differences },
      lines: [
        state,
        ...(progress.listError === null ? [] : [`books that could not be read: ${progress.listError}`]),
        ...uncomparedDays.map(formatUncomparedDay),
        ...lines,
      ],
      hasFindings: !isDone || !isComplete || differences.length > 0,
    };
  },
});

function formatUncomparedDay({ acquirer, day, reason, problem }: UncomparedDay): string {
  const why = reason === 'WaitingForSettlement' ? 'waiting for settlement' : `not read: ${formatValue(problem)}`;
  return `${day} ${acquirer}: ${why}`;
}

const settle = defineChange({
  path: 'settlement import',
  details: [
    'docs/operate/acquirers.md describes the file. A file with a bad line is refused as a whole. A repeated import changes nothing. The command ends with 1 when a line disagrees with our books.',
  ],
  examples: ['settlement import --account acc_... --file today.csv --reason "nightly import"'],
  flags: {
    account: account(),
    environment: environment(),
    file: text('The path of the file.', 'path'),
    format: withDefault(choice('The form of the file.', SETTLEMENT_FORMATS), 'csv'),
    acquirer: withDefault(text('The acquirer that has sent it.', 'name'), DEFAULT_ACQUIRER),
  },
  async run(session, { values, change }) {
    const { account: accountId, environment: environmentName, file, format, acquirer } = values;
    const database = await session.openDatabase({ isLong: true, lockTimeoutMs: IMPORT_LOCK_WAIT_MS });
    const source = { name: path.basename(file), acquirer, format, content: readPieces(file) };
    const imported = await importAuditedFile(
      { database },
      { accountId, environment: environmentName },
      { change, source },
    );
    const { lineCount, firstDay, lastDay, isRepeat, differences } = imported;
    const state = isRepeat ? 'already imported' : `imported, ${differences.length} differences`;
    return {
      data: imported,
      lines: [
        `${lineCount} lines of ${firstDay} to ${lastDay}: ${state}`,
        ...differences.map(({ kind, reference, says }) => `${kind} ${formatValue(says)} (${reference})`),
      ],
      hasFindings: differences.length > 0,
    };
  },
});

const declareEmpty = defineChange({
  path: 'settlement declare-empty',
  details: [
    'For days on which the acquirer sends no file, such as a weekend. Ask it before: a call that no file names becomes a difference.',
  ],
  examples: [
    'settlement declare-empty --account acc_... --from 2027-01-02 --to 2027-01-03 --reason "no settlement at weekends"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    from: text('The first day.', 'yyyy-mm-dd'),
    to: text('The last day, inclusive.', 'yyyy-mm-dd'),
    acquirer: withDefault(text('The acquirer that states it.', 'name'), DEFAULT_ACQUIRER),
  },
  async run(session, { values, change }) {
    const { account: accountId, environment: environmentName, from, to, acquirer } = values;
    const database = await session.openDatabase();
    const scope = { accountId, environment: environmentName };
    const days = await declareAuditedEmptyDays(database, scope, { change, acquirer, from, to });
    return { data: { acquirer, days }, lines: [`${acquirer} settled nothing on ${days.join(', ')}`] };
  },
});

/** Opens the file when it is read: an error before that would have no reader. */
async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Buffer>;
}

const verify = defineQuery({
  path: 'ledger verify',
  details: ['It reads only, and may run beside payments. It ends with 1 when a record is not as it was written.'],
  examples: ['ledger verify', 'ledger verify --account acc_...'],
  flags: { account: optional(account()) },
  async run(session, { values }) {
    const database = await session.openDatabase({ isLong: true });
    const result = await verifyLedger(database, { accountId: values.account ?? null });
    const { accounts, subjects, broken } = result;
    const lines = broken.map(({ scope, id, problems }) => `${scope.accountId} ${id}: ${problems.join('; ')}`);
    const environments = ENVIRONMENTS.join(' and ');
    return {
      data: result,
      lines: [
        `${subjects} payments and refunds of ${accounts} accounts, ${environments}: ${broken.length} broken`,
        ...lines,
      ],
      hasFindings: broken.length > 0,
    };
  },
});

export const MONEY_COMMANDS: readonly CommandDefinition[] = [
  ...[list, resolve, answerDifference, reconcile, settle, declareEmpty, verify],
];
