import { assert } from '@pos/core/refusals';
import { isId, parseKnownId, type PaymentIntentId, type Scope } from '@pos/core/identity';
import { money } from '@pos/core/money';
import {
  type IntentDecision,
  type NewPaymentEvent,
  PAYMENT_INTENT_STATUSES,
  type PaymentIntent,
  type PaymentIntentStatus,
} from '@pos/core/payment-intents';
import { type Chain, EMPTY_CHAIN } from '../ledger/hash-chain.js';
import { appendRecords } from '../ledger/ledger.js';
import {
  type Cursor,
  type Direction,
  type Page,
  buildPage,
  buildPageSql,
  pageValues,
  splitSnapshot,
  limitPageBytes,
  selectWithSnapshot,
} from '../database/page.js';
import {
  paymentEvents,
  paymentIntentColumnGroups,
  type PaymentIntentRow,
  paymentIntents,
} from '../relations/payment-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import { selectChangedColumns } from '../relations/changed-columns.js';
import { defineStatement } from '@pos/postgres/statements';
import {
  findRow,
  findRows,
  formatJsonRow,
  insertRow,
  parseJsonRow,
  type RowOf,
  updateVersion,
} from '../relations/relation.js';
import {
  listSessionHistories,
  parseSessionHistory,
  SESSION_HISTORIES_COLUMN,
  type SessionHistoryJson,
  type TerminalSessionHistory,
} from '../terminals/terminal-sessions.js';
import { ACCOUNT_NOW_COLUMN } from '../clock/sandbox-clock.js';
import { type CaptureRow, CAPTURES_COLUMN, listCaptureRows, toCapture, writeCaptures } from './captures.js';
import { deleteUnusedPageSecrets, isVoidingPageSecrets } from './page-secrets.js';
import { writeTransactions } from './transaction-listing.js';
import type { SystemReader } from '../database/database.js';
import type { Reader, Tx } from '../database/transaction.js';

/** An intent under its row lock, with the end of its chain of records, which only the holder of the lock may move. */
export interface LockedIntent {
  readonly intent: PaymentIntent;
  readonly chain: Chain;
  /** Keyed hash of the client secret that is good now, or null. */
  readonly secretHash: Buffer | null;
}

/** Which intents are looked for, by creation; `from` inclusive, `to` exclusive. */
export interface IntentSearchTerms {
  readonly statuses: readonly PaymentIntentStatus[];
  readonly from: Date | null;
  readonly to: Date | null;
  /** Absent or null: of all customers, and of payers who are none. */
  readonly customerId?: string | null;
  readonly limit: number;
}

const BY_ID = defineStatement('find_intent_scope', 'select account_id, environment from payment_intents where id = $1');

/** The columns of an intent, and its captures. */
const INTENT_COLUMNS = [...paymentIntents.columns, CAPTURES_COLUMN].join(', ');

const FIND = defineStatement(
  'find_intent',
  `select ${INTENT_COLUMNS} from payment_intents where account_id = $1 and environment = $2 and id = $3`,
);

/** The columns of an event that are presented. */
const EVENT_COLUMNS = ['event_type', 'occurred_at', 'details'] as const;
type EventRow = Pick<RowOf<typeof paymentEvents>, (typeof EVENT_COLUMNS)[number]>;

const FIND_WITH_HISTORY = defineStatement(
  'find_intent_with_history',
  `select ${INTENT_COLUMNS}, (
    select json_agg(${formatJsonRow(paymentEvents, 'e', { columns: EVENT_COLUMNS })} order by e.number)
    from payment_events e where e.account_id = $1 and e.environment = $2 and e.intent_id = payment_intents.id
  ) as events, ${SESSION_HISTORIES_COLUMN}, ${ACCOUNT_NOW_COLUMN}
   from payment_intents where account_id = $1 and environment = $2 and id = $3`,
);

const EVENTS_OF_INTENTS = defineStatement(
  'list_intent_histories',
  `select intent_id, ${EVENT_COLUMNS.join(', ')} from payment_events
   where account_id = $1 and environment = $2 and intent_id = any ($3::text[]) order by intent_id, number`,
);

