-- Events, their way to the subscriber, and deadlines. due_at and leased_until are database time.

create table webhook_subscriptions (
  account_id text not null,
  environment text not null,
  id text not null,
  url text not null,
  description text,
  paused boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (account_id, environment, id)
);

-- Each kind belongs to one subscription; two claims at once, and the second is refused here.
create table webhook_subscription_kinds (
  account_id text not null,
  environment text not null,
  kind text not null,
  subscription_id text not null,
  primary key (account_id, environment, kind),
  foreign key (account_id, environment, subscription_id)
    references webhook_subscriptions (account_id, environment, id)
);
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
create unique index webhook_secrets_one_active on webhook_secrets (account_id, environment, subscription_id)
  where is_active;

create table events (
  account_id text not null,
  environment text not null,
  id text not null,
  kind text not null,
  subject_id text not null,
  subscription_id text,
  body bytea not null,
  created_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (account_id, environment, id)
);
create index events_by_time on events (account_id, environment, recorded_at);
create index events_of_subject on events (account_id, environment, subject_id);

-- One row per ordering key. Its counter numbers the deliveries, so number order is commit order.
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
  primary key (account_id, environment, key)
);
create index lanes_ready on lanes (ready_at) where ready_at is not null;
create index lanes_ready_of_account on lanes (account_id, environment, ready_at) where ready_at is not null;

create table deliveries (
  account_id text not null,
  environment text not null,
  lane_key text not null,
  number bigint not null,
  id text not null,
  event_id text not null,
  subscription_id text not null,
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
create index deliveries_waiting on deliveries (account_id, environment, lane_key, number) where state = 'Pending';
create index deliveries_of_subscription on deliveries (account_id, environment, subscription_id, created_at desc, id desc);
create index deliveries_of_event on deliveries (account_id, environment, event_id);

-- Deadlines. revision counts schedules, so that a worker's finish does not wipe out one that came meanwhile.
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
create index timers_ready on timers (ready_at);
create index timers_ready_of_account on timers (account_id, environment, ready_at);
