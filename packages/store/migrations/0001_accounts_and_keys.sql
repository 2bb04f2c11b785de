-- Accounts, their locations and API keys, answers to idempotency keys, clocks and counters, rate limits, and partners.
-- account_id and environment lead every key, so that the schema runs on one server or distributed by account_id.

create table accounts (
  account_id text primary key,
  name text not null,
  trading_name text not null,
  location_id text not null,
  merchant_id text not null,
  settings jsonb not null,
  currencies text[] not null,
  saq_d_valid_until timestamptz,
  created_at timestamptz not null,
  status text not null default 'Active' check (status in ('Active', 'Disabled')),
  status_changed_at timestamptz,
  status_reason text
);
comment on table accounts is 'A merchant. The only relation whose rows belong to both environments.';
comment on column accounts.merchant_id is 'Names the account at every acquirer for which the setting merchantIds has no number.';
comment on column accounts.saq_d_valid_until is 'End of the attestation (SAQ-D) that lets the keys of the account send card numbers; null: none.';
comment on column accounts.status is 'The keys of a disabled account are refused.';
comment on column accounts.status_changed_at is 'With status_reason: the last change of the status; null: none.';

create table locations (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  name text not null,
  address text,
  phone_number text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  time_zone text not null default 'UTC',
  primary key (account_id, environment, id)
);
comment on table locations is 'The premises of an account. accounts.location_id names the first one, which has one id in both environments.';
comment on column locations.time_zone is 'A name of the IANA database: receipts, settlement days and calendar-day rules use it. The wire stays UTC.';

create table api_keys (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  hash bytea not null,
  pepper_id bytea not null,
  prefix text not null,
  last4 text not null,
  label text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  last_used_at timestamptz,
  strict boolean not null default false,
  primary key (account_id, environment, id)
);
comment on table api_keys is 'API keys. Only the keyed hash of a key is stored.';
comment on column api_keys.pepper_id is 'Names the pepper that the hash is made with.';
comment on column api_keys.strict is 'Unknown members of requests that move money are refused.';
-- A request brings a key and no account.
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
comment on table idempotency_keys is 'Requests that are answered once. Path and key are keyed hashes: both are text of the caller.';
comment on column idempotency_keys.recovery_point is 'Where an operation of several transactions continues after a crash.';
create index idempotency_keys_to_forget on idempotency_keys (account_id, environment, keep_until);

create table sandbox_clocks (
  account_id text not null,
  environment text not null check (environment = 'sandbox'),
  offset_ms bigint not null check (offset_ms >= 0),
  standing_at timestamptz,
  advance_leased_until timestamptz,
  advance_fence bigint not null,
  primary key (account_id, environment)
);
comment on table sandbox_clocks is 'Account time: database time plus the offset, or the standing time of a seeded sandbox.';
comment on column sandbox_clocks.advance_leased_until is 'One advance runs at a time and renews this lease (database time).';

create table id_counters (
  account_id text not null,
  environment text not null,
  kind text not null,
  last bigint not null,
  primary key (account_id, environment, kind)
);
comment on table id_counters is 'Counters of seeded installations, whose ids are a keyed hash of seed, account, kind and counter.';

create table key_checks (
  purpose text not null check (purpose in ('KEY_PEPPER', 'ENCRYPTION_KEY')),
  hash bytea not null,
  state text not null check (state in ('Next', 'Current', 'Previous', 'Retired')),
  changed_at timestamptz not null,
  primary key (purpose, hash)
);
comment on table key_checks is 'Check values of the keys that the database is used with. A key that is replaced is accepted first (Next), then writes (Current) while its predecessor is accepted (Previous), and is refused last (Retired).';
create unique index key_checks_one_of_a_state on key_checks (purpose, state) where state in ('Current', 'Previous');

create unlogged table token_buckets (
  name bytea primary key,
  burst double precision not null,
  per_second double precision not null,
  spent integer not null,
  wanted integer not null,
  granted integer not null,
  tokens double precision not null,
  updated_at timestamptz not null
) with (fillfactor = 50);
comment on table token_buckets is 'Rate limits that all processes of an app share (ADR 0059). Unlogged: after a crash of the server every bucket is full.';
comment on column token_buckets.name is 'Hash of the key, the address or the intent that the bucket belongs to.';
comment on column token_buckets.spent is 'With wanted and granted: the last request of a process and its answer.';

create table partners (
  kind text not null check (kind in ('software-house', 'reseller')),
  id text not null check (length(id) between 1 and 100),
  name text not null check (length(name) between 1 and 100),
  contact text check (length(contact) between 1 and 200),
  status text not null check (status in ('Active', 'Retired')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (kind, id)
);
comment on table partners is 'The software houses and resellers that operators have registered, for all accounts. Never deleted: rows and reports name them.';
comment on column partners.id is 'What requests send in the header software-house-id or reseller-id.';

create table partner_registry (
  id integer primary key check (id = 1),
  revision bigint not null check (revision > 0),
  enforced boolean not null
);
comment on table partner_registry is 'One row. Every node has it, because the lookup of an API key reads the revision.';
comment on column partner_registry.revision is 'Grows with every change of a partner and of enforced, so that a process reads the partners again only after a change.';
comment on column partner_registry.enforced is 'Whether production requests that name another partner are refused. An operator switches it off and on.';

-- In a new installation production requests that name another partner are refused.
insert into partner_registry (id, revision, enforced) values (1, 1, true);

-- A change that must hit one row ends the transaction otherwise, however many statements follow it in the pipeline.
create function exactly_one(changed bigint, of_table text) returns void language plpgsql as $$
begin
  if changed <> 1 then
    raise exception using errcode = 'PS001',
      message = format('%s rows of %s were changed instead of one: another transaction changed it after it was read',
        changed, of_table);
  end if;
end
$$;