const SEARCHES = {
  all: { older: defineSearchStatement('all', 'older'), newer: defineSearchStatement('all', 'newer') },
  ofCustomer: {
    older: defineSearchStatement('ofCustomer', 'older'),
    newer: defineSearchStatement('ofCustomer', 'newer'),
  },
};

/** Whose intent this is, over all accounts: for callers who know no more than its id. */
export async function findIntentScope(reader: SystemReader, id: string): Promise<Scope | null> {
  if (!isId('paymentIntent', id)) return null;
  const [row] = await reader.query<{ account_id: string; environment: Scope['environment'] }>(BY_ID, [id]);
  return row === undefined
    ? null
    : { accountId: parseKnownId('account', row.account_id), environment: row.environment };
}

/** A page of intents, newest first, from a cursor on in one direction. Without statuses all but Canceled. */
export async function searchIntents(
  reader: Reader,
  search: Omit<IntentSearchTerms, 'from'> & {
    readonly from: Date | null;
    readonly cursor: Cursor | null;
    readonly direction: Direction;
  },
): Promise<Page<PaymentIntent>> {
  const { statuses, customerId = null, limit, cursor, direction } = search;
  const wanted = statuses.length > 0 ? statuses : PAYMENT_INTENT_STATUSES.filter((status) => status !== 'Canceled');
  const foundRows = await reader.query<IntentRow & { readonly seen: string; readonly found: number }>(
    SEARCHES[customerId === null ? 'all' : 'ofCustomer'][direction],
    [
      ...[reader.scope.accountId, reader.scope.environment, [...wanted]],
      ...(customerId === null ? [] : [customerId]),
      ...pageValues(search),
    ],
  );
  const { rows, seen } = splitSnapshot(foundRows);
  const intents = rows.map((row) => openIntent(reader, row));
  return buildPage(intents, { limit, direction, cursor, seen, found: rows[0]?.found ?? 0 });
}

function defineSearchStatement(source: 'all' | 'ofCustomer', direction: Direction) {
  const page = buildPageSql(direction, {
    relation: 'payment_intents',
    columns: paymentIntents.columns,
    statuses: { values: PAYMENT_INTENT_STATUSES, parameter: 3 },
    ...(source === 'all'
      ? { condition: '', firstParameter: 4 }
      : { condition: `details -> 'customer' ->> 'customerId' = $4`, firstParameter: 5 }),
  });
  return defineStatement(
    source === 'all' ? `search_intents_${direction}` : `search_intents_of_customer_${direction}`,
    selectWithSnapshot(
      direction,
      limitPageBytes(
        direction,
        `select ${INTENT_COLUMNS} from (${page}) payment_intents`,
        'octet_length(details::text) + coalesce(octet_length(captures::text), 0)',
      ),
    ),
  );
}

/** Writes a new intent. Only `commitNewIntent` calls it (ADR 0145). */
export async function insertIntent(tx: Tx, decision: IntentDecision): Promise<void> {
  const { intent } = decision;
  const chain: Chain = EMPTY_CHAIN;
  assert(
    decision.events.length + decision.entries.length + intent.captures.length === 0,
    'a new intent has no history',
  );
  insertRow(tx, paymentIntents, { ...toRow(intent), ...toChainColumns(chain), ...toSecretColumns(tx, intent) });
}

/** Reads the intent for changing it, or null: an unknown, foreign or malformed id. Its client secret stays sealed. */
export async function lockIntent(tx: Tx, id: string): Promise<LockedIntent | null> {
  if (!isId('paymentIntent', id)) return null;
  // The second statement starts after the first has the lock, so it reads what the last holder of the lock committed.
  const [row, captures] = await Promise.all([
    findRow(tx, paymentIntents, { where: { id }, isLocking: true }),
    listCaptureRows(tx, id),
  ]);
  if (row === null) return null;
  const chain = { head: row.chain_head, length: row.chain_length };
  return { intent: toIntent({ ...row, captures }, null), chain, secretHash: row.secret_hash };
}

