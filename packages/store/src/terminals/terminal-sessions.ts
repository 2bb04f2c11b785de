import {
  isId,
  type PaymentIntentId,
  type PortalUserId,
  type TerminalId,
  type TerminalSessionId,
} from '@pos/core/identity';
import { money, sum } from '@pos/core/money';
import { assert, requireValue } from '@pos/core/refusals';
import type { SessionDecision, SessionStatus, TerminalSession } from '@pos/core/terminals';
import { selectChangedColumns } from '../relations/changed-columns.js';
import { defineStatement } from '@pos/postgres/statements';
import { readTraceId } from '@pos/postgres/telemetry';
import {
  findRow,
  findRows,
  formatJsonRow,
  insertRow,
  insertRows,
  parseJsonRow,
  type RowOf,
  updateVersion,
} from '../relations/relation.js';
import {
  terminalSessionColumnGroups,
  terminalSessionEvents,
  type TerminalSessionRow,
  terminalSessions,
} from '../relations/terminal-relations.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A line of a session's history. */
export interface TerminalSessionEvent {
  readonly kind: 'status' | 'notification';
  readonly name: string;
  readonly createdAt: Date;
}

/** A session that has not ended, as the gateway sends it to a machine. */
export const RUNNING_STATUSES = [
  'InitiateRequested',
  'Initiated',
  'CancelRequested',
  'SignatureVerificationRequired',
  'SignatureVerificationAccepted',
] as const satisfies readonly SessionStatus[];

const COLUMNS = terminalSessions.columns.join(', ');
const RUNNING = RUNNING_STATUSES.map((status) => `'${status}'`).join(', ');

const RUNNING_ON_TERMINALS = defineStatement(
  'list_running_sessions',
  `select ${COLUMNS} from terminal_sessions
   where account_id = $1 and environment = $2 and terminal_id = any($3) and status in (${RUNNING})`,
);
const UNRESOLVED_EXPIRED = defineStatement(
  'list_unresolved_expired_sessions',
  `select ${COLUMNS.split(', ')
    .map((column) => `s.${column}`)
    .join(', ')}
   from acquirer_calls c
   join terminal_sessions s on s.account_id = $1 and s.environment = $2 and s.id = c.terminal_session_id
   where c.account_id = $1 and c.environment = $2 and c.state = 'Unknown' and c.terminal_session_id is not null
     and c.kind in ('Authorise', 'Refund') and c.reverse_reference is null
     and s.terminal_id = any($3) and s.status = 'Expired'`,
);
const ADD_EVENTS = defineStatement(
  'update_terminal_session',
  `insert into terminal_session_events (account_id, environment, session_id, number, kind, name, created_at, trace_id)
   select $1, $2, $3, coalesce((select max(number) from terminal_session_events
     where account_id = $1 and environment = $2 and session_id = $3), 0) + each.place,
     each.kind, each.name, $6, $7
   from unnest($4::text[], $5::text[]) with ordinality as each(kind, name, place)`,
);

/** A session that ended without money counts if a late report has booked it after all. */
const GIVEN_BACK = defineStatement(
  'sum_given_back',
  `select coalesce(sum(base_amount), 0)::bigint as given_back from terminal_sessions
   where account_id = $1 and environment = $2 and given_back_by = $3 and created_at > $4 and currency = $5
     and (status not in ('Canceled', 'Declined') or chain_head is not null)`,
);

/** A session with its history, oldest first. */
export interface TerminalSessionHistory {
  readonly session: TerminalSession;
  readonly events: readonly TerminalSessionEvent[];
}

const EVENT_COLUMNS = ['kind', 'name', 'created_at'] as const;
type EventRow = Pick<RowOf<typeof terminalSessionEvents>, (typeof EVENT_COLUMNS)[number]>;
/** Columns that a session is not read with. */
const OTHER_COLUMNS = ['chain_head', 'chain_length', 'given_back_by'] as const;
type SessionColumns = Omit<TerminalSessionRow, (typeof OTHER_COLUMNS)[number]>;
/** A session with its history, as JSON has it. */
export type SessionHistoryJson = SessionColumns & { readonly events: readonly EventRow[] | null };

const SESSION_COLUMNS = terminalSessions.columns.filter((name) => !new Set<string>(OTHER_COLUMNS).has(name));
const EVENTS = `(
    select json_agg(${formatJsonRow(terminalSessionEvents, 'e', { columns: EVENT_COLUMNS })} order by e.number)
    from terminal_session_events e where e.account_id = $1 and e.environment = $2 and e.session_id = s.id)`;
