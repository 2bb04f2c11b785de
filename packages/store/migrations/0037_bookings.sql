-- Ids of reservations and parties at the EPOS. Their content is at the EPOS only.

create table epos_bookings (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null check (kind in ('Reservation', 'Party')),
  service_id text not null,
  epos_id text,
  may_exist boolean not null,
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (account_id, environment, kind, service_id)
);
comment on table epos_bookings is 'The id of the service and the id of the EPOS of a reservation or a party (ADR 0130).';
comment on column epos_bookings.epos_id is 'Null until the EPOS has answered the call that creates it.';
comment on column epos_bookings.may_exist is 'Whether a call that creates it was sent: a repeat first searches for it.';
comment on column epos_bookings.leased_until is 'Until when a running request has the right to create it; database time.';
create index epos_bookings_by_epos_id on epos_bookings (account_id, environment, kind, epos_id);
