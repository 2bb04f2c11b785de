import type { Requestor } from '@pos/core/tables';
import { defineCombinableRead, defineStatement, sql } from '@pos/postgres/statements';
import {
  column,
  findRow,
  jsonColumn,
  type RowOf,
  defineRelation,
  updateVersion,
  enumColumn,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const orderSessions = defineRelation('order_sessions', {
  session_id: column.key,
  order_id: column.text,
  first_seen_at: column.timestamp,
});

export const orderLocks = defineRelation('order_locks', {
  session_id: column.key,
  order_id: column.text,
  lock_id: column.text,
  state: enumColumn<OrderLockState>(),
  expires_at: column.timestamp,
  requestor: jsonColumn<Requestor>(),
  version: column.integer,
});
type OrderLockRow = RowOf<typeof orderLocks>;

/** `Coming`: the EPOS has not confirmed it yet. `Lost`: the EPOS reports that it does not have it. */
export type OrderLockState = 'Coming' | 'Held' | 'Lost';

/** The session that represents an order of the EPOS Data API. */
export interface OrderSession {
  readonly sessionId: string;
  readonly orderId: string;
  readonly firstSeenAt: Date;
}

/** A session, and the name and number that it was listed with if its name was ambiguous. */
export interface LabelledOrderSession extends OrderSession {
  readonly label: { readonly name: string; readonly number: number; readonly isOutdated: boolean } | null;
}

/** Our lock on an order at its EPOS. The id is ours; the expiry is database time. */
export interface OrderLock {
  readonly sessionId: string;
  readonly orderId: string;
  readonly lockId: string;
  readonly state: OrderLockState;
  readonly expiresAt: Date;
  readonly requestor: Requestor;
  readonly version: number;
}

const INSERT_SESSIONS = defineStatement(
  'insert_order_sessions',
  `insert into order_sessions (account_id, environment, session_id, order_id, first_seen_at)
   select $1, $2, named.session_id, named.order_id, $5
   from unnest($3::text[], $4::text[]) as named (session_id, order_id)
   on conflict (account_id, environment, order_id) do nothing
   returning session_id`,
);

const OF_ORDERS = defineStatement(
  'find_sessions_of_orders',
  `select session.session_id, session.order_id, session.first_seen_at, label.name, label.number,
     label.seen_at < clock_timestamp() - interval '1 hour' as is_outdated
   from order_sessions session left join order_session_labels label using (account_id, environment, session_id)
   where session.account_id = $1 and session.environment = $2 and session.order_id = any ($3::text[])`,
);

interface LabelledSessionRow extends RowOf<typeof orderSessions> {
  readonly name: string | null;
  readonly number: number | null;
  readonly is_outdated: boolean | null;
}

const ORDERS_OF_SESSIONS = defineStatement(
  'find_orders_of_sessions',
  `select named.session_id, named.order_id, held.lock_id from order_sessions named
   left join order_locks held using (account_id, environment, session_id)
   where named.account_id = $1 and named.environment = $2 and named.session_id = any ($3::text[])`,
);

const PUT_LOCK = defineStatement(
  'put_order_lock',
  `insert into order_locks
     (account_id, environment, session_id, order_id, lock_id, state, expires_at, requestor, version)
   values ($1, $2, $3, $4, $5, 'Coming', $6, $7, 1)
   on conflict (account_id, environment, session_id) do update
     set order_id = excluded.order_id, lock_id = excluded.lock_id, state = excluded.state,
       expires_at = excluded.expires_at, requestor = excluded.requestor, version = order_locks.version + 1
   returning version`,
);

const DELETE_LOCK = defineStatement(
  'delete_order_lock',
  `delete from order_locks
   where account_id = $1 and environment = $2 and session_id = $3 and lock_id = $4 returning session_id`,
);

/** The sessions of these orders, if they have one. */
export async function findSessionsOfOrders(
  reader: Reader,
  orderIds: readonly string[],
): Promise<LabelledOrderSession[]> {
  if (orderIds.length === 0) return [];
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<LabelledSessionRow>(OF_ORDERS, [accountId, environment, [...orderIds]]);
  return rows.map(({ name, number, is_outdated: isOutdated, ...session }) => ({
    ...fromRow(session),
    label: name === null || number === null ? null : { name, number, isOutdated: isOutdated === true },
  }));
}

/** Gives orders their sessions. An order that got a session meanwhile keeps it. */
export async function insertOrderSessions(
  tx: Tx,
  newSessions: readonly Pick<OrderSession, 'sessionId' | 'orderId'>[],
): Promise<void> {
  const scopeValues = [tx.scope.accountId, tx.scope.environment];
  const sessionIds = newSessions.map(({ sessionId }) => sessionId);
  const orderIds = newSessions.map(({ orderId }) => orderId);
  await tx.query(INSERT_SESSIONS, [...scopeValues, sessionIds, orderIds, tx.now]);
}

/** The order of a session, or null if the session represents none. */
export async function findOrderSession(reader: Reader, sessionId: string): Promise<OrderSession | null> {
  const row = await findRow(reader, orderSessions, { where: { session_id: sessionId } });
  return row === null ? null : fromRow(row);
}

const ORDER_OF_SESSION = defineCombinableRead(
  'read_order_of_session',
  'order_sessions',
  sql`select order_id from order_sessions where account_id = ${1} and environment = ${2} and session_id = ${3}`,
);

/**
 * Reads the order of a session together with the next query or the COMMIT; the returned function gives it afterwards,
 * or null if the session represents none. That never changes: a session gets its id together with its order.
 */
export function readOrderOfSession(tx: Tx, sessionId: string): () => string | null {
  let orderId: string | null = null;
  tx.enqueue(ORDER_OF_SESSION, [tx.scope.accountId, tx.scope.environment, sessionId], (rows) => {
    const [row] = rows as readonly { readonly order_id: string }[];
    orderId = row?.order_id ?? null;
  });
  return () => orderId;
}

/** The orders of sessions with the ids of our locks on them; a session without an order is left out. */
export async function findOrdersOfSessions(
  reader: Reader,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly orderId: string; readonly lockId: string | null }>> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ session_id: string; order_id: string; lock_id: string | null }>(
    ORDERS_OF_SESSIONS,
    [...[accountId, environment], [...sessionIds]],
  );
  return new Map(rows.map((row) => [row.session_id, { orderId: row.order_id, lockId: row.lock_id }]));
}

