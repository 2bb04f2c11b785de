import { assert } from '@pos/core/refusals';
import type { Bill } from '@pos/core/tables';
import type { Journey } from '@pos/core/journeys';
import { journeyColumnGroups, type JourneyRow, journeys, type StoredBill } from '../relations/table-relations.js';
import { selectChangedColumns } from '../relations/changed-columns.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRow, findRows, insertRow, updateVersion } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Writes a new journey. */
export async function insertJourney(tx: Tx, journey: Journey): Promise<void> {
  insertRow(tx, journeys, toRow(journey));
}

/** Reads a journey for changing it, or null. */
export async function lockJourney(tx: Tx, id: string): Promise<Journey | null> {
  const row = await findRow(tx, journeys, { where: { id }, isLocking: true });
  return row === null ? null : toJourney(row);
}

export async function findJourney(reader: Reader, id: string): Promise<Journey | null> {
  const row = await findRow(reader, journeys, { where: { id } });
  return row === null ? null : toJourney(row);
}

/** The journeys under a lease, newest first. */
export async function listJourneysOfLease(reader: Reader, leaseId: string): Promise<Journey[]> {
  const rows = await findRows(reader, journeys, { where: { lease_id: leaseId }, orderBy: 'created_at desc, id' });
  return rows.map(toJourney);
}

const NEWEST = defineStatement(
  'lock_newest_journey',
  `select id from journeys where account_id = $1 and environment = $2 and session_id = $3
   order by created_at desc, id desc limit 1`,
);

/**
 * Reads the newest journey on a session for changing or following it, in any state; null: there is none. A newer one
 * may begin while its lock is awaited.
 */
export async function lockNewestJourney(tx: Tx, sessionId: string): Promise<Journey | null> {
  const { accountId, environment } = tx.scope;
  const [row] = await tx.query<{ id: string }>(NEWEST, [accountId, environment, sessionId]);
  return row === undefined ? null : lockJourney(tx, row.id);
}

const OTHER_UNSETTLED = defineStatement(
  'list_other_unsettled_journeys',
  `select ${journeys.columns.join(', ')} from journeys
   where account_id = $1 and environment = $2 and session_id = $3 and id <> $4
     and state in ('PAYING', 'RECORDING', 'BLOCKED')`,
);

/** The other journeys on the session with open money: their leases were forced. */
export async function listOtherUnsettledJourneys(
  reader: Reader,
  { id, sessionId }: Pick<Journey, 'id' | 'sessionId'>,
): Promise<Journey[]> {
  const { accountId, environment } = reader.scope;
  return (await reader.query<JourneyRow>(OTHER_UNSETTLED, [accountId, environment, sessionId, id])).map(toJourney);
}

const RUNNING = defineStatement(
  'list_lease_ids_of_running_journeys',
  `select lease_id from journeys
   where account_id = $1 and environment = $2 and session_id = $3 and state not in ('FINISHED', 'ABANDONED')`,
);

/** The leases of the running journeys on a session. */
export async function listLeaseIdsOfRunningJourneys(reader: Reader, sessionId: string): Promise<string[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ lease_id: string }>(RUNNING, [accountId, environment, sessionId]);
  return rows.map((row) => row.lease_id);
}

const ORDER_CHANGED = defineStatement(
  'mark_order_changed',
  `with changed as (
     select id from journeys
     where account_id = $1 and environment = $2 and state not in ('FINISHED', 'ABANDONED') and session_id in (
       select session_id from order_sessions where account_id = $1 and environment = $2 and order_id = $3
       union all select $3)
     order by created_at, id
     for update
   )
   update journeys set bill_changed_mark = $4 from changed
   where account_id = $1 and environment = $2 and journeys.id = changed.id
   returning journeys.id`,
);

const BILL_CHANGED = defineStatement(
  'find_bill_change',
  `select bill_changed_mark from journeys
   where account_id = $1 and environment = $2 and id = $3 and bill_changed_mark is not null`,
);

const BILL_READ = defineStatement(
  'mark_bill_read',
  `update journeys set bill_changed_mark = null
   where account_id = $1 and environment = $2 and id = $3 and bill_changed_mark = $4 returning id`,
);

/**
 * Marks that the order of an EPOS has changed: running journeys on it read their bill again before they are shown;
 * listeners are notified.
 */
export async function markOrderChanged(tx: Tx, orderId: string): Promise<void> {
  const { accountId, environment } = tx.scope;
  const mark = await tx.newUuid();
  const rows = await tx.query<{ id: string }>(ORDER_CHANGED, [accountId, environment, orderId, mark]);
  for (const { id } of rows) tx.hint('journeys', id);
}

/** The latest change after which the journey's bill was not read yet, or null. */
export async function findBillChange(reader: Reader, id: string): Promise<string | null> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ bill_changed_mark: string }>(BILL_CHANGED, [accountId, environment, id]);
  return row?.bill_changed_mark ?? null;
}

/** Stores that the bill was read after this change; a later change stays marked. */
export async function markBillRead(tx: Tx, id: string, mark: string): Promise<void> {
  const { accountId, environment } = tx.scope;
  await tx.query(BILL_READ, [accountId, environment, id, mark]);
}

/** Writes a journey that was read under its row lock as `before`, and returns it with its new version. */
export async function updateJourney(tx: Tx, before: Journey, journey: Journey): Promise<Journey> {
  assert(before.id === journey.id, 'a change of another journey');
  const { id, version } = journey;
  const [rowBefore, row] = [toRow(before), toRow(journey)];
  // A bill that did not change is still two objects in its stored form.
  const bill = journey.bill === before.bill ? rowBefore.bill : row.bill;
  const set = selectChangedColumns(journeyColumnGroups, rowBefore, { ...row, bill });
  updateVersion(tx, journeys, { where: { id }, version, set: { ...set, version: version + 1 } });
  return { ...journey, version: version + 1 };
}

function toRow(journey: Journey): JourneyRow {
  return {
    id: journey.id,
    session_id: journey.sessionId,
    session_name: journey.sessionName,
    table_name: journey.tableName,
    lease_id: journey.leaseId,
    owner: journey.owner,
    requestor: journey.requestor,
    state: journey.state,
    currency: journey.currencyCode,
    bill: toStoredBill(journey.bill),
    bill_read_at: journey.billReadAt,
    bill_changed_mark: null,
    plan: journey.plan,
    version: journey.version,
    created_at: journey.createdAt,
    updated_at: journey.updatedAt,
    finished_at: journey.finishedAt,
  };
}

function toJourney(row: JourneyRow): Journey {
  return {
    id: row.id,
    sessionId: row.session_id,
    sessionName: row.session_name,
    tableName: row.table_name,
    leaseId: row.lease_id,
    owner: row.owner,
    requestor: row.requestor,
    state: row.state,
    currencyCode: row.currency,
    bill: toBill(row.bill),
    billReadAt: row.bill_read_at,
    plan: row.plan,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

function toStoredBill(bill: Bill): StoredBill {
  const items = bill.items.map((item) => ({ ...item, lastOrderedAt: item.lastOrderedAt?.toISOString() ?? null }));
  return { ...bill, items };
}

function toBill(stored: StoredBill): Bill {
  const items = stored.items.map((item) => ({
    ...item,
    lastOrderedAt: item.lastOrderedAt === null ? null : new Date(item.lastOrderedAt),
  }));
  return { ...stored, items };
}
