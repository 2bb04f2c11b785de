import type { BookingKind } from '@pos/core/bookings';
import { createInProgressRefusal } from '../idempotency/key-claim.js';
import { defineStatement } from '@pos/postgres/statements';
import { column, defineRelation, enumKeyColumn, findRow, nullable } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const eposBookings = defineRelation('epos_bookings', {
  kind: enumKeyColumn<BookingKind>(),
  service_id: column.key,
  epos_id: nullable(column.text),
  may_exist: column.boolean,
  leased_until: nullable(column.timestamp),
  created_at: column.timestamp,
  keep_until: column.timestamp,
});

export const eposBookingOwners = defineRelation('epos_booking_owners', {
  kind: enumKeyColumn<BookingKind>(),
  epos_id: column.key,
  service_id: column.text,
  bound_at: column.timestamp,
});

/** A booking by its kind and the id that the service has for it. */
export interface BookingKey {
  readonly kind: BookingKind;
  readonly serviceId: string;
}

/** What is known of a booking before a request creates it. */
export interface BookingClaim {
  /** Null: no answer of the EPOS has named it. */
  readonly eposId: string | null;
  /** An earlier request may have created it. */
  readonly mayExist: boolean;
  /** When it was first requested. */
  readonly requestedAt: Date;
  readonly lease: BookingLease;
}

/** What is stored of a booking. */
export interface StoredBooking {
  /** Null: no answer of the EPOS has named it. */
  readonly eposId: string | null;
  /** A request may have created it. */
  readonly mayExist: boolean;
}

export interface LockedBooking extends StoredBooking {
  /** A request creates or changes it right now. */
  readonly isLeased: boolean;
}

/** The right of one request to create or change a booking: database time. */
export interface BookingLease {
  readonly until: Date;
}

/** A booking of the EPOS that becomes the one of a request. */
export interface BookingBinding {
  readonly eposId: string;
  /** When the row is deleted; account time. */
  readonly keepUntil: Date;
  /** When it was first requested of the EPOS, whose answer names it; null if it was only found there. */
  readonly requestedAt: Date | null;
}

const PUT = defineStatement(
  'put_booking',
  `insert into epos_bookings (account_id, environment, kind, service_id, may_exist, created_at, keep_until)
   values ($1, $2, $3, $4, false, $5, $6) on conflict (account_id, environment, kind, service_id) do nothing
   returning service_id`,
);

const CLAIM = defineStatement(
  'claim_booking',
  `update epos_bookings booking
   set may_exist = true, leased_until = $6, keep_until = greatest(booking.keep_until, $7::timestamptz)
   from (select epos_id, may_exist from epos_bookings
     where account_id = $1 and environment = $2 and kind = $3 and service_id = $4
       and (leased_until is null or leased_until <= $5) for update) before
   where booking.account_id = $1 and booking.environment = $2 and booking.kind = $3 and booking.service_id = $4
   returning before.epos_id, before.may_exist, booking.created_at`,
);

const LOCK = defineStatement(
  'lock_booking',
  `select epos_id, may_exist, coalesce(leased_until > $5, false) as is_leased from epos_bookings
   where account_id = $1 and environment = $2 and kind = $3 and service_id = $4 for update`,
);

/** A request that was stopped for longer than its lease changes nothing: another one may be running. */
const RELEASE = defineStatement(
  'release_booking',
  `update epos_bookings set may_exist = $5, leased_until = null
   where account_id = $1 and environment = $2 and kind = $3 and service_id = $4 and leased_until = $6
   returning service_id`,
);

/** An EPOS may give the id of a party that has left to another one, which it has created since. */
const OWN = defineStatement(
  'own_booking',
  `insert into epos_booking_owners (account_id, environment, kind, epos_id, service_id, bound_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, environment, kind, epos_id) do update
     set service_id = excluded.service_id, bound_at = excluded.bound_at
     where epos_booking_owners.service_id = excluded.service_id or epos_booking_owners.bound_at < $7
   returning service_id`,
);

const BIND = defineStatement(
  'bind_booking',
  `with outdated as (
     delete from epos_bookings
     where account_id = $1 and environment = $2 and kind = $3 and epos_id = $5 and service_id <> $4
   )
   insert into epos_bookings (account_id, environment, kind, service_id, epos_id, may_exist, created_at, keep_until)
   values ($1, $2, $3, $4, $5, true, $6, $7)
   on conflict (account_id, environment, kind, service_id) do update
     set epos_id = excluded.epos_id, keep_until = greatest(epos_bookings.keep_until, excluded.keep_until)
   returning service_id`,
);

// Each transaction that changes both relations locks the owner of a booking before the booking.

const LOCK_OWNER = defineStatement(
  'lock_booking_owner',
  `select service_id from epos_booking_owners
   where account_id = $1 and environment = $2 and kind = $3 and epos_id = $4 for update`,
);

const DELETE_OWNER = defineStatement(
  'delete_booking_owner',
  `delete from epos_booking_owners
   where account_id = $1 and environment = $2 and kind = $3 and epos_id = $4 returning service_id`,
);

