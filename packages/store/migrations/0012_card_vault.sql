-- Payments that a payer makes with a card of his own, and the cards that are kept of them.

-- What a payer's client submitted: whose money it is about, and by which one-time secret. Its call to the acquirer has
-- the same reference. A secret begins one attempt, whatever comes at once.
create table online_attempts (
  account_id text not null,
  environment text not null,
  reference text not null,
  intent_id text,
  setup_intent_id text,
  secret_hash bytea not null,
  -- Account time: until then the payer may come back from a challenge.
  secret_expire_at timestamptz not null,
  -- Of the card that is kept with the attempt, or was charged by it.
  card_id text,
  created_at timestamptz not null,
  primary key (account_id, environment, reference),
  check (num_nonnulls(intent_id, setup_intent_id) = 1),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);
create unique index online_attempts_by_secret on online_attempts (account_id, environment, secret_hash);
create index online_attempts_of_intent on online_attempts (account_id, environment, intent_id, created_at);
create index online_attempts_of_card on online_attempts (account_id, environment, card_id);

-- A card in the vault as anybody may know it. What the number is, only schema vault says.
create table saved_cards (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  state text not null check (state in ('Pending', 'Stored', 'Erased')),
  customer_id text,
  setup_intent_id text,
  acquirer_reference text not null,
  -- Eight digits, four asterisks and four digits, or fewer digits of a shorter number: a whole number does not fit the form.
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
create index saved_cards_of_customer on saved_cards (account_id, environment, customer_id, created_at);
create index saved_cards_of_setup_intent on saved_cards (account_id, environment, setup_intent_id);
create index saved_cards_of_attempt on saved_cards (account_id, environment, acquirer_reference);

-- Ciphertext only. Each number is sealed under a key of its own, which is sealed under the master key that key_id names.
create table vault.card_numbers (
  account_id text not null,
  environment text not null,
  card_id text not null,
  key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  primary key (account_id, environment, card_id)
);
-- Which numbers are still under an old master key.
create index card_numbers_by_key on vault.card_numbers (key_id);
