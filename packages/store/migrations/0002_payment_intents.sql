-- Payment intents, their events, captures and refunds. Amounts are minor units.

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
  chain_head bytea not null,
  chain_length integer not null check (chain_length >= 0),
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  written_in xid8 not null default pg_current_xact_id(),
  primary key (account_id, environment, id),
  check (captured + pending_capture <= authorized),
  check (refunded + pending_refund <= captured)
);
comment on table payment_intents is 'A payment from its request to its settlement.';
comment on column payment_intents.chain_head is 'Head of the hash chain of the events and ledger entries of the intent; stored here, so that it needs no lock of its own.';
comment on column payment_intents.software_house_id is 'From the partner headers of the request that created the row.';
comment on column payment_intents.written_in is 'The transaction that inserted the row. A page of a listing names what was not committed when it was read.';
-- The hosted payment page knows the id of an intent and no account.
create index payment_intents_by_id on payment_intents (id);
create index payment_intents_written on payment_intents (account_id, environment, written_in);
-- A payment that a device took by itself names its approval by the acquirer's transaction id only.
create index payment_intents_of_transaction on payment_intents
  (account_id, environment, (payment_details ->> 'transactionId'))
  where payment_details is not null;
create index payment_intents_by_status on payment_intents
  (account_id, environment, status, created_at desc, id desc);
create index payment_intents_of_customer_by_status on payment_intents
  (account_id, environment, (details -> 'customer' ->> 'customerId'), status, created_at desc, id desc)
  where details -> 'customer' ->> 'customerId' is not null;
create index payment_intents_of_acquirer_transaction on payment_intents
  (account_id, environment, (payment_details ->> 'acquirerTransactionId'))
  where payment_details ->> 'acquirerTransactionId' is not null;

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
  trace_id text,
  primary key (account_id, environment, intent_id, number),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);
comment on table payment_events is 'The history of an intent. Insert-only.';
comment on column payment_events.number is 'Position in the hash chain of the intent, which its ledger entries share.';
comment on column payment_events.trace_id is 'The trace of the work that changed the intent, for its timeline. No hash covers it.';

create table captures (
  account_id text not null,
  environment text not null,
  id text not null,
  intent_id text not null,
  number integer not null check (number > 0),
  amount bigint not null check (amount > 0),
  tips_amount bigint not null check (tips_amount >= 0),
  status text not null check (status in ('Created', 'Successful', 'Declined', 'Failed')),
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  unique (account_id, environment, intent_id, number),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);
comment on table captures is 'What was taken of a hold, or is being taken. The acquirer call of the same reference states how the acquirer answered. Only the holder of the row lock of the intent writes here.';
comment on column captures.number is 'Position among the captures of the intent, from 1, in the order of their requests.';
comment on column captures.amount is 'In the currency of the intent. The capture takes it together with tips_amount.';
comment on column captures.status is 'Created: the money is reserved in payment_intents.pending_capture, and the acquirer is being asked.';

create table refunds (
  account_id text not null,
  environment text not null,
  id text not null,
  intent_id text not null,
  reason text,
  notes text,
  previous_transaction_id text,
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);
comment on table refunds is 'What a refund was requested with. Insert-only. The acquirer call of the same reference states its amount and its end.';
create index refunds_of_intent on refunds (account_id, environment, intent_id);
