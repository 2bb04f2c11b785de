import type { Lease } from '@pos/core/lease';
import type { TablePayment } from '@pos/core/table-payment';
import { type LeaseRow, sessionLeases } from './pay-at-table-rows.js';
import { leasesOfRunningJourneys } from './journeys.js';
import { statement } from './statement.js';
import { findRow, insertRow, updateRows, updateVersion } from './table.js';
import type { Looking, Reader, Tx } from './transaction.js';

const COLUMNS = sessionLeases.columns.join(', ');

const OPEN = `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3 and state in ('Held', 'Lost')`;
const FIND_OPEN = statement('lease_open', OPEN);
const LOCK_OPEN = statement('lease_open_locked', `${OPEN} for no key update`);
const ALL_OPEN = statement(
  'leases_open',
  `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and state in ('Held', 'Lost') order by acquired_at, lease_id`,
);

const PLACE = `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3
     and (state in ('Held', 'Lost') or epos_locked and state in ('Released', 'Forced'))
   order by lease_id`;
/** As two questions, so that each has its own index; rows of a union cannot be locked. */
const FIND_PLACE = statement(
  'lease_place',
  `${OPEN} union all select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3 and epos_locked and state in ('Released', 'Forced')`,
);
const LOCK_PLACE = statement('lease_place_locked', `${PLACE} for no key update`);

/**
 * Writes a new lease, with whatever is asked next or the COMMIT: that fails (23505) when the session is leased already,
 * because somebody was first.
 */
export async function insertLease(tx: Tx, lease: Lease): Promise<void> {
  insertRow(tx, sessionLeases, toRow(lease));
}

/** Reads a lease for changing it, or null. */
export async function lockLease(tx: Tx, leaseId: string): Promise<Lease | null> {
  const row = await findRow(tx, sessionLeases, { where: { lease_id: leaseId }, isLocking: true });
  return row === null ? null : toLease(row);
}

/** Reads the lease that holds the session now for changing it, or null when nobody holds it. */
export async function lockLeaseOf(looking: Looking, sessionId: string): Promise<Lease | null> {
  const { accountId, environment } = looking.scope;
  const [row] = await looking.query<LeaseRow>(looking.locks ? LOCK_OPEN : FIND_OPEN, [
    accountId,
    environment,
    sessionId,
  ]);
  return row === undefined ? null : toLease(row);
}

export async function findLease(reader: Reader, leaseId: string): Promise<Lease | null> {
  const row = await findRow(reader, sessionLeases, { where: { lease_id: leaseId } });
  return row === null ? null : toLease(row);
}

/** The lease that holds the session now, or null. */
export async function findLeaseOf(reader: Reader, sessionId: string): Promise<Lease | null> {
  const [row] = await reader.query<LeaseRow>(FIND_OPEN, [reader.scope.accountId, reader.scope.environment, sessionId]);
  return row === undefined ? null : toLease(row);
}

/** The leases that are held or lost, oldest first. */
export async function openLeases(reader: Reader): Promise<Lease[]> {
  const rows = await reader.query<LeaseRow>(ALL_OPEN, [reader.scope.accountId, reader.scope.environment]);
  return rows.map(toLease);
}

const TO_END = statement(
  'lease_to_end',
  `select lease.*, exists (
     select 1 from journeys
     where account_id = $1 and environment = $2 and session_id = $3 and lease_id = lease.lease_id
       and state not in ('FINISHED', 'ABANDONED')) as is_running
   from (${OPEN}) as lease`,
);

/** Reads, for ending it, the lease that holds the session now, and whether a journey runs under it. */
export async function lockLeaseToEnd(
  looking: Looking,
  sessionId: string,
): Promise<{ readonly lease: Lease | null; readonly isRunning: boolean }> {
  const { accountId, environment } = looking.scope;
  if (looking.locks) {
    // Asked behind the lock: what came while it was waited for counts.
    const [lease, running] = await Promise.all([
      lockLeaseOf(looking, sessionId),
      leasesOfRunningJourneys(looking, sessionId),
    ]);
    return { lease, isRunning: lease !== null && running.includes(lease.leaseId) };
  }
  const [row] = await looking.query<LeaseRow & { is_running: boolean }>(TO_END, [accountId, environment, sessionId]);
  return row === undefined ? { lease: null, isRunning: false } : { lease: toLease(row), isRunning: row.is_running };
}

