import { assert } from '@pos/core/refusals';
import type { Lease, TablePayment } from '@pos/core/tables';
import { leaseColumnGroups, type LeaseRow, sessionLeases } from '../relations/table-relations.js';
import { selectChangedColumns } from '../relations/changed-columns.js';
import { listLeaseIdsOfRunningJourneys } from './journeys.js';
import { defineStatement, sql } from '@pos/postgres/statements';
import { findRow, insertRow, insertRowIf, updateRows, updateVersion } from '../relations/relation.js';
import type { DecisionReader, Reader, Tx } from '../database/transaction.js';

const COLUMNS = sessionLeases.columns.join(', ');

const OPEN = `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3 and state in ('Held', 'Lost')`;
const FIND_OPEN = defineStatement('find_open_lease', OPEN);
const LOCK_OPEN = defineStatement('lock_lease_of_session', `${OPEN} for no key update`);
const ALL_OPEN = defineStatement(
  'list_open_leases',
  `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and state in ('Held', 'Lost') order by acquired_at, lease_id`,
);

const LEASES_OF_SESSION = `select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3
     and (state in ('Held', 'Lost') or epos_locked and state in ('Released', 'Forced'))
   order by lease_id`;
/** As two statements, so that each uses its own index; rows of a union cannot be locked. */
const FIND_LEASES_OF_SESSION = defineStatement(
  'find_leases_of_session',
  `${OPEN} union all select ${COLUMNS} from session_leases
   where account_id = $1 and environment = $2 and session_id = $3 and epos_locked and state in ('Released', 'Forced')`,
);
const LOCK_LEASES_OF_SESSION = defineStatement('lock_leases_of_session', `${LEASES_OF_SESSION} for no key update`);

/**
 * Writes a new lease together with the next query or the COMMIT. That fails (23505) when the session is leased
 * already, because another transaction was first.
 */
export async function insertLease(tx: Tx, lease: Lease): Promise<void> {
  insertRow(tx, sessionLeases, toRow(lease));
}

/**
 * Writes a new lease of a session that nothing was read of, together with the next query. The statement proves that
 * no lease holds the session and that no ended one has a lock at the EPOS; otherwise nothing of it is stored.
 */
export function insertLeaseOfFreeSession(tx: Tx, lease: Lease): void {
  insertRowIf(tx, sessionLeases, {
    row: toRow(lease),
    label: 'of_free_session',
    condition: (parameterOf) => {
      const ofSession = sql`account_id = ${1} and environment = ${2} and session_id = ${parameterOf('session_id')}`;
      // As two queries, so that each uses its own index.
      return sql`not exists (select from session_leases where ${ofSession} and state in ('Held', 'Lost'))
        and not exists (
          select from session_leases where ${ofSession} and epos_locked and state in ('Released', 'Forced'))`;
    },
  });
}

/** Reads a lease for changing it, or null. */
export async function lockLease(tx: Tx, leaseId: string): Promise<Lease | null> {
  const row = await findRow(tx, sessionLeases, { where: { lease_id: leaseId }, isLocking: true });
  return row === null ? null : toLease(row);
}