const HISTORY = formatJsonRow(terminalSessions, 's', { columns: SESSION_COLUMNS, more: { events: EVENTS } });

/**
 * Expression of a select list over `payment_intents` of the scope $1, $2: the sessions of the intent, oldest first, as
 * a JSON array of `SessionHistoryJson`, or null.
 */
export const SESSION_HISTORIES_COLUMN = `(
    select json_agg(${HISTORY} order by s.created_at, s.id)
    from terminal_sessions s where s.account_id = $1 and s.environment = $2 and s.intent_id = payment_intents.id
  ) as sessions`;

const OF_INTENTS = defineStatement(
  'list_session_histories',
  `select ${HISTORY} as history from terminal_sessions s
   where s.account_id = $1 and s.environment = $2 and s.intent_id = any ($3::text[]) order by s.created_at, s.id`,
);

/**
 * Writes a new session. The database refuses a terminal or an intent that already has a running one (23505).
 * `givenBackBy`: the user who gives money back without a payment and without a second person.
 */
export async function insertTerminalSession(
  tx: Tx,
  decision: SessionDecision,
  givenBackBy: PortalUserId | null,
): Promise<void> {
  const { session } = decision;
  const row = { ...toRow(session), chain_head: null, chain_length: null, given_back_by: givenBackBy };
  insertRow(tx, terminalSessions, row);
  insertRows(
    tx,
    terminalSessionEvents,
    toEvents(decision).map(({ kind, name }, index) => ({
      session_id: session.id,
      number: index + 1,
      kind,
      name,
      created_at: tx.now,
      trace_id: readTraceId(),
    })),
  );
  await tx.flush();
}

/** Minor units that the user has given back since this time, without a payment and without a second person. */
export async function sumGivenBack(
  reader: Reader,
  { userId, currency, since }: { readonly userId: PortalUserId; readonly currency: string; readonly since: Date },
): Promise<number> {
  const { accountId, environment } = reader.scope;
  type Row = { readonly given_back: number };
  const [row] = await reader.query<Row>(GIVEN_BACK, [accountId, environment, userId, since, currency]);
  return requireValue(row, 'a sum').given_back;
}

/** Reads the session for changing it, or null: an unknown, foreign or malformed id. */
export async function lockTerminalSession(tx: Tx, id: string): Promise<TerminalSession | null> {
  if (!isId('terminalSession', id)) return null;
  const row = await findRow(tx, terminalSessions, { where: { id }, isLocking: true });
  return row === null ? null : toSession(row);
}

export async function findTerminalSession(reader: Reader, id: string): Promise<TerminalSession | null> {
  if (!isId('terminalSession', id)) return null;
  const row = await findRow(reader, terminalSessions, { where: { id } });
  return row === null ? null : toSession(row);
}

/**
 * Writes a decision about a session that was read under its row lock as `before`, and returns the session with its
 * new version.
 */
export async function updateTerminalSession(
  tx: Tx,
  before: TerminalSession,
  decision: SessionDecision,
): Promise<TerminalSession> {
  const { session } = decision;
  const { id, version } = session;
  assert(before.id === id, 'a change of another session');
  const next = { ...session, version: version + 1 };
  const set = selectChangedColumns(terminalSessionColumnGroups, toRow(before), toRow(session));
  updateVersion(tx, terminalSessions, { where: { id }, version, set: { ...set, version: version + 1 } });
  const names = toEvents(decision);
  if (names.length > 0) {
    const { accountId, environment } = tx.scope;
    const kinds = names.map(({ kind }) => kind);
    await tx.query(ADD_EVENTS, [
      ...[accountId, environment, session.id, kinds, names.map(({ name }) => name), tx.now],
      readTraceId(),
    ]);
  }
  return next;
}

/** The session's history, oldest first. */
export async function listTerminalSessionEvents(
  reader: Reader,
  id: TerminalSessionId,
): Promise<TerminalSessionEvent[]> {
  const rows = await findRows(reader, terminalSessionEvents, { where: { session_id: id }, orderBy: 'number' });
  return rows.map(toEvent);
}

/** The sessions that run on these terminals now: at most one each. */
export async function listRunningSessions(
  reader: Reader,
  terminalIds: readonly TerminalId[],
): Promise<TerminalSession[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<TerminalSessionRow>(RUNNING_ON_TERMINALS, [accountId, environment, [...terminalIds]]);
  return rows.map(toSession);
}