const RELAY_PLACE = statement(
  'lease_relay_place',
  `select lease.*,
     exists (select 1 from table_payments where account_id = $1 and environment = $2 and id = $4) as is_known,
     (select order_id from order_sessions
      where account_id = $1 and environment = $2 and session_id = $3) as order_id
   from (select 1) as one left join (${OPEN}) as lease on true`,
);

/** Where a device's own payment is to be recorded: the lease that holds its session, and the order it stands for. */
export interface RelayPlace {
  readonly lease: Lease | null;
  readonly orderId: string | null;
  /** A payment of the id is there already. */
  readonly isKnown: boolean;
}

/** Reads, for storing a payment, where it is to be recorded. */
export async function lockRelayPlace(
  looking: Looking,
  { id, sessionId }: Pick<TablePayment, 'id' | 'sessionId'>,
): Promise<RelayPlace> {
  const { accountId, environment } = looking.scope;
  const locked = looking.locks ? lockLeaseOf(looking, sessionId) : null;
  const asked = looking.query<RelayPlaceRow>(RELAY_PLACE, [accountId, environment, sessionId, id]);
  const [lease, [row]] = await Promise.all([locked, asked]);
  const found = row === undefined || row.lease_id === null ? null : toLease(row);
  const { order_id: orderId = null, is_known: isKnown = false } = row ?? {};
  return { lease: looking.locks ? lease : found, orderId, isKnown };
}

type RelayPlaceRow = (LeaseRow | { readonly lease_id: null }) & {
  readonly is_known: boolean;
  readonly order_id: string | null;
};

/** Whose a session is: the lease that holds it now, and those that have ended and whose lock at the EPOS is not let go yet. */
export interface LeasePlace {
  readonly open: Lease | null;
  readonly undone: readonly Lease[];
}

/** Reads the leases of a session for changing them. */
export async function lockPlace(looking: Looking, sessionId: string): Promise<LeasePlace> {
  const { accountId, environment } = looking.scope;
  const asked = looking.locks ? LOCK_PLACE : FIND_PLACE;
  const leases = (await looking.query<LeaseRow>(asked, [accountId, environment, sessionId])).map(toLease);
  const isOpen = ({ state }: Lease): boolean => state === 'Held' || state === 'Lost';
  return { open: leases.find(isOpen) ?? null, undone: leases.filter((lease) => !isOpen(lease)) };
}

/** Writes what became of a lease as it was read, and returns it at its new version. */
export async function updateLease(tx: Tx, lease: Lease): Promise<Lease> {
  const next = { ...lease, version: lease.version + 1 };
  const { lease_id, session_id: _sessionId, acquired_at: _acquiredAt, ...set } = toRow(next);
  updateVersion(tx, sessionLeases, { where: { lease_id }, version: lease.version, set });
  return next;
}

/** Writes a lease that was read without its lock. Null, and nothing is written: it was changed since. */
export async function updateLeaseUnlessChanged(tx: Tx, lease: Lease): Promise<Lease | null> {
  const next = { ...lease, version: lease.version + 1 };
  const { lease_id, session_id: _sessionId, acquired_at: _acquiredAt, ...set } = toRow(next);
  const where = { lease_id, version: lease.version };
  return (await updateRows(tx, sessionLeases, { where, set })) === 1 ? next : null;
}

function toRow(lease: Lease): LeaseRow {
  return {
    lease_id: lease.leaseId,
    session_id: lease.sessionId,
    owner: lease.owner,
    requestor: lease.requestor,
    waiter_id: lease.waiterId,
    state: lease.state,
    epos_locked: lease.eposLocked,
    lock_id: lease.lockId,
    open_payments: lease.openPayments,
    acquired_at: lease.acquiredAt,
    expires_at: lease.expiresAt,
    version: lease.version,
    released_at: lease.releasedAt,
  };
}

function toLease(row: LeaseRow): Lease {
  return {
    leaseId: row.lease_id,
    sessionId: row.session_id,
    owner: row.owner,
    requestor: row.requestor,
    waiterId: row.waiter_id,
    state: row.state,
    eposLocked: row.epos_locked,
    lockId: row.lock_id,
    openPayments: row.open_payments,
    acquiredAt: row.acquired_at,
    expiresAt: row.expires_at,
    version: row.version,
    releasedAt: row.released_at,
  };
}