/** The intent with its client secret opened for presenting, or null. */
export async function findIntent(reader: Reader, id: string): Promise<PaymentIntent | null> {
  if (!isId('paymentIntent', id)) return null;
  const [row] = await reader.query<IntentRow>(FIND, [reader.scope.accountId, reader.scope.environment, id]);
  return row === undefined ? null : openIntent(reader, row);
}

/** What happened to an intent, oldest first: its events, and its sessions on card machines. */
export interface IntentHistory {
  readonly events: readonly NewPaymentEvent[];
  readonly sessions: readonly TerminalSessionHistory[];
}

/** The intent with its history and the account's time, by one statement; null as above. */
export async function findIntentWithHistory(
  reader: Reader,
  id: string,
): Promise<(IntentHistory & { readonly intent: PaymentIntent; readonly now: Date }) | null> {
  if (!isId('paymentIntent', id)) return null;
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<IntentRowWithHistory>(FIND_WITH_HISTORY, [accountId, environment, id]);
  if (row === undefined) return null;
  return {
    intent: openIntent(reader, row),
    events: (row.events ?? []).map((event) => toPaymentEvent(parseJsonRow(paymentEvents, event))),
    sessions: (row.sessions ?? []).map(parseSessionHistory),
    now: row.account_now,
  };
}

/** The histories of the intents, by two statements for all of them. */
export async function listIntentHistories(
  reader: Reader,
  ids: readonly PaymentIntentId[],
): Promise<(id: PaymentIntentId) => IntentHistory> {
  const { accountId, environment } = reader.scope;
  const [rows, sessions] = await Promise.all([
    reader.query<EventRow & { readonly intent_id: string }>(EVENTS_OF_INTENTS, [accountId, environment, [...ids]]),
    listSessionHistories(reader, ids),
  ]);
  const events = new Map<string, NewPaymentEvent[]>(ids.map((id) => [id, []]));
  for (const row of rows) events.get(row.intent_id)?.push(toPaymentEvent(row));
  return (id) => ({ events: events.get(id) ?? [], sessions: sessions.get(id) ?? [] });
}

/** Writes what was decided under the lock and returns the intent at its new version. Only `commitIntent` calls it (ADR 0145). */
export async function writeIntentRow(tx: Tx, decision: IntentDecision, locked: LockedIntent): Promise<PaymentIntent> {
  const { intent } = decision;
  const chain = await appendRecords(tx, { subjectId: intent.id, end: locked.chain }, decision);
  const { version } = locked.intent;
  const next = { ...intent, version: version + 1 };
  const columns = [paymentIntentColumnGroups, toRow(locked.intent), toRow({ ...intent, version })] as const;
  const keepsSecret = intent.clientSecret === null && intent.clientSecretExpireAt !== null;
  updateVersion(tx, paymentIntents, {
    where: { id: intent.id },
    version,
    set: {
      ...selectChangedColumns(...columns),
      version: next.version,
      ...toChainColumns(chain),
      ...(keepsSecret ? {} : toSecretColumns(tx, intent)),
    },
  });
  if (isVoidingPageSecrets(locked.intent, intent)) deleteUnusedPageSecrets(tx, intent.id);
  writeCaptures(tx, intent.id, { before: locked.intent.captures, after: intent.captures });
  writeTransactions(tx, next, decision.transactions);
  return next;
}

/** The intent's history, oldest first. */
export async function listPaymentEvents(reader: Reader, id: PaymentIntentId): Promise<NewPaymentEvent[]> {
  const rows = await findRows(reader, paymentEvents, { where: { intent_id: id }, orderBy: 'number' });
  return rows.map(toPaymentEvent);
}

function toPaymentEvent(row: EventRow): NewPaymentEvent {
  return { eventType: row.event_type, occurredAt: row.occurred_at, details: row.details };
}

/** A row with the captures of its intent. */
type IntentRow = PaymentIntentRow & { readonly captures: readonly CaptureRow[] | null };

type IntentRowWithHistory = IntentRow & {
  readonly events: readonly EventRow[] | null;
  readonly sessions: readonly SessionHistoryJson[] | null;
  readonly account_now: Date;
};