const DELETE = defineStatement(
  'delete_booking',
  `delete from epos_bookings where account_id = $1 and environment = $2 and kind = $3 and epos_id = $4
   returning service_id`,
);

const BOUND = defineStatement(
  'list_bound_ids',
  `select epos_id from epos_bookings
   where account_id = $1 and environment = $2 and kind = $3 and epos_id = any ($4::text[])`,
);

/** Stores a booking that is to be created, unless it is stored. */
export async function putBooking(tx: Tx, { kind, serviceId }: BookingKey, keepUntil: Date): Promise<void> {
  await tx.query(PUT, [...scopeOf(tx), kind, serviceId, tx.databaseNow, keepUntil]);
}

/**
 * Gives the caller the right to create or change the booking for a time. Refuses `idempotency_in_progress` while another
 * request has it.
 */
export async function claimBooking(
  tx: Tx,
  { kind, serviceId }: BookingKey,
  { leaseMs, keepUntil }: { readonly leaseMs: number; readonly keepUntil: Date },
): Promise<BookingClaim> {
  const lease = { until: new Date(tx.databaseNow.getTime() + leaseMs) };
  const rows = await tx.query<{ epos_id: string | null; may_exist: boolean; created_at: Date }>(CLAIM, [
    ...[...scopeOf(tx), kind, serviceId],
    ...[tx.databaseNow, lease.until, keepUntil],
  ]);
  const [row] = rows;
  if (row === undefined) throw createInProgressRefusal();
  return { eposId: row.epos_id, mayExist: row.may_exist, requestedAt: row.created_at, lease };
}

/** What is stored of a booking, which no request begins to create or change until the transaction ends. Null: nothing. */
export async function lockBooking(tx: Tx, { kind, serviceId }: BookingKey): Promise<LockedBooking | null> {
  type Row = { readonly epos_id: string | null; readonly may_exist: boolean; readonly is_leased: boolean };
  const [row] = await tx.query<Row>(LOCK, [...scopeOf(tx), kind, serviceId, tx.databaseNow]);
  return row === undefined ? null : { eposId: row.epos_id, mayExist: row.may_exist, isLeased: row.is_leased };
}

/**
 * Ends the right to create or change the booking. `mayExist`: whether a request may have created it. False, and nothing
 * is changed, if the right has ended before.
 */
export async function releaseBooking(
  tx: Tx,
  { kind, serviceId }: BookingKey,
  { lease, mayExist }: { readonly lease: BookingLease; readonly mayExist: boolean },
): Promise<boolean> {
  return (await tx.query(RELEASE, [...scopeOf(tx), kind, serviceId, mayExist, lease.until])).length > 0;
}

/**
 * Stores the id that the EPOS has for the booking. False if the booking of the EPOS belongs to another request. Only an id
 * that was bound before this booking was requested, and that the EPOS names as the one it has created, changes its owner.
 */
export async function bindBooking(
  tx: Tx,
  { kind, serviceId }: BookingKey,
  { eposId, keepUntil, requestedAt }: BookingBinding,
): Promise<boolean> {
  const owned = await tx.query(OWN, [...scopeOf(tx), kind, eposId, serviceId, tx.databaseNow, requestedAt]);
  if (owned.length === 0) return false;
  await tx.query(BIND, [...scopeOf(tx), kind, serviceId, eposId, tx.databaseNow, keepUntil]);
  return true;
}

/** What is stored of a booking, or null. */
export async function findBooking(reader: Reader, { kind, serviceId }: BookingKey): Promise<StoredBooking | null> {
  const row = await findRow(reader, eposBookings, { where: { kind, service_id: serviceId } });
  return row === null ? null : { eposId: row.epos_id, mayExist: row.may_exist };
}

/** The service's id of a booking of the EPOS, or null. */
export async function findServiceId(reader: Reader, kind: BookingKind, eposId: string): Promise<string | null> {
  const row = await findRow(reader, eposBookings, { where: { kind, epos_id: eposId } });
  return row?.service_id ?? null;
}

/** The ids among these that a booking of the service has. */
export async function listBoundIds(
  reader: Reader,
  kind: BookingKind,
  eposIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.query<{ epos_id: string }>(BOUND, [...scopeOf(reader), kind, [...eposIds]]);
  return new Set(rows.map(({ epos_id: eposId }) => eposId));
}

/** Call it before the booking is changed, in a transaction that deletes it afterwards. */
export async function lockBookingOwner(tx: Tx, kind: BookingKind, eposId: string): Promise<void> {
  await tx.query(LOCK_OWNER, [...scopeOf(tx), kind, eposId]);
}

/** Deletes what is stored of a booking that the EPOS has deleted. Returns the service's ids of it. */
export async function deleteBooking(tx: Tx, kind: BookingKind, eposId: string): Promise<readonly string[]> {
  await tx.query(DELETE_OWNER, [...scopeOf(tx), kind, eposId]);
  const rows = await tx.query<{ service_id: string }>(DELETE, [...scopeOf(tx), kind, eposId]);
  return rows.map(({ service_id: serviceId }) => serviceId);
}

function scopeOf({ scope }: Pick<Reader, 'scope'>): [string, string] {
  return [scope.accountId, scope.environment];
}
