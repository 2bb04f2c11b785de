-- Acquirers, the merchant numbers under which they are called, and every call that moves money.

create table acquirers (
  environment text not null check (environment in ('sandbox', 'production')),
  name text not null check (length(name) between 1 and 64),
  capabilities jsonb not null,
  declared_at timestamptz not null,
  primary key (environment, name)
);
comment on table acquirers is 'What the adapter of each acquirer last declared. A process that does not reach the adapter at its start reads it here.';
comment on column acquirers.name is 'As the settings of the processes name it; default where they give no name.';

create table merchant_ids (
  environment text not null check (environment in ('sandbox', 'production')),
  acquirer text not null check (length(acquirer) between 1 and 64),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  account_id text not null,
  claimed_at timestamptz not null,
  primary key (environment, acquirer, merchant_id)
);
comment on table merchant_ids is 'The account that has a number of an acquirer: its lists and settlement files would mix two accounts with one number. A relation of its own, because no unique index spans the accounts of a distributed relation.';
comment on column merchant_ids.acquirer is 'As the settings of the processes name it; default where they give no name.';
comment on column merchant_ids.claimed_at is 'Database time.';
create index merchant_ids_of_account on merchant_ids (account_id);

create table retired_merchant_ids (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  acquirer text not null check (length(acquirer) between 1 and 64),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  retired_at timestamptz not null,
  primary key (account_id, environment, acquirer, merchant_id)
);
comment on table retired_merchant_ids is 'Numbers of acquirers that an operator has retired for the account, although calls were made under them. Another account may have them: their books are not read for this account.';
comment on column retired_merchant_ids.retired_at is 'Database time.';

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
  acquirer text not null default 'default',
  merchant_id text not null,
  primary key (account_id, environment, reference)
);
comment on table acquirer_calls is 'Every call that moves money at the acquirer, stored before it is sent. The reference makes a repeated call harmless.';
comment on column acquirer_calls.setup_intent_id is 'The setup intent whose card the call authorises, or charges for the payment that intent_id names.';
comment on column acquirer_calls.not_found_count is 'How many answers "not found" in a row were counted for a refund that its card machine does not know.';
comment on column acquirer_calls.not_found_at is 'When the last of them was counted (database time).';
comment on column acquirer_calls.acquirer is 'The acquirer that is asked. What follows an authorisation goes to the acquirer that has it, also when the account has moved to another.';
comment on column acquirer_calls.merchant_id is 'The number of the merchant, as the acquirer has given it, under which the call is made. What follows an authorisation keeps its number.';
create index acquirer_calls_of_intent on acquirer_calls (account_id, environment, intent_id, created_at);
create index acquirer_calls_of_setup_intent on acquirer_calls (account_id, environment, setup_intent_id, created_at)
  where setup_intent_id is not null;
-- Reconciliation compares the calls of a span of time with the list of the acquirer.
create index acquirer_calls_by_creation on acquirer_calls (account_id, environment, created_at, reference);
-- Calls that have not ended, for the pending list of the operators.
create index acquirer_calls_open on acquirer_calls (account_id, environment, deadline_at)
  where state <> 'Settled' and reverse_reference is null;
-- Gateways read the expired sessions of their machines whose end is unknown every second: there are few.
create index acquirer_calls_unknown_on_machines on acquirer_calls (account_id, environment, terminal_session_id)
  where state = 'Unknown' and terminal_session_id is not null;
-- The longest waiting money of every account: state and kind come before the time, so the oldest row is the first of its range.
create index acquirer_calls_awaited on acquirer_calls (environment, kind, deadline_at)
  where state in ('Prepared', 'Sent', 'Unknown') and reverse_reference is null;
-- Only refunds on card machines are found by their session.
create index acquirer_calls_machine_refunds on acquirer_calls (account_id, environment, terminal_session_id)
  where kind = 'Refund' and terminal_session_id is not null;
