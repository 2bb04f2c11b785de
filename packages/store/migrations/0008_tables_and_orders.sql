-- Paying at the table and ahead: leases, journeys, payments, and orders of the EPOS. All times are database time.

create table session_leases (
  account_id text not null,
  environment text not null,
  lease_id text not null,
  session_id text not null,
  owner text not null,
  requestor jsonb not null,
  waiter_id integer,
  state text not null check (state in ('Held', 'Lost', 'Released', 'Forced')),
  epos_locked boolean not null,
  lock_id text,
  open_payments integer not null check (open_payments >= 0),
  acquired_at timestamptz not null,
  expires_at timestamptz not null,
  version integer not null,
  released_at timestamptz,
  primary key (account_id, environment, lease_id)
);
comment on table session_leases is 'The right of one device to work on a table session until expires_at.';
comment on column session_leases.epos_locked is 'The EPOS holds a lock for this lease.';
-- One device at a time: this index proves that a session is leased.
create unique index session_leases_one_open on session_leases (account_id, environment, session_id)
  where state in ('Held', 'Lost');
-- Whether an ended lease still holds a lock at the EPOS is read whenever its session is leased again.
create index session_leases_locked on session_leases (account_id, environment, session_id)
  where epos_locked and state in ('Released', 'Forced');

create table journeys (
  account_id text not null,
  environment text not null,
  id text not null,
  session_id text not null,
  session_name text not null,
  table_name text,
  lease_id text not null,
  owner text not null,
  requestor jsonb not null,
  state text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  bill jsonb not null,
  bill_read_at timestamptz not null,
  bill_changed_mark text,
  plan jsonb not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, environment, id)
);
comment on table journeys is 'One device on its way through paying one table session.';
comment on column journeys.plan is 'How the bill is split, and what is paid of it.';
comment on column journeys.bill_changed_mark is 'Set when the EPOS reports that the order of the journey changed; cleared once its bill is read again.';
create index journeys_of_session on journeys (account_id, environment, session_id, created_at);
create index journeys_of_lease on journeys (account_id, environment, lease_id);

create table table_payments (
  account_id text not null,
  environment text not null,
  id text not null,
  origin text not null check (origin in ('journey', 'device')),
  journey_id text,
  lease_id text,
  session_id text not null,
  order_id text,
  intent_id text,
  terminal_session_id text,
  moving_to text,
  state text not null check (state in (
    'Unproved', 'Started', 'Approved', 'Recording', 'RecordUnknown', 'Recorded', 'Refused', 'GivingBack', 'GivenBack',
    'Ended', 'NeedsOperator')),
  next_step text,
  due_at timestamptz,
  base_amount bigint not null check (base_amount >= 0),
  gratuity_amount bigint not null check (gratuity_amount >= 0),
  cashback_amount bigint not null check (cashback_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  message bytea,
  paid_before bigint,
  record_calls integer not null check (record_calls >= 0),
  is_unanswered boolean not null,
  first_unanswered_at timestamptz,
  doubt_at timestamptz,
  lock_rounds integer not null check (lock_rounds >= 0),
  tries integer not null check (tries >= 0),
  give_back_reference text,
  give_back_since timestamptz,
  given_back_at timestamptz,
  last_error text,
  since timestamptz not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  may_give_back boolean not null default true,
  primary key (account_id, environment, id)
);
comment on table table_payments is 'One part of a bill, paid by one card.';
comment on column table_payments.message is 'The RecordPayment message, stored before it is sent, so that each repetition sends the same bytes.';
comment on column table_payments.moving_to is 'The card machine that asks for the card next, while the current one stops; null for a payment that stays.';
comment on column table_payments.may_give_back is 'False: the key that recorded it may not return money, so the refusal of the EPOS waits for an operator.';
-- The money of an intent belongs to one payment at a table: a second one could return what the first one recorded.
create unique index table_payments_of_intent on table_payments (account_id, environment, intent_id)
  where intent_id is not null;
create index table_payments_open on table_payments (account_id, environment, since)
  where state not in ('Recorded', 'GivenBack', 'Ended');
create index table_payments_pending on table_payments (environment, state, since)
  where state not in ('Started', 'Recorded', 'GivenBack', 'Ended');
create index table_payments_by_journey on table_payments
  (account_id, environment, journey_id, created_at) where journey_id is not null;

create table proved_transactions (
  account_id text not null,
  environment text not null,
  transaction_id text not null,
  payment_id text not null,
  proved_at timestamptz not null,
  primary key (account_id, environment, transaction_id)
);
comment on table proved_transactions is 'The card transactions that prove payments of devices. A transaction proves one payment.';
comment on column proved_transactions.transaction_id is 'The id of the acquirer, in lower case.';
comment on column proved_transactions.payment_id is 'The payment at a table that it proves.';

create table order_sessions (
  account_id text not null,
  environment text not null,
  session_id text not null,
  order_id text not null,
  first_seen_at timestamptz not null,
  primary key (account_id, environment, session_id),
  unique (account_id, environment, order_id)
);
comment on table order_sessions is 'The session id under which an order is paid at the table.';

create table order_session_labels (
  account_id text not null,
  environment text not null,
  session_id text not null,
  name text not null,
  number integer not null check (number > 0),
  seen_at timestamptz not null,
  primary key (account_id, environment, session_id),
  unique (account_id, environment, name, number)
);
comment on table order_session_labels is 'The number that distinguishes the session of an order from others of the same name (ADR 0028).';
comment on column order_session_labels.seen_at is 'When the session was listed last, to the hour; database time. A number is free a day later.';

create table order_locks (
  account_id text not null,
  environment text not null,
  session_id text not null,
  order_id text not null,
  lock_id text not null,
  state text not null check (state in ('Coming', 'Held', 'Lost')),
  expires_at timestamptz not null,
  requestor jsonb not null,
  version integer not null,
  primary key (account_id, environment, session_id)
);
comment on table order_locks is 'Our lock on an order at its EPOS. A timer extends it.';
comment on column order_locks.expires_at is 'Database time.';

create table order_placements (
  account_id text not null,
  environment text not null,
  id text not null,
  intent_id text not null,
  placed_order jsonb not null,
  state text not null check (state in (
    'Waiting', 'Held', 'Placing', 'PlaceUnknown', 'Placed', 'Completed', 'Cancelling', 'GivingBack', 'GivenBack', 'Ended',
    'NeedsOperator')),
  next_step text,
  due_at timestamptz,
  total_amount bigint not null check (total_amount > 0),
  gratuity_amount bigint not null check (gratuity_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  order_id text,
  place_calls integer not null check (place_calls >= 0),
  is_unanswered boolean not null,
  called_at timestamptz,
  doubt_at timestamptz,
  is_hold_ending boolean not null,
  is_money_gone boolean not null,
  tries integer not null check (tries >= 0),
  give_back_since timestamptz,
  may_order_stand boolean not null,
  last_error text,
  since timestamptz not null,
  version integer not null,
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table order_placements is 'An order that its payer pays before the EPOS has it (ADR 0048). All times are database time.';
comment on column order_placements.may_order_stand is 'The EPOS may have the order although its money was returned.';
-- One order for one payment.
create unique index order_placements_of_intent on order_placements (account_id, environment, intent_id);
create index order_placements_open on order_placements (account_id, environment, since)
  where state not in ('Waiting', 'Completed', 'GivenBack', 'Ended');
create index order_placements_pending on order_placements (environment, state, since)
  where state not in ('Waiting', 'Completed', 'GivenBack', 'Ended');
create index order_placements_newest on order_placements (account_id, environment, created_at desc, id desc);
