-- Events, their deliveries and deadlines. due_at and leased_until are database time.

create table webhook_subscriptions (
  account_id text not null,
  environment text not null,
  id text not null,
  url text not null,
  description text,
  paused boolean not null,
  software_house_id text,
  reseller_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (account_id, environment, id)
);
comment on table webhook_subscriptions is 'The receivers of webhooks of an account.';
create index webhook_subscriptions_deleted on webhook_subscriptions (account_id, environment, deleted_at)
  where deleted_at is not null;

create table webhook_subscription_kinds (
  account_id text not null,
  environment text not null,
  kind text not null,
  subscription_id text not null,
  primary key (account_id, environment, kind),
  foreign key (account_id, environment, subscription_id)
    references webhook_subscriptions (account_id, environment, id)
);
comment on table webhook_subscription_kinds is 'The subscription that receives a kind of event. Of two concurrent claims of a kind the second is refused here.';
create index webhook_subscription_kinds_of on webhook_subscription_kinds (account_id, environment, subscription_id);

create table webhook_secrets (
  account_id text not null,
  environment text not null,
  subscription_id text not null,
  id text not null,
  value_ciphertext bytea not null,
  is_active boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (account_id, environment, subscription_id, id),
  foreign key (account_id, environment, subscription_id)
    references webhook_subscriptions (account_id, environment, id)
);
comment on table webhook_secrets is 'Secrets that sign webhooks. One of a subscription is active.';
create unique index webhook_secrets_one_active on webhook_secrets (account_id, environment, subscription_id)
  where is_active;

create table events (
  account_id text not null,
  environment text not null,
  id text not null,
  kind text not null,
  subject_id text not null,
  number bigint not null,
  subscription_id text,
  body bytea not null,
  created_at timestamptz not null,
  recorded_at timestamptz not null,
  traceparent text,
  primary key (account_id, environment, id)
);
comment on table events is 'What integrators and EPOSes are notified of. The bytes never change.';
comment on column events.number is 'Position among the events of its subject; replays keep this order.';
comment on column events.traceparent is 'W3C trace context of the transaction that wrote the event; null where no traces are exported. It decides nothing.';
create index events_by_creation on events (account_id, environment, created_at);
create index events_of_subject on events (account_id, environment, subject_id);

create table lanes (
  account_id text not null,
  environment text not null,
  key text not null,
  last_number bigint not null,
  pending bigint not null check (pending >= 0),
  due_at timestamptz not null,
  leased_until timestamptz,
  ready_at timestamptz generated always as (case when pending > 0 then greatest(due_at, leased_until) end) stored,
  fence bigint not null,
  failures integer not null,
  is_replay boolean not null default false,
  is_epos boolean not null default false,
  primary key (account_id, environment, key)
);
comment on table lanes is 'Deliveries that must arrive in order. The counter of a lane numbers them, so that number order is commit order.';
comment on column lanes.ready_at is 'When a worker may claim the lane; null: nothing is pending.';
comment on column lanes.fence is 'Grows with each claim; a write under an older fence changes nothing.';
-- Replays and events for EPOSes are claimed apart, so that no live webhook waits behind them.
create index lanes_ready on lanes (ready_at) where ready_at is not null and not is_replay and not is_epos;
create index lanes_ready_replays on lanes (ready_at) where ready_at is not null and is_replay;
create index lanes_ready_epos on lanes (ready_at) where ready_at is not null and is_epos;
create index lanes_ready_of_account on lanes (account_id, environment, is_replay, ready_at) where ready_at is not null;

create table deliveries (
  account_id text not null,
  environment text not null,
  lane_key text not null,
  number bigint not null,
  id text not null,
  event_id text not null,
  subscription_id text,
  state text not null check (state in ('Pending', 'Held', 'Delivered', 'DeadLettered')),
  attempts integer not null,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, lane_key, number),
  unique (account_id, environment, id)
);
comment on table deliveries is 'An event on its way to one receiver.';
comment on column deliveries.subscription_id is 'Null: the event goes to the EPOS of the account.';
create index deliveries_waiting on deliveries (account_id, environment, lane_key, number) where state = 'Pending';
create index deliveries_waiting_of_subscription on deliveries (account_id, environment, subscription_id, lane_key)
  where state in ('Pending', 'Held');
create index deliveries_held on deliveries (account_id, environment, lane_key, subscription_id) where state = 'Held';
create index deliveries_of_subscription on deliveries (account_id, environment, subscription_id, created_at desc, id desc);
create index deliveries_of_event on deliveries (account_id, environment, event_id);
create index deliveries_dead_lettered on deliveries (account_id, environment) where state = 'DeadLettered';
create index deliveries_by_state on deliveries
  (account_id, environment, subscription_id, state, created_at desc, id desc);

create table webhook_replays (
  account_id text not null,
  environment text not null,
  id text not null,
  subscription_id text not null,
  from_at timestamptz,
  to_at timestamptz not null,
  states text[] not null,
  after_subject text not null,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, subscription_id)
    references webhook_subscriptions (account_id, environment, id)
);
comment on table webhook_replays is 'A range of events that is being queued again, subject by subject. The row is deleted at its end.';

create table timers (
  account_id text not null,
  environment text not null,
  kind text not null,
  subject text not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  ready_at timestamptz generated always as (greatest(due_at, leased_until)) stored,
  fence bigint not null,
  revision bigint not null,
  attempts integer not null,
  is_repeat boolean not null,
  account_due_at timestamptz,
  primary key (account_id, environment, kind, subject)
);
comment on table timers is 'Deadlines.';
comment on column timers.revision is 'Counts schedules, so that the end of a worker does not delete a deadline that was set meanwhile.';
create index timers_ready on timers (ready_at);
create index timers_ready_of_account on timers (account_id, environment, ready_at);
