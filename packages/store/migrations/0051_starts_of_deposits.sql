-- A party that cannot have come yet gives up its deposit when its EPOS does not have it, and present bookings of the EPOS
-- have an owner.

alter table deposit_claims add column starts_at timestamptz;
comment on column deposit_claims.starts_at is 'The earliest time at which the party may arrive; account time. Null: written by an earlier release.';

insert into epos_booking_owners (account_id, environment, kind, epos_id, service_id, bound_at)
select distinct on (account_id, environment, kind, epos_id)
  account_id, environment, kind, epos_id, service_id, clock_timestamp()
from epos_bookings where epos_id is not null
order by account_id, environment, kind, epos_id, created_at desc, service_id
on conflict (account_id, environment, kind, epos_id) do nothing;
