-- Paying at the table: the EPOSes, who holds which bill, and what was taken for it.

create table epos_integrations (
  account_id text not null,
  environment text not null,
  kind text not null check (kind in ('grpc', 'rest', 'ws')),
  url text,
  username text,
  password_ciphertext bytea,
  capabilities jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, environment, kind)
);

-- expires_at is database time: a lease is a deadline.
create table session_leases (
  account_id text not null,
  environment text not null,
  lease_id text not null,
  session_id text not null,
  owner text not null,
  requestor jsonb not null,
  waiter_id integer,
  state text not null check (state in ('Held', 'Lost', 'Released', 'Forced')),
  epos_locked boolean not null,
  lock_id text,
  open_payments integer not null check (open_payments >= 0),
  acquired_at timestamptz not null,
  expires_at timestamptz not null,
  version integer not null,
  released_at timestamptz,
  primary key (account_id, environment, lease_id)
);
create unique index session_leases_one_open on session_leases (account_id, environment, session_id)
  where state in ('Held', 'Lost');

create table journeys (
  account_id text not null,
  environment text not null,
  id text not null,
  session_id text not null,
  session_name text not null,
  lease_id text not null,
  owner text not null,
  requestor jsonb not null,
  state text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  bill jsonb not null,
  bill_read_at timestamptz not null,
  plan jsonb not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, environment, id)
);
create index journeys_of_session on journeys (account_id, environment, session_id, created_at);
create index journeys_of_lease on journeys (account_id, environment, lease_id);

-- One part of a bill, paid by one card. All its times are database time: the runner goes by leases.
create table table_payments (
  account_id text not null,
  environment text not null,
  id text not null,
  origin text not null check (origin in ('journey', 'device')),
  journey_id text,
  lease_id text,
  session_id text not null,
  order_id text,
  intent_id text,
  terminal_session_id text,
  state text not null check (state in (
    'Started', 'Approved', 'Recording', 'RecordUnknown', 'Recorded', 'Refused', 'GivingBack', 'GivenBack', 'Ended',
    'NeedsOperator')),
  next_step text,
  due_at timestamptz,
  base_amount bigint not null check (base_amount >= 0),
  gratuity_amount bigint not null check (gratuity_amount >= 0),
  cashback_amount bigint not null check (cashback_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  message bytea,
  paid_before bigint,
  record_calls integer not null check (record_calls >= 0),
  is_unanswered boolean not null,
  first_unanswered_at timestamptz,
  doubt_at timestamptz,
  lock_rounds integer not null check (lock_rounds >= 0),
  tries integer not null check (tries >= 0),
  give_back_reference text,
  give_back_since timestamptz,
  given_back_at timestamptz,
  last_error text,
  since timestamptz not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
create index table_payments_of_journey on table_payments (account_id, environment, journey_id, created_at);
create index table_payments_of_session on table_payments (account_id, environment, terminal_session_id);
create index table_payments_of_intent on table_payments (account_id, environment, intent_id);
create index table_payments_open on table_payments (account_id, environment, since)
  where state not in ('Recorded', 'GivenBack', 'Ended');

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
create index tester_runs_newest on tester_runs (account_id, environment, started_at desc, id desc);

-- Card numbers will live here; only card-vault's login sees it.
create schema vault;
