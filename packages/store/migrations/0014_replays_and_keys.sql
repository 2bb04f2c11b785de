-- Deliveries of paused subscriptions, replays, the end of what is kept, and who may be given the permission for card numbers.

-- The place of an event among those of its subject, from the subject's lane: replays follow it. Null: stored before this.
alter table events add column number bigint;
create index events_by_creation on events (account_id, environment, created_at);
drop index events_by_time;

-- Replays are found and claimed apart, so that however many there are, no live event waits behind them.
alter table lanes add column is_replay boolean not null default false;
drop index lanes_ready;
drop index lanes_ready_of_account;
create index lanes_ready on lanes (ready_at) where ready_at is not null and not is_replay;
create index lanes_ready_replays on lanes (ready_at) where ready_at is not null and is_replay;
create index lanes_ready_of_account on lanes (account_id, environment, is_replay, ready_at) where ready_at is not null;

-- What waits for a subscription, and what its lanes hold back.
create index deliveries_waiting_of_subscription on deliveries (account_id, environment, subscription_id, lane_key)
  where state in ('Pending', 'Held');
create index deliveries_held on deliveries (account_id, environment, lane_key, subscription_id) where state = 'Held';

-- A range of events that is being queued again, subject by subject; done means deleted.
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

-- Until when the account's attestation (SAQ-D) lets its keys touch card numbers.
alter table accounts add column saq_d_valid_until timestamptz;

-- Each account forgets what it has kept long enough by a deadline of its own, in both of its environments.
insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
select account_id, environment, 'retention', 'account', now() + interval '30 days',
  (extract(epoch from now()) * 1000)::bigint, 0, 0, false
from accounts cross join (values ('sandbox'), ('production')) as worlds (environment);
