-- Card machines, what runs on them, their open connections, and the transactions that integrators list.

create table terminals (
  account_id text not null,
  environment text not null,
  id text not null,
  tid text not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  location_id text,
  model text,
  primary key (account_id, environment, id),
  unique (account_id, environment, tid),
  constraint terminals_location foreign key (account_id, environment, location_id)
    references locations (account_id, environment, id)
);
comment on table terminals is 'A card machine, named by its TID.';
comment on column terminals.location_id is 'Null: the first location of the account.';
comment on column terminals.model is 'The model of the card machine, as the operator has entered it.';

create table machine_bindings (
  account_id text not null,
  environment text not null,
  terminal_id text not null,
  serial_number text not null check (length(serial_number) between 1 and 64),
  credential_hash bytea not null check (length(credential_hash) = 32),
  bound_at timestamptz not null,
  primary key (account_id, environment, terminal_id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
comment on table machine_bindings is 'The machine that a terminal belongs to: the first one that connected under its TID. An operator deletes the row to admit another machine.';
comment on column machine_bindings.credential_hash is 'Hash of the credential that the machine received at its first connection.';

create table terminal_sessions (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  terminal_id text not null,
  session_type text not null check (session_type in ('Sale', 'MatchedRefund', 'UnlinkedRefund')),
  status text not null check (status in (
    'InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
    'SignatureVerificationAccepted', 'SignatureVerificationRejected', 'Authorized', 'Captured', 'Canceled',
    'Expired', 'Declined')),
  intent_id text,
  acquirer_reference text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  base_amount bigint not null check (base_amount >= 0),
  tips_amount bigint not null check (tips_amount >= 0),
  cashback_amount bigint not null check (cashback_amount >= 0),
  service_charge_amount bigint not null check (service_charge_amount >= 0),
  capture boolean not null,
  card_holder_not_present boolean not null,
  last_report integer not null check (last_report >= 0),
  card_presented boolean not null,
  signature_decision text,
  expire_at timestamptz not null,
  approval jsonb,
  payment_details jsonb,
  customer_receipt jsonb,
  merchant_receipt jsonb,
  unknown_to_machine boolean not null default false,
  chain_head bytea,
  chain_length integer check (chain_length > 0),
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  postponed_report integer,
  given_back_by text,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
comment on table terminal_sessions is 'One sale or refund on a card machine.';
comment on column terminal_sessions.last_report is 'Number of the last report of the machine that was applied.';
comment on column terminal_sessions.unknown_to_machine is 'The machine reported that it does not know the session.';
comment on column terminal_sessions.chain_head is 'Head of the hash chain of an unlinked refund; null while nothing is posted.';
comment on column terminal_sessions.postponed_report is 'The number of the last report that was not applied because reports are missing before it. Its repetition is applied.';
comment on column terminal_sessions.given_back_by is 'The user of the portal who gives money back without a payment and without a second person. Null for every other session.';
-- A machine runs one session, and an intent is on one machine: of two concurrent requests the second is refused here.
create unique index terminal_sessions_one_running on terminal_sessions (account_id, environment, terminal_id)
  where status in ('InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
    'SignatureVerificationAccepted');
create unique index terminal_sessions_one_sale on terminal_sessions (account_id, environment, intent_id)
  where session_type = 'Sale'
    and status in ('InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
      'SignatureVerificationAccepted');
create index terminal_sessions_of_intent on terminal_sessions (account_id, environment, intent_id, created_at);
-- The newest session of a terminal states since when the terminal has its status.
create index terminal_sessions_of_terminal on terminal_sessions (account_id, environment, terminal_id, created_at desc, id desc);
create index terminal_sessions_given_back
  on terminal_sessions (account_id, environment, given_back_by, created_at) where given_back_by is not null;

create table terminal_session_events (
  account_id text not null,
  environment text not null,
  session_id text not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('status', 'notification')),
  name text not null,
  created_at timestamptz not null,
  trace_id text,
  primary key (account_id, environment, session_id, number),
  foreign key (account_id, environment, session_id) references terminal_sessions (account_id, environment, id)
);
comment on table terminal_session_events is 'The history of a terminal session. Insert-only.';
comment on column terminal_session_events.trace_id is 'The trace of the work that changed the session, for its timeline.';

create table connections (
  account_id text not null,
  environment text not null,
  kind text not null check (kind in ('machine', 'epos-grpc-stream', 'tables-ws', 'epos-ws')),
  key text not null,
  connection_id text not null,
  epoch bigint not null,
  gateway_id text not null,
  gateway_address text not null,
  alive_until timestamptz not null,
  seen_at timestamptz not null,
  in_use boolean not null,
  in_use_since timestamptz,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (account_id, environment, kind, key, connection_id)
) with (fillfactor = 40);
comment on table connections is 'Open connections of card machines and EPOSes. A row is live while its gateway renews alive_until. Renewals update it in place (ADR 0041), hence the fill factor.';
comment on column connections.epoch is 'Database time of the opening in microseconds; the greatest is the newest connection.';
comment on column connections.in_use_since is 'Since when the machine reports that it is in use, or that it is not.';

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
  terminal_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  written_in xid8 not null default pg_current_xact_id(),
  settled_on date,
  primary key (account_id, environment, id),
  unique (account_id, environment, acquirer_reference),
  unique (account_id, environment, legacy_id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
comment on table transactions is 'What integrators list: one line for each acquirer call that took, held or returned money, or tried to. Written with the change that it describes.';
comment on column transactions.terminal_id is 'The card machine at which the card was presented; null: none.';
comment on column transactions.settled_on is 'The day on which the acquirer settled the money; null until a settlement file names it.';
create index transactions_newest on transactions (account_id, environment, created_at desc, id desc);
create index transactions_written on transactions (account_id, environment, written_in);
create index transactions_of_intent on transactions (account_id, environment, intent_id);
create index transactions_by_status on transactions
  (account_id, environment, status, created_at desc, id desc);

create table transaction_counters (
  account_id text not null,
  environment text not null,
  last bigint not null,
  primary key (account_id, environment)
);
comment on table transaction_counters is 'The last legacy id of an account. The row is locked right before the commit.';
