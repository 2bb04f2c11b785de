-- How the EPOS of an account is reached, its bookings and their deposits, and the runs of the EPOS tester.

create table epos_integrations (
  account_id text not null,
  environment text not null,
  kind text not null check (kind in ('grpc', 'rest', 'ws', 'service')),
  url text,
  username text,
  password_ciphertext bytea,
  capabilities jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, environment, kind)
);
comment on table epos_integrations is 'Registrations of an EPOS, one per transport; service: the transport is managed by the operators.';
comment on column epos_integrations.capabilities is 'The capabilities as the EPOS registered them, each with the time of its registration.';

create table epos_bookings (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null check (kind in ('Reservation', 'Party')),
  service_id text not null,
  epos_id text,
  may_exist boolean not null,
  leased_until timestamptz,
  created_at timestamptz not null,
  keep_until timestamptz not null,
  primary key (account_id, environment, kind, service_id)
);
comment on table epos_bookings is 'The id of the service and the id of the EPOS of a reservation or a party (ADR 0130).';
comment on column epos_bookings.epos_id is 'Null until the EPOS has answered the call that creates it.';
comment on column epos_bookings.may_exist is 'Whether a call that creates it was sent: a repeat first searches for it.';
comment on column epos_bookings.leased_until is 'Until when a running request has the right to create it; database time.';
comment on column epos_bookings.keep_until is 'When the row is deleted; account time.';
create index epos_bookings_by_epos_id on epos_bookings (account_id, environment, kind, epos_id);
create index epos_bookings_by_retention on epos_bookings (account_id, environment, keep_until);

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
  starts_at timestamptz not null,
  primary key (account_id, environment, intent_id)
);
comment on table deposit_claims is 'The party that a payment is the deposit of: it pays no bill, no order and for no other party (ADR 0137).';
comment on column deposit_claims.service_id is 'The id of the service of the party; its row in epos_bookings may be deleted before the claim.';
comment on column deposit_claims.amount is 'The part of the deposit that this payment covers. Less must not stay of it while the claim holds it.';
comment on column deposit_claims.held_until is 'Until when the money is not returned; account time.';
comment on column deposit_claims.ended_at is 'When the party left with its deposit: the claim is not released any more.';
comment on column deposit_claims.check_at is 'When it is next checked whether the payment has no money left, so that the claim can be deleted; account time.';
comment on column deposit_claims.starts_at is 'The earliest time at which the party may arrive; account time.';
create index deposit_claims_of_party on deposit_claims (account_id, environment, service_id);
create index deposit_claims_by_check on deposit_claims (account_id, environment, check_at);

create table tester_runs (
  account_id text not null,
  environment text not null,
  id text not null,
  flow text not null,
  status text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  steps jsonb not null,
  params jsonb not null,
  primary key (account_id, environment, id)
);
comment on table tester_runs is 'Runs of the EPOS tester with their steps.';
create index tester_runs_newest on tester_runs (account_id, environment, started_at desc, id desc);
