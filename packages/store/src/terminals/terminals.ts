import { isId, type LocationId, type PaymentIntentId, type TerminalId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import { RUNNING_STATUSES } from './terminal-sessions.js';
import { findRow, type RowOf } from '../relations/relation.js';
import { terminals } from '../relations/terminal-relations.js';
import { insertScopedRow, lockRow, updateScopedRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A card machine of the account, and the values from which its status follows. */
export interface Terminal {
  readonly id: TerminalId;
  readonly tid: string;
  readonly name: string;
  readonly model: string | null;
  /** Null: the first location of the account. */
  readonly locationId: LocationId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TerminalActivity extends Terminal {
  readonly hasRunningSession: boolean;
  /** The time since the last heartbeat of its newest stream; null when there never was one. */
  readonly unseenMs: number | null;
  readonly isInUseAtMachine: boolean;
  /** How long ago the machine reported that it is, or is no longer, in use; null when there never was a stream. */
  readonly inUseSinceMs: number | null;
  /** How long ago its newest stream was opened. */
  readonly openedMs: number | null;
  /** When its newest session began, or the time of its last status once it has ended; account time. */
  readonly sessionAt: Date | null;
}

interface TerminalActivityRow {
  readonly id: TerminalId;
  readonly tid: string;
  readonly name: string;
  readonly model: string | null;
  readonly location_id: LocationId | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly has_session: boolean;
  readonly unseen_ms: number | null;
  readonly in_use: boolean | null;
  readonly in_use_since_ms: number | null;
  readonly opened_ms: number | null;
  readonly session_at: Date | null;
}

const RUNNING = RUNNING_STATUSES.map((status) => `'${status}'`).join(', ');
const ACTIVITY = `
  select t.id, t.tid, t.name, t.model, t.location_id, t.created_at, t.updated_at, s.id is not null as has_session, c.unseen_ms, c.in_use,
    c.in_use_since_ms, c.opened_ms, coalesce(s.created_at, ended.updated_at) as session_at
  from terminals t
  left join terminal_sessions s on s.account_id = t.account_id and s.environment = t.environment
    and s.terminal_id = t.id and s.status in (${RUNNING})
  left join lateral (
    select extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as unseen_ms, in_use,
      extract(epoch from clock_timestamp() - coalesce(in_use_since, opened_at))::float8 * 1000 as in_use_since_ms,
      extract(epoch from clock_timestamp() - opened_at)::float8 * 1000 as opened_ms
    from connections
    where account_id = t.account_id and environment = t.environment and kind = 'machine' and key = t.tid
    order by epoch desc limit 1
  ) c on true
  left join lateral (
    select updated_at from terminal_sessions
    where account_id = t.account_id and environment = t.environment and terminal_id = t.id
    order by created_at desc, id desc limit 1
  ) ended on true
  where t.account_id = $1 and t.environment = $2`;
const ALL_ACTIVITY = defineStatement('list_terminal_activity', `${ACTIVITY} order by t.tid`);
const ONE_ACTIVITY = defineStatement('find_terminal_activity', `${ACTIVITY} and t.id = $3`);

/** A terminal to add. */
export type NewTerminal = Pick<Terminal, 'id' | 'tid' | 'name'> & Partial<Pick<Terminal, 'model' | 'locationId'>>;

/** Adds a terminal. The database refuses a TID that another one of the account has (23505). */
export async function insertTerminal(
  tx: Tx,
  { id, tid, name, model = null, locationId = null }: NewTerminal,
): Promise<void> {
  const times = { created_at: tx.now, updated_at: tx.now };
  await insertScopedRow(tx, terminals, { id, tid, name, model, location_id: locationId, ...times });
}

/** Changes the named members of a terminal. */
export async function updateTerminal(
  tx: Tx,
  id: TerminalId,
  { tid, name, model, locationId }: Partial<Omit<NewTerminal, 'id'>>,
): Promise<void> {
  const set = {
    ...(tid !== undefined && { tid }),
    ...(name !== undefined && { name }),
    ...(model !== undefined && { model }),
    ...(locationId !== undefined && { location_id: locationId }),
    updated_at: tx.now,
  };
  await updateScopedRows(tx, terminals, { where: { id }, set });
}

/** Locks the terminal with this id; null: an unknown, foreign or malformed id. */
export async function lockTerminal(tx: Tx, id: string): Promise<Terminal | null> {
  if (!isId('terminal', id)) return null;
  const row = await lockRow(tx, terminals, { id });
  return row === null ? null : toTerminal(row);
}

/** The terminal, or null: an unknown, foreign or malformed id. Payments read it, so it is named SQL (0071). */
export async function findTerminal(reader: Reader, id: string): Promise<Terminal | null> {
  if (!isId('terminal', id)) return null;
  const row = await findRow(reader, terminals, { where: { id } });
  return row === null ? null : toTerminal(row);
}

/** Reads the intent's row, so it can be sent together with the statement that locks it. */
const TID_OF_INTENT = defineStatement(
  'find_tid_of_intent',
  `select t.tid from payment_intents i
     join acquirer_calls c
       on c.account_id = i.account_id and c.environment = i.environment and c.reference = i.payment_details ->> 'reference'
     join terminal_sessions s
       on s.account_id = c.account_id and s.environment = c.environment and s.id = c.terminal_session_id
     join terminals t on t.account_id = s.account_id and t.environment = s.environment and t.id = s.terminal_id
   where i.account_id = $1 and i.environment = $2 and i.id = $3`,
);

/** The TID of the card machine that took the money of an intent, or null: no machine took it. */
export async function findTidOfIntent(reader: Reader, intentId: PaymentIntentId): Promise<string | null> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ tid: string }>(TID_OF_INTENT, [accountId, environment, intentId]);
  return row?.tid ?? null;
}

/** The terminal whose machine carries this TID, or null. */
export async function findTerminalByTid(reader: Reader, tid: string): Promise<Terminal | null> {
  const row = await findRow(reader, terminals, { where: { tid } });
  return row === null ? null : toTerminal(row);
}

/** The terminal with the values from which its status follows, or null. */
export async function findTerminalActivity(reader: Reader, id: string): Promise<TerminalActivity | null> {
  if (!isId('terminal', id)) return null;
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<TerminalActivityRow>(ONE_ACTIVITY, [accountId, environment, id]);
  return row === undefined ? null : toTerminalActivity(row);
}

/** All terminals of the scope by TID. */
export async function listTerminalActivity(reader: Reader): Promise<TerminalActivity[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<TerminalActivityRow>(ALL_ACTIVITY, [accountId, environment]);
  return rows.map(toTerminalActivity);
}

function toTerminal(row: RowOf<typeof terminals>): Terminal {
  return {
    ...{ id: row.id, tid: row.tid, name: row.name, model: row.model, locationId: row.location_id },
    ...{ createdAt: row.created_at, updatedAt: row.updated_at },
  };
}

function toTerminalActivity(row: TerminalActivityRow): TerminalActivity {
  return {
    ...toTerminal(row),
    hasRunningSession: row.has_session,
    unseenMs: row.unseen_ms,
    isInUseAtMachine: row.in_use ?? false,
    inUseSinceMs: row.in_use_since_ms,
    openedMs: row.opened_ms,
    sessionAt: row.session_at,
  };
}
