-- Customers, setup intents, saved cards, and the attempts and pages of payers.

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
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  written_in xid8 not null default pg_current_xact_id(),
  primary key (account_id, environment, id),
  check (deleted_at is null or num_nonnulls(name, email_address, phone_number, vat_number, billing_address,
    shipping_address) = 0)
);
comment on table customers is 'Customers of an account. The row of a deleted customer keeps no personal data.';
create index customers_newest on customers (account_id, environment, created_at desc, id desc) where deleted_at is null;
create index customers_written on customers (account_id, environment, written_in);
create index customers_by_name on customers (account_id, environment, lower(name) text_pattern_ops)
  where deleted_at is null;
create index customers_by_email_address on customers
  (account_id, environment, lower(email_address) text_pattern_ops) where deleted_at is null;

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
comment on table customer_secrets is 'Secrets that let a client read and delete the saved cards of one customer. Only the keyed hash is stored.';
create index customer_secrets_of on customer_secrets (account_id, environment, customer_id);
create index customer_secrets_by_expiry on customer_secrets (account_id, environment, expire_at);

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
  chain_head bytea not null,
  chain_length integer not null check (chain_length >= 0),
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check ((intended_amount is null) = (intended_currency is null)),
  check (card_expire_at is null or status in ('Created', 'Authorized')),
  check (secret_expire_at is null or status = 'Created')
);
comment on table setup_intents is 'A card that is authorised now and charged once later without the cardholder.';
comment on column setup_intents.chain_head is 'Head of the hash chain of the events of the setup intent.';
-- The hosted payment page knows the id of a setup intent and no account.
create index setup_intents_by_id on setup_intents (id);

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
comment on table setup_events is 'The history of a setup intent. Insert-only.';

create table online_attempts (
  account_id text not null,
  environment text not null,
  reference text not null,
  intent_id text,
  setup_intent_id text,
  secret_hash bytea,
  secret_expire_at timestamptz,
  card_id text,
  contacts jsonb,
  created_at timestamptz not null,
  primary key (account_id, environment, reference),
  check (num_nonnulls(intent_id, setup_intent_id) = 1),
  check ((secret_hash is null) = (secret_expire_at is null)),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  foreign key (account_id, environment, setup_intent_id) references setup_intents (account_id, environment, id)
);
comment on table online_attempts is 'One submission of a card. Its acquirer call has the same reference.';
comment on column online_attempts.secret_hash is 'The one-time secret that began the attempt; null: the merchant charged the card.';
comment on column online_attempts.secret_expire_at is 'Until then the payer may return from a challenge (account time).';
comment on column online_attempts.card_id is 'The card that is saved with the attempt, or that the attempt charged.';
comment on column online_attempts.contacts is 'What the payer entered beside the card; an approval copies it to the intent and the end of the attempt clears it.';
-- A secret begins one attempt, however many requests arrive at once.
create unique index online_attempts_by_secret on online_attempts (account_id, environment, secret_hash);
create index online_attempts_of_intent on online_attempts (account_id, environment, intent_id, created_at);
create index online_attempts_of_setup_intent
  on online_attempts (account_id, environment, setup_intent_id, created_at);
create index online_attempts_of_card on online_attempts (account_id, environment, card_id);

create table page_secrets (
  account_id text not null,
  environment text not null,
  secret_hash bytea not null,
  intent_id text,
  setup_intent_id text,
  total bigint,
  currency text,
  used_by text,
  created_at timestamptz not null,
  expire_at timestamptz not null,
  primary key (account_id, environment, secret_hash),
  check (num_nonnulls(intent_id, setup_intent_id) = 1),
  check (num_nonnulls(total, currency) in (0, 2)),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  foreign key (account_id, environment, setup_intent_id) references setup_intents (account_id, environment, id)
);
comment on table page_secrets is 'One-time secrets of payment pages, beside the secret of the intent itself. Only the keyed hash is stored.';
comment on column page_secrets.total is 'What the page showed, in minor units: the secret pays no other total. Null for a setup intent.';
comment on column page_secrets.used_by is 'The reference of the attempt that used the secret up; null: it is unused. A used one proves who has paid.';
create index page_secrets_of_intent on page_secrets (account_id, environment, intent_id) where intent_id is not null;
create index page_secrets_of_setup_intent
  on page_secrets (account_id, environment, setup_intent_id) where setup_intent_id is not null;

create table saved_cards (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  state text not null check (state in ('Pending', 'Stored', 'Erased')),
  customer_id text,
  setup_intent_id text,
  acquirer_reference text not null,
  masked_number text not null check (masked_number ~ '^[0-9]{2,8}\*{4,10}[0-9]{4}$' and length(masked_number) = 16),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  scheme text,
  funding_type text not null,
  expiry_month integer not null check (expiry_month between 1 and 12),
  expiry_year integer not null check (expiry_year between 2000 and 9999),
  cardholder_name text not null,
  stored_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check ((state = 'Stored') <= (stored_at is not null))
);
comment on table saved_cards is 'A card in the vault without its number.';
comment on column saved_cards.masked_number is 'At most eight leading digits, asterisks and the last four digits: a whole number violates the check.';
create index saved_cards_of_customer on saved_cards (account_id, environment, customer_id, created_at);
create index saved_cards_of_setup_intent on saved_cards (account_id, environment, setup_intent_id);
create index saved_cards_of_attempt on saved_cards (account_id, environment, acquirer_reference);
