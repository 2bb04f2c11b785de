import type { SessionLabel } from '@pos/core/tables';
import { defineStatement } from '@pos/postgres/statements';
import { column, defineRelation, type RowOf } from '../relations/relation.js';
import type { Tx } from '../database/transaction.js';

export const orderSessionLabels = defineRelation('order_session_labels', {
  session_id: column.key,
  name: column.text,
  number: column.integer,
  seen_at: column.timestamp,
});

/** A numbered session of an order. */
export interface NumberedSession extends SessionLabel {
  readonly number: number;
}

const DELETE_UNSEEN = defineStatement(
  'delete_unseen_labels',
  `delete from order_session_labels
   where account_id = $1 and environment = $2 and seen_at < $3::timestamptz - interval '1 day'
     and session_id <> all ($4::text[])
   returning session_id`,
);

const OF_NAMES = defineStatement(
  'list_numbered_sessions',
  `select session_id, name, number from order_session_labels
   where account_id = $1 and environment = $2 and name = any ($3::text[])`,
);

const PUT = defineStatement(
  'put_session_labels',
  `insert into order_session_labels (account_id, environment, session_id, name, number, seen_at)
   select $1, $2, label.session_id, label.name, label.number, $6
   from unnest($3::text[], $4::text[], $5::integer[]) as label (session_id, name, number)
   on conflict (account_id, environment, session_id) do update
     set name = excluded.name, number = excluded.number, seen_at = excluded.seen_at
   returning session_id`,
);

/** Frees the numbers of sessions that were not listed for a day, except those that are listed now. */
export async function deleteUnseenLabels(tx: Tx, listed: readonly SessionLabel[]): Promise<void> {
  const { accountId, environment } = tx.scope;
  const sessionIds = listed.map(({ sessionId }) => sessionId);
  await tx.query(DELETE_UNSEEN, [accountId, environment, tx.databaseNow, sessionIds]);
}

/** The numbered sessions with these names. */
export async function listNumberedSessions(tx: Tx, names: readonly string[]): Promise<NumberedSession[]> {
  const rows = await tx.query<Omit<RowOf<typeof orderSessionLabels>, 'seen_at'>>(OF_NAMES, [
    ...[tx.scope.accountId, tx.scope.environment],
    [...names],
  ]);
  return rows.map(({ session_id: sessionId, name, number }) => ({ sessionId, name, number }));
}

/** Stores the numbers of sessions that are listed now. Another session with the same name and number is a unique violation. */
export async function putSessionLabels(tx: Tx, labels: readonly NumberedSession[]): Promise<void> {
  // In one order, so that two lists never wait for each other.
  const sorted = [...labels].sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
  await tx.query(PUT, [
    ...[tx.scope.accountId, tx.scope.environment],
    sorted.map(({ sessionId }) => sessionId),
    sorted.map(({ name }) => name),
    sorted.map(({ number }) => number),
    tx.databaseNow,
  ]);
}
