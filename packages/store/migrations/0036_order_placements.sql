-- An order that its guest pays before the EPOS has it (ADR 0048). All its times are database time: the runner goes by leases.
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
-- One order for one payment, for ever.
create unique index order_placements_of_intent on order_placements (account_id, environment, intent_id);
create index order_placements_open on order_placements (account_id, environment, since)
  where state not in ('Waiting', 'Completed', 'GivenBack', 'Ended');
