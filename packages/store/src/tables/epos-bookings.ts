import type { BookingKind } from '@pos/core/tables/bookings/booking';
import { createInProgressRefusal } from '../idempotency/idempotency-keys.js';
import { defineStatement } from '../postgres/statement.js';
import { column, defineRelation, enumKeyColumn, findRow, nullable } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const eposBookings = defineRelation('epos_bookings', {
  kind: enumKeyColumn<BookingKind>(),
  service_id: column.key,
  epos_id: nullable(column.text),
  may_exist: column.boolean,
  leased_until: nullable(column.timestamp),
  created_at: column.timestamp,
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
}

const PUT = defineStatement(
  'epos_booking_put',
  `insert into epos_bookings (account_id, environment, kind, service_id, may_exist, created_at)
   values ($1, $2, $3, $4, false, $5) on conflict (account_id, environment, kind, service_id) do nothing
   returning service_id`,
);

const CLAIM = defineStatement(
  'epos_booking_claim',
  `update epos_bookings booking set may_exist = true, leased_until = $6
   from (select epos_id, may_exist from epos_bookings
     where account_id = $1 and environment = $2 and kind = $3 and service_id = $4
       and (leased_until is null or leased_until <= $5) for update) before
   where booking.account_id = $1 and booking.environment = $2 and booking.kind = $3 and booking.service_id = $4
   returning before.epos_id, before.may_exist`,
);

const RELEASE = defineStatement(
  'epos_booking_release',
  `update epos_bookings set may_exist = $5, leased_until = null
   where account_id = $1 and environment = $2 and kind = $3 and service_id = $4 returning service_id`,
);

/** An EPOS may give the id of a party that has left to another one: the newest has it. */
const BIND = defineStatement(
  'epos_booking_bind',
  `with outdated as (
     delete from epos_bookings
     where account_id = $1 and environment = $2 and kind = $3 and epos_id = $5 and service_id <> $4
   )
   insert into epos_bookings (account_id, environment, kind, service_id, epos_id, may_exist, created_at)
   values ($1, $2, $3, $4, $5, true, $6)
   on conflict (account_id, environment, kind, service_id) do update set epos_id = excluded.epos_id, leased_until = null
   returning service_id`,
);

const DELETE = defineStatement(
  'epos_booking_delete',
  `delete from epos_bookings where account_id = $1 and environment = $2 and kind = $3 and epos_id = $4
   returning service_id`,
);

const BOUND = defineStatement(
  'epos_bookings_bound',
  `select epos_id from epos_bookings
   where account_id = $1 and environment = $2 and kind = $3 and epos_id = any ($4::text[])`,
);

/** Stores a booking that is to be created, unless it is stored. */
export async function putBooking(tx: Tx, { kind, serviceId }: BookingKey): Promise<void> {
  await tx.query(PUT, [...scopeOf(tx), kind, serviceId, tx.databaseNow]);
}

/**
 * Gives the caller the right to create the booking for a time. Refuses `idempotency_in_progress` while another request
 * has it.
 */
export async function claimBooking(tx: Tx, { kind, serviceId }: BookingKey, leaseMs: number): Promise<BookingClaim> {
  const until = new Date(tx.databaseNow.getTime() + leaseMs);
  const rows = await tx.query<{ epos_id: string | null; may_exist: boolean }>(CLAIM, [
    ...[...scopeOf(tx), kind, serviceId],
    ...[tx.databaseNow, until],
  ]);
  const [row] = rows;
  if (row === undefined) throw createInProgressRefusal();
  return { eposId: row.epos_id, mayExist: row.may_exist };
}

/** Ends the right to create the booking. `mayExist`: whether a request may have created it. */
export async function releaseBooking(tx: Tx, { kind, serviceId }: BookingKey, mayExist: boolean): Promise<void> {
  await tx.query(RELEASE, [...scopeOf(tx), kind, serviceId, mayExist]);
}

/** Stores the id that the EPOS has for the booking, and ends the right to create it. */
export async function bindBooking(tx: Tx, { kind, serviceId }: BookingKey, eposId: string): Promise<void> {
  await tx.query(BIND, [...scopeOf(tx), kind, serviceId, eposId, tx.databaseNow]);
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

/** Deletes what is stored of a booking that the EPOS has deleted. */
export async function deleteBooking(tx: Tx, kind: BookingKind, eposId: string): Promise<void> {
  await tx.query(DELETE, [...scopeOf(tx), kind, eposId]);
}

function scopeOf({ scope }: Pick<Reader, 'scope'>): [string, string] {
  return [scope.accountId, scope.environment];
}