/** Reads the lease that holds the session now for changing it, or null when the session is free. */
export async function lockLeaseOfSession(decisionReader: DecisionReader, sessionId: string): Promise<Lease | null> {
  const { accountId, environment } = decisionReader.scope;
  const [row] = await decisionReader.query<LeaseRow>(decisionReader.isLocking ? LOCK_OPEN : FIND_OPEN, [
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
export async function findLeaseOfSession(reader: Reader, sessionId: string): Promise<Lease | null> {
  const [row] = await reader.query<LeaseRow>(FIND_OPEN, [reader.scope.accountId, reader.scope.environment, sessionId]);
  return row === undefined ? null : toLease(row);
}

/** The leases that are held or lost, oldest first. */
export async function listOpenLeases(reader: Reader): Promise<Lease[]> {
  const rows = await reader.query<LeaseRow>(ALL_OPEN, [reader.scope.accountId, reader.scope.environment]);
  return rows.map(toLease);
}

const TO_END = defineStatement(
  'lock_lease_to_end',
  `select lease.*, exists (
     select 1 from journeys
     where account_id = $1 and environment = $2 and session_id = $3 and lease_id = lease.lease_id
       and state not in ('FINISHED', 'ABANDONED')) as is_running
   from (${OPEN}) as lease`,
);

/** Reads, for ending it, the lease that holds the session now, and whether a journey runs under it. */
export async function lockLeaseToEnd(
  decisionReader: DecisionReader,
  sessionId: string,
): Promise<{ readonly lease: Lease | null; readonly isRunning: boolean }> {
  const { accountId, environment } = decisionReader.scope;
  if (decisionReader.isLocking) {
    // Read after the lock: changes during the wait for it count.
    const [lease, running] = await Promise.all([
      lockLeaseOfSession(decisionReader, sessionId),
      listLeaseIdsOfRunningJourneys(decisionReader, sessionId),
    ]);
    return { lease, isRunning: lease !== null && running.includes(lease.leaseId) };
  }
  const [row] = await decisionReader.query<LeaseRow & { is_running: boolean }>(TO_END, [
    accountId,
    environment,
    sessionId,
  ]);
  return row === undefined ? { lease: null, isRunning: false } : { lease: toLease(row), isRunning: row.is_running };
}

const RELAY_TARGET = defineStatement(
  'lock_relay_target',
  `select lease.*,
     exists (select 1 from table_payments where account_id = $1 and environment = $2 and id = $4) as is_known,
     (select order_id from order_sessions
      where account_id = $1 and environment = $2 and session_id = $3) as order_id
   from (select 1) as one left join (${OPEN}) as lease on true`,
);

/** The target of a device's own payment: the lease that holds its session, and the order of the session. */
export interface RelayTarget {
  readonly lease: Lease | null;
  readonly orderId: string | null;
  /** A payment with the id is stored already. */
  readonly isKnown: boolean;
}

/** Reads the target of a payment for storing the payment. */
export async function lockRelayTarget(
  decisionReader: DecisionReader,
  { id, sessionId }: Pick<TablePayment, 'id' | 'sessionId'>,
): Promise<RelayTarget> {
  const { accountId, environment } = decisionReader.scope;
  const locked = decisionReader.isLocking ? lockLeaseOfSession(decisionReader, sessionId) : null;
  const pendingQuery = decisionReader.query<RelayTargetRow>(RELAY_TARGET, [accountId, environment, sessionId, id]);
  const [lease, [row]] = await Promise.all([locked, pendingQuery]);
  const found = row === undefined || row.lease_id === null ? null : toLease(row);
  const { order_id: orderId = null, is_known: isKnown = false } = row ?? {};
  return { lease: decisionReader.isLocking ? lease : found, orderId, isKnown };
}

type RelayTargetRow = (LeaseRow | { readonly lease_id: null }) & {
  readonly is_known: boolean;
  readonly order_id: string | null;
};

/** The leases of a session: the one that holds it now, and ended ones whose lock at the EPOS is not released yet. */
export interface LeasesOfSession {
  /** Nothing was read: the session is assumed to be free, and the write of a new lease has to prove it. */
  readonly isAssumed?: boolean;
  readonly open: Lease | null;
  readonly unreleased: readonly Lease[];
}

/** Reads the leases of a session for changing them. */
export async function lockLeasesOfSession(decisionReader: DecisionReader, sessionId: string): Promise<LeasesOfSession> {
  const { accountId, environment } = decisionReader.scope;
  const pendingQuery = decisionReader.isLocking ? LOCK_LEASES_OF_SESSION : FIND_LEASES_OF_SESSION;
  const leases = (await decisionReader.query<LeaseRow>(pendingQuery, [accountId, environment, sessionId])).map(toLease);
  const isOpen = ({ state }: Lease): boolean => state === 'Held' || state === 'Lost';
  return { open: leases.find(isOpen) ?? null, unreleased: leases.filter((lease) => !isOpen(lease)) };
}

/** Writes a lease that was read for changing as `before`, and returns it with its new version. */
export async function updateLease(tx: Tx, before: Lease, lease: Lease): Promise<Lease> {
  updateVersion(tx, sessionLeases, { where: { lease_id: lease.leaseId }, ...buildChange(before, lease) });
  return { ...lease, version: lease.version + 1 };
}

/** Writes a lease that was read without its row lock. Null, and nothing is written, if it was changed since. */
export async function updateLeaseUnlessChanged(tx: Tx, before: Lease, lease: Lease): Promise<Lease | null> {
  const { set, version } = buildChange(before, lease);
  const isWritten = (await updateRows(tx, sessionLeases, { where: { lease_id: lease.leaseId, version }, set })) === 1;
  return isWritten ? { ...lease, version: version + 1 } : null;
}

function buildChange(before: Lease, lease: Lease): { readonly set: Partial<LeaseRow>; readonly version: number } {
  assert(before.leaseId === lease.leaseId, 'a change of another lease');
  const { version } = lease;
  const set = selectChangedColumns(leaseColumnGroups, toRow(before), toRow(lease));
  return { set: { ...set, version: version + 1 }, version };
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
