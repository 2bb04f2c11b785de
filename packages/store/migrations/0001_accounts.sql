-- Who we serve, with which keys, at what time of their sandbox, and what was already answered.
-- account_id and environment lead every key, so the same schema runs on one server and distributed by account_id.

create table accounts (
  account_id text primary key,
  name text not null,
  trading_name text not null,
  location_id text not null,
  merchant_id text not null,
  settings jsonb not null,
  currencies text[] not null,
  created_at timestamptz not null
);

-- Account time = database time + offset, or the standing time while a seeded sandbox stands still.
create table sandbox_clocks (
  account_id text not null,
  environment text not null check (environment = 'sandbox'),
  offset_ms bigint not null check (offset_ms >= 0),
  standing_at timestamptz,
  -- One advance at a time: who advances renews this lease (database time).
  advance_leased_until timestamptz,
  advance_fence bigint not null,
  primary key (account_id, environment)
);

-- Only seeded installations count: their ids are a keyed hash of (seed, account, kind, counter).
create table id_counters (
  account_id text not null,
  environment text not null,
  kind text not null,
  last bigint not null,
  primary key (account_id, environment, kind)
);

create table api_keys (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  hash bytea not null,
  prefix text not null,
  last4 text not null,
  label text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  last_used_at timestamptz,
  primary key (account_id, environment, id)
);
create index api_keys_by_hash on api_keys (hash);

create table idempotency_keys (
  account_id text not null,
  environment text not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null check (state in ('Running', 'Finished')),
  recovery_point text not null,
  leased_until timestamptz,
  answer_status integer,
  answer_ciphertext bytea,
  created_at timestamptz not null,
  keep_until timestamptz not null,
  primary key (account_id, environment, method, path, key),
  check (state = 'Running' or (answer_status is not null and answer_ciphertext is not null))
);
create index idempotency_keys_to_forget on idempotency_keys (account_id, environment, keep_until);
