-- Payment intents, their events, captures, refunds, and every call to the acquirer. Amounts are minor units.

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
create index payment_intents_newest on payment_intents (account_id, environment, created_at desc, id desc);
create index payment_intents_written on payment_intents (account_id, environment, written_in);
-- A payment that a device took by itself names its approval by the acquirer's transaction id only.
create index payment_intents_of_transaction on payment_intents
  (account_id, environment, (payment_details ->> 'transactionId'))
  where payment_details is not null;

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
comment on table payment_events is 'The history of an intent. Insert-only.';
comment on column payment_events.number is 'Position in the hash chain of the intent, which its ledger entries share.';

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

create table acquirer_calls (
  account_id text not null,
  environment text not null,
  reference text not null,
  kind text not null,
  original_reference text,
  intent_id text,
  setup_intent_id text,
  terminal_session_id text,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null
    check (state in ('Prepared', 'Sent', 'Challenged', 'Approved', 'Declined', 'Unknown', 'Settled')),
  outcome text,
  deadline_at timestamptz not null,
  reverse_reference text,
  result jsonb,
  not_found_count integer not null default 0 check (not_found_count >= 0),
  not_found_at timestamptz,
  version integer not null,
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, reference)
);
comment on table acquirer_calls is 'Every call that moves money at the acquirer, stored before it is sent. The reference makes a repeated call harmless.';
comment on column acquirer_calls.setup_intent_id is 'The setup intent whose card the call authorises, or charges for the payment that intent_id names.';
comment on column acquirer_calls.not_found_count is 'How many answers "not found" in a row were counted for a refund that its card machine does not know.';
comment on column acquirer_calls.not_found_at is 'When the last of them was counted (database time).';
create index acquirer_calls_of_intent on acquirer_calls (account_id, environment, intent_id, created_at);
create index acquirer_calls_of_setup_intent on acquirer_calls (account_id, environment, setup_intent_id, created_at)
  where setup_intent_id is not null;
-- Reconciliation compares the calls of a span of time with the list of the acquirer.
create index acquirer_calls_by_creation on acquirer_calls (account_id, environment, created_at, reference);
create index acquirer_calls_of_session on acquirer_calls (account_id, environment, terminal_session_id);
-- Calls that have not ended, for the pending list of the operators.
create index acquirer_calls_open on acquirer_calls (account_id, environment, deadline_at)
  where state <> 'Settled' and reverse_reference is null;
-- Refunds of card machines whose end is unknown, for the same list.
create index acquirer_calls_open_refunds on acquirer_calls (account_id, environment, updated_at)
  where kind = 'Refund' and state = 'Unknown';
-- Gateways read the expired sessions of their machines whose end is unknown every second: there are few.
create index acquirer_calls_unknown_on_machines on acquirer_calls (account_id, environment, terminal_session_id)
  where state = 'Unknown' and terminal_session_id is not null;
