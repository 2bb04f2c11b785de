-- Customers of an account with their short-lived secrets, and cards that are set up for one later payment.

create table customers (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  name text,
  email_address text,
  phone_number text,
  vat_number text,
  billing_address jsonb,
  shipping_address jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (account_id, environment, id),
  -- Of a deleted customer nothing is kept but that there was one.
  check (deleted_at is null or num_nonnulls(name, email_address, phone_number, vat_number, billing_address,
    shipping_address) = 0)
);
create index customers_newest on customers (account_id, environment, created_at desc, id desc) where deleted_at is null;

-- Good for reading and deleting one customer's saved cards; only the keyed hash is kept.
create table customer_secrets (
  account_id text not null,
  environment text not null,
  id text not null,
  customer_id text not null,
  hash bytea not null,
  created_at timestamptz not null,
  expire_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, customer_id) references customers (account_id, environment, id)
);
create index customer_secrets_of on customer_secrets (account_id, environment, customer_id);

create table setup_intents (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  status text not null
    check (status in ('Created', 'Authorized', 'Expired', 'CardExpired', 'Canceled', 'Completed', 'Closed')),
  merchant_initiated_transaction_type text not null
    check (merchant_initiated_transaction_type in ('NoShow', 'Unscheduled')),
  terms text not null,
  intended_amount bigint check (intended_amount > 0),
  intended_currency text check (intended_currency ~ '^[A-Z]{3}$'),
  reference text not null,
  description text,
  payment_methods text[] not null,
  payment_source text not null,
  expire_at timestamptz not null,
  card_expire_at timestamptz,
  secret_hash bytea,
  secret_ciphertext bytea,
  secret_expire_at timestamptz,
  metadata jsonb not null,
  details jsonb not null,
  payment_details jsonb,
  -- Head of the chain of this setup's events.
  chain_head bytea not null,
  chain_length integer not null check (chain_length >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check ((intended_amount is null) = (intended_currency is null)),
  -- A card is kept while it may be charged, a secret while the payer may use it.
  check (card_expire_at is null or status in ('Created', 'Authorized')),
  check (secret_expire_at is null or status = 'Created')
);
-- Hosted checkout knows a setup intent's id and no account.
create index setup_intents_by_id on setup_intents (id);

-- Insert-only; number is the position in the setup's chain.
create table setup_events (
  account_id text not null,
  environment text not null,
  setup_intent_id text not null,
  number integer not null check (number > 0),
  event_type text not null,
  occurred_at timestamptz not null,
  details jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, environment, setup_intent_id, number),
  foreign key (account_id, environment, setup_intent_id) references setup_intents (account_id, environment, id)
);