/** The expired sessions on these terminals whose end neither the machine nor the acquirer has reported. */
export async function listUnresolvedExpiredSessions(
  reader: Reader,
  terminalIds: readonly TerminalId[],
): Promise<TerminalSession[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<TerminalSessionRow>(UNRESOLVED_EXPIRED, [accountId, environment, [...terminalIds]]);
  return rows.map(toSession);
}

/** All sessions of the intent, oldest first. */
export async function listSessionsOfIntent(reader: Reader, intentId: PaymentIntentId): Promise<TerminalSession[]> {
  const rows = await findRows(reader, terminalSessions, { where: { intent_id: intentId }, orderBy: 'created_at, id' });
  return rows.map(toSession);
}

/** The sessions of each of the intents that has some, oldest first, with their histories. */
export async function listSessionHistories(
  reader: Reader,
  intentIds: readonly PaymentIntentId[],
): Promise<ReadonlyMap<PaymentIntentId, readonly TerminalSessionHistory[]>> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ history: SessionHistoryJson }>(OF_INTENTS, [
    accountId,
    environment,
    [...intentIds],
  ]);
  const histories = new Map<PaymentIntentId, TerminalSessionHistory[]>();
  for (const { history } of rows) {
    const each = parseSessionHistory(history);
    const intentId = requireValue(each.session.paymentIntentId, `the intent of session ${each.session.id}`);
    histories.set(intentId, [...(histories.get(intentId) ?? []), each]);
  }
  return histories;
}

/** The session that the JSON of `SESSION_HISTORIES_COLUMN` stores. */
export function parseSessionHistory({ events, ...session }: SessionHistoryJson): TerminalSessionHistory {
  return {
    session: toSession(parseJsonRow(terminalSessions, session)),
    events: (events ?? []).map((event) => toEvent(parseJsonRow(terminalSessionEvents, event))),
  };
}

function toEvent({ kind, name, created_at: createdAt }: EventRow): TerminalSessionEvent {
  return { kind, name, createdAt };
}

function toEvents({ statusEvents, notifications }: SessionDecision) {
  return [
    ...statusEvents.map((name) => ({ kind: 'status' as const, name })),
    ...notifications.map((name) => ({ kind: 'notification' as const, name })),
  ];
}

function toRow(session: TerminalSession): SessionColumns {
  return {
    id: session.id,
    version: session.version,
    terminal_id: session.terminalId,
    session_type: session.sessionType,
    status: session.status,
    intent_id: session.paymentIntentId,
    acquirer_reference: session.acquirerReference,
    currency: session.total.currencyCode,
    base_amount: session.parts.base.value,
    tips_amount: session.parts.tips.value,
    cashback_amount: session.parts.cashback.value,
    service_charge_amount: session.parts.serviceCharge.value,
    capture: session.capture,
    card_holder_not_present: session.cardHolderNotPresent,
    last_report: session.lastReport,
    postponed_report: session.postponedReport,
    card_presented: session.cardPresented,
    unknown_to_machine: session.isUnknownToMachine,
    signature_decision: session.signatureDecision,
    expire_at: session.expireAt,
    approval: session.approval,
    payment_details: session.paymentDetails,
    customer_receipt: session.customerReceipt,
    merchant_receipt: session.merchantReceipt,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
  };
}

function toSession(row: SessionColumns): TerminalSession {
  const toMoney = (value: number) => money(value, row.currency);
  const parts = {
    base: toMoney(row.base_amount),
    tips: toMoney(row.tips_amount),
    cashback: toMoney(row.cashback_amount),
    serviceCharge: toMoney(row.service_charge_amount),
  };
  return {
    id: row.id,
    version: row.version,
    terminalId: row.terminal_id,
    sessionType: row.session_type,
    status: row.status,
    paymentIntentId: row.intent_id,
    acquirerReference: row.acquirer_reference,
    total: sum(Object.values(parts), row.currency),
    parts,
    capture: row.capture,
    cardHolderNotPresent: row.card_holder_not_present,
    lastReport: row.last_report,
    postponedReport: row.postponed_report,
    cardPresented: row.card_presented,
    isUnknownToMachine: row.unknown_to_machine,
    signatureDecision: row.signature_decision,
    expireAt: row.expire_at,
    approval: row.approval,
    paymentDetails: row.payment_details,
    customerReceipt: row.customer_receipt,
    merchantReceipt: row.merchant_receipt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
