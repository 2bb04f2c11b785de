-- Orders of the EPOS Data API: sessions and locks over orders, and orders that are paid before the EPOS has them.

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