/** Stores a lock that is about to be taken; it replaces another one of the session. */
export async function putOrderLock(tx: Tx, lock: Omit<OrderLock, 'state' | 'version'>): Promise<void> {
  const { sessionId, orderId, lockId, expiresAt, requestor } = lock;
  const scopeValues = [tx.scope.accountId, tx.scope.environment];
  await tx.query(PUT_LOCK, [...scopeValues, sessionId, orderId, lockId, expiresAt, JSON.stringify(requestor)]);
}

/** Our lock on the session's order, or null when there is none. */
export async function findOrderLock(reader: Reader, sessionId: string): Promise<OrderLock | null> {
  const row = await findRow(reader, orderLocks, { where: { session_id: sessionId } });
  return row === null ? null : toLock(row);
}

/** The same, for changing it. */
export async function lockOrderLock(tx: Tx, sessionId: string): Promise<OrderLock | null> {
  const row = await findRow(tx, orderLocks, { where: { session_id: sessionId }, isLocking: true });
  return row === null ? null : toLock(row);
}

/** Writes a lock that was read for changing it. */
export function updateOrderLock(tx: Tx, lock: OrderLock, change: Pick<OrderLock, 'state' | 'expiresAt'>): void {
  const { sessionId, version } = lock;
  updateVersion(tx, orderLocks, {
    where: { session_id: sessionId },
    set: { state: change.state, expires_at: change.expiresAt, version: version + 1 },
    version,
  });
}

/** Deletes a lock that has ended. False if it was replaced meanwhile. */
export async function deleteOrderLock(
  tx: Tx,
  { sessionId, lockId }: Pick<OrderLock, 'sessionId' | 'lockId'>,
): Promise<boolean> {
  return (await tx.query(DELETE_LOCK, [tx.scope.accountId, tx.scope.environment, sessionId, lockId])).length === 1;
}

function fromRow(row: RowOf<typeof orderSessions>): OrderSession {
  return { sessionId: row.session_id, orderId: row.order_id, firstSeenAt: row.first_seen_at };
}

function toLock(row: OrderLockRow): OrderLock {
  return {
    sessionId: row.session_id,
    orderId: row.order_id,
    lockId: row.lock_id,
    state: row.state,
    expiresAt: row.expires_at,
    requestor: row.requestor,
    version: row.version,
  };
}
