-- Payment intents, what happened to them, and every call to the acquirer. Amounts are whole minor units.

create table payment_intents (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  status text not null check (status in ('Created', 'Authorized', 'Captured', 'Reversed', 'Refunded', 'Canceled')),
  capture_mode text not null check (capture_mode in ('Auto', 'Manual')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  requested_amount bigint,
  tips_amount bigint check (tips_amount >= 0),
  cashback_amount bigint check (cashback_amount >= 0),
  service_charge_amount bigint check (service_charge_amount >= 0),
  authorized bigint not null check (authorized >= 0),
  pending_capture bigint not null check (pending_capture >= 0),
  captured bigint not null check (captured >= 0),
  pending_refund bigint not null check (pending_refund >= 0),
  refunded bigint not null check (refunded >= 0),
  authorized_at timestamptz,
  captured_at timestamptz,
  reference text not null,
  description text,
  card_holder_not_present boolean not null,
  payment_methods text[] not null,
  payment_source text not null,
  setup_intent_id text,
  auto_expire_action text check (auto_expire_action in ('Release', 'Capture')),
  auto_expire_in_ms bigint,
  expire_at timestamptz not null,
  secret_hash bytea,
  secret_ciphertext bytea,
  secret_expire_at timestamptz,
  metadata jsonb not null,
  details jsonb not null,
  payment_details jsonb,
  -- Head of the chain of this intent's events and ledger entries; here, so that it costs no lock of its own.
  chain_head bytea not null,
  chain_length integer not null check (chain_length >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check (captured + pending_capture <= authorized),
  check (refunded + pending_refund <= captured)
);
-- Hosted checkout knows an intent's id and no account.
create index payment_intents_by_id on payment_intents (id);
create index payment_intents_newest on payment_intents (account_id, environment, created_at desc, id desc);

-- Insert-only; number is the position in the intent's chain, shared with its ledger entries.
create table payment_events (
  account_id text not null,
  environment text not null,
  intent_id text not null,
  number integer not null check (number > 0),
  event_type text not null,
  occurred_at timestamptz not null,
  details jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, environment, intent_id, number),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);

create table acquirer_calls (
  account_id text not null,
  environment text not null,
  reference text not null,
  kind text not null,
  original_reference text,
  intent_id text,
  terminal_session_id text,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null
    check (state in ('Prepared', 'Sent', 'Challenged', 'Approved', 'Declined', 'Unknown', 'Settled')),
  outcome text,
  deadline_at timestamptz not null,
  reverse_reference text,
  result jsonb,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, reference)
);
create index acquirer_calls_of_intent on acquirer_calls (account_id, environment, intent_id, created_at);
create index acquirer_calls_of_session on acquirer_calls (account_id, environment, terminal_session_id);
