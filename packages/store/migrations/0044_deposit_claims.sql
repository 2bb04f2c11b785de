-- A payment is the deposit of one party, and a booking of the EPOS belongs to one creation.

create table deposit_claims (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  intent_id text not null,
  service_id text not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  held_until timestamptz not null,
  ended_at timestamptz,
  claimed_at timestamptz not null,
  check_at timestamptz not null,
  primary key (account_id, environment, intent_id)
);
comment on table deposit_claims is 'The party that a payment is the deposit of: it pays no bill, no order and for no other party (ADR 0137).';
comment on column deposit_claims.service_id is 'The id of the service of the party; its row in epos_bookings may be deleted before the claim.';
comment on column deposit_claims.amount is 'The part of the deposit that this payment covers. Less must not stay of it while the claim holds it.';
comment on column deposit_claims.held_until is 'Until when the money is not returned; account time.';
comment on column deposit_claims.ended_at is 'When the party left with its deposit: the claim is not released any more.';
comment on column deposit_claims.check_at is 'When it is next checked whether the payment has no money left, so that the claim can be deleted; account time.';
create index deposit_claims_of_party on deposit_claims (account_id, environment, service_id);
create index deposit_claims_by_check on deposit_claims (account_id, environment, check_at);

create table epos_booking_owners (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null check (kind in ('Reservation', 'Party')),
  epos_id text not null,
  service_id text not null,
  bound_at timestamptz not null,
  primary key (account_id, environment, kind, epos_id)
);
comment on table epos_booking_owners is 'The one booking of the service that a booking of the EPOS belongs to.';
comment on column epos_booking_owners.bound_at is 'When it was bound to that booking; database time.';

alter table epos_bookings add column keep_until timestamptz;
comment on column epos_bookings.keep_until is 'When the row is deleted; account time. Null: written by an earlier release.';
