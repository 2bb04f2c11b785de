import { EVENTS_KEPT_MS } from '@pos/core/webhooks';
import { BOOKING_KINDS, type BookingKind } from '@pos/core/bookings';
import { DAY_MS } from '@pos/core/time';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

const BOOKINGS_MAX = 200;
const CLAIMS_MAX = 200;
/** A payment whose money is not released by then rarely is later. */
const CLAIM_CHECK_INTERVAL_MS = 180 * DAY_MS;

/** Until when the ids of a booking are kept: as long as events after its end. Account time. */
export function computeBookingKeptUntil(now: Date, ...ends: readonly (Date | undefined)[]): Date {
  const last = Math.max(now.getTime(), ...ends.map((end) => end?.getTime() ?? 0));
  return new Date(last + EVENTS_KEPT_MS);
}

const OLD_BOOKINGS = defineStatement(
  'list_expired_bookings',
  `select kind, service_id, epos_id from epos_bookings
   where account_id = $1 and environment = $2 and keep_until <= $3 order by keep_until limit ${BOOKINGS_MAX}
   for update skip locked`,
);

const DELETE_OWNERS = defineStatement(
  'delete_owners_of_expired_bookings',
  `with free as materialized (
     select epos_id from epos_booking_owners
     where account_id = $1 and environment = $2 and kind = $3 and epos_id = any ($4::text[])
       and service_id = any ($5::text[])
     for update skip locked
   )
   delete from epos_booking_owners o using free
   where o.account_id = $1 and o.environment = $2 and o.kind = $3 and o.epos_id = free.epos_id
   returning o.epos_id`,
);

const DELETE_BOOKINGS = defineStatement(
  'delete_expired_bookings',
  `delete from epos_bookings b
   where b.account_id = $1 and b.environment = $2 and b.kind = $3 and b.service_id = any ($4::text[])
     and not exists (select from epos_booking_owners o
       where o.account_id = $1 and o.environment = $2 and o.kind = $3 and o.epos_id = b.epos_id
         and o.service_id = b.service_id)
   returning b.service_id`,
);

/**
 * Deletes the ids of bookings that are over. It waits for no owner that another request has locked, because that request
 * locks the booking next: such a booking is deleted with the next run. True if there may be more.
 */
export async function deleteExpiredBookings(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  type Row = { readonly kind: BookingKind; readonly service_id: string; readonly epos_id: string | null };
  const old = await tx.query<Row>(OLD_BOOKINGS, [accountId, environment, tx.now]);
  let deletedCount = 0;
  for (const kind of BOOKING_KINDS) {
    const rows = old.filter((row) => row.kind === kind);
    const serviceIds = rows.map(({ service_id: id }) => id);
    const eposIds = rows.flatMap(({ epos_id: id }) => id ?? []);
    if (serviceIds.length === 0) continue;
    await tx.query(DELETE_OWNERS, [accountId, environment, kind, eposIds, serviceIds]);
    deletedCount += (await tx.query(DELETE_BOOKINGS, [accountId, environment, kind, serviceIds])).length;
  }
  return deletedCount === BOOKINGS_MAX;
}

const CHECK_CLAIMS = defineStatement(
  'delete_settled_deposit_claims',
  `with due as materialized (
     select intent_id from deposit_claims
     where account_id = $1 and environment = $2 and check_at <= $3 order by check_at limit ${CLAIMS_MAX}
     for update skip locked
   ), gone as (
     delete from deposit_claims c using due
     where c.account_id = $1 and c.environment = $2 and c.intent_id = due.intent_id
       and exists (select from payment_intents i
         where i.account_id = $1 and i.environment = $2 and i.id = due.intent_id
           and i.status in ('Reversed', 'Canceled'))
     returning c.intent_id
   ), kept as (
     update deposit_claims c set check_at = $4 from due
     where c.account_id = $1 and c.environment = $2 and c.intent_id = due.intent_id
       and exists (select from payment_intents i
         where i.account_id = $1 and i.environment = $2 and i.id = due.intent_id
           and i.status not in ('Reversed', 'Canceled'))
     returning c.intent_id
   )
   select intent_id from due`,
);

/**
 * Deletes the claims of payments that have no money for good, which cannot be a deposit or pay a bill any more. A refund
 * may be undone: the claims of refunded and other payments are kept as long as their payments. True if there may be more.
 */
export async function deleteSettledDepositClaims(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const next = new Date(tx.now.getTime() + CLAIM_CHECK_INTERVAL_MS);
  return (await tx.query(CHECK_CLAIMS, [accountId, environment, tx.now, next])).length === CLAIMS_MAX;
}
