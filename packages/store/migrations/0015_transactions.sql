-- What integrators list as transactions: one line for each call to the acquirer that took, held or gave back money, or
-- tried to. It is written with the change of the payment that it tells of.
create table transactions (
  account_id text not null,
  environment text not null,
  id text not null check (id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  legacy_id bigint not null check (legacy_id > 0),
  acquirer_reference text not null,
  type text not null check (type in ('Sale', 'Refund', 'PreAuth', 'Collection')),
  status text not null check (status in ('Authorized', 'Declined', 'Held', 'UnderReview', 'Reversed',
    'AwaitingCollection', 'Released', 'Expired')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  tips_amount bigint not null check (tips_amount >= 0),
  cashback_amount bigint not null check (cashback_amount >= 0),
  auth_code text not null,
  card jsonb,
  is_charge boolean not null,
  intent_id text,
  reference text,
  payment_source text,
  -- The card machine with which the card was presented; null: there was none.
  terminal_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  unique (account_id, environment, acquirer_reference),
  unique (account_id, environment, legacy_id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
create index transactions_newest on transactions (account_id, environment, created_at desc, id desc);

-- The last number given to a line; raised right before the line is written, and that right before the commit.
create table transaction_counters (
  account_id text not null,
  environment text not null,
  last bigint not null,
  primary key (account_id, environment)
);