type PaymentIntentRowWithoutSecret = Omit<
  PaymentIntentRow,
  'chain_head' | 'chain_length' | 'secret_hash' | 'secret_ciphertext' | 'secret_expire_at'
>;

function toRow(intent: PaymentIntent): PaymentIntentRowWithoutSecret {
  return {
    id: intent.id,
    version: intent.version,
    status: intent.status,
    capture_mode: intent.captureMode,
    currency: intent.amount.currencyCode,
    amount: intent.amount.value,
    requested_amount: intent.requestedAmount?.value ?? null,
    tips_amount: intent.tipsAmount?.value ?? null,
    cashback_amount: intent.cashbackAmount?.value ?? null,
    service_charge_amount: intent.serviceChargeAmount?.value ?? null,
    authorized: intent.authorized.value,
    pending_capture: intent.pendingCapture.value,
    captured: intent.captured.value,
    pending_refund: intent.pendingRefund.value,
    refunded: intent.refunded.value,
    authorized_at: intent.authorizedAt,
    captured_at: intent.capturedAt,
    reference: intent.reference,
    description: intent.description,
    card_holder_not_present: intent.cardHolderNotPresent,
    payment_methods: intent.paymentMethods,
    payment_source: intent.paymentSource,
    setup_intent_id: intent.setupIntentId,
    auto_expire_action: intent.autoExpireAction,
    auto_expire_in_ms: intent.autoExpireInMs,
    expire_at: intent.expireAt,
    metadata: intent.metadata,
    details: intent.details,
    payment_details: intent.paymentDetails,
    created_at: intent.createdAt,
    updated_at: intent.updatedAt,
  };
}

function toChainColumns({ head, length }: Chain) {
  return { chain_head: head, chain_length: length };
}

function intentSecretContext(id: string): SealContext {
  return { relation: 'payment_intents', column: 'secret_ciphertext', row: id };
}

function toSecretColumns(tx: Tx, { id, clientSecret, clientSecretExpireAt }: PaymentIntent) {
  return {
    secret_hash: clientSecret === null ? null : tx.hash(clientSecret),
    secret_ciphertext: clientSecret === null ? null : tx.seal(intentSecretContext(id), clientSecret),
    secret_expire_at: clientSecretExpireAt,
  };
}

/** The intent with the text of its client secret. */
function openIntent(reader: Reader, row: IntentRow): PaymentIntent {
  const { id, secret_ciphertext: sealed } = row;
  return toIntent(row, sealed === null ? null : reader.open(intentSecretContext(id), sealed));
}

function toIntent(row: IntentRow, clientSecret: string | null): PaymentIntent {
  const toMoney = (value: number) => money(value, row.currency);
  const toMoneyOrNull = (value: number | null) => (value === null ? null : toMoney(value));
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    captureMode: row.capture_mode,
    amount: toMoney(row.amount),
    requestedAmount: toMoneyOrNull(row.requested_amount),
    tipsAmount: toMoneyOrNull(row.tips_amount),
    cashbackAmount: toMoneyOrNull(row.cashback_amount),
    serviceChargeAmount: toMoneyOrNull(row.service_charge_amount),
    authorized: toMoney(row.authorized),
    pendingCapture: toMoney(row.pending_capture),
    captured: toMoney(row.captured),
    pendingRefund: toMoney(row.pending_refund),
    refunded: toMoney(row.refunded),
    authorizedAt: row.authorized_at,
    capturedAt: row.captured_at,
    reference: row.reference,
    description: row.description,
    cardHolderNotPresent: row.card_holder_not_present,
    paymentMethods: row.payment_methods,
    paymentSource: row.payment_source,
    setupIntentId: row.setup_intent_id,
    autoExpireAction: row.auto_expire_action,
    autoExpireInMs: row.auto_expire_in_ms,
    expireAt: row.expire_at,
    clientSecretExpireAt: row.secret_expire_at,
    clientSecret,
    metadata: row.metadata,
    details: row.details,
    captures: (row.captures ?? []).map((each) => toCapture(each, row.currency)),
    paymentDetails: row.payment_details,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
