-- The activity log: requests, calls to acquirers and EPOSes and attempts of webhooks, without secrets.

create table activities (
  account_id text not null,
  environment text not null,
  trace_id text not null check (trace_id ~ '^[0-9a-f]{32}$'),
  id text not null check (id ~ '^[0-9a-f]{16}$'),
  kind text not null check (kind in ('ApiRequest', 'AcquirerCall', 'EposCall', 'WebhookAttempt')),
  name text not null,
  subject_id text,
  outcome text not null check (outcome in ('Succeeded', 'Refused', 'Failed')),
  status integer,
  reason text,
  key_id text,
  took_ms integer not null check (took_ms >= 0),
  details jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, environment, trace_id, id)
);
comment on table activities is 'What was requested and attempted, and with which outcome: what no other row says. Without secrets, insert-only, and deleted when it is old.';
comment on column activities.subject_id is 'What it is about: an intent, a terminal session, a table session, an order, or the reference of an acquirer call.';
comment on column activities.created_at is 'When it began, by the account''s clock.';
create index activities_newest on activities (account_id, environment, created_at desc, id desc);
create index activities_of_subject on activities (account_id, environment, subject_id, created_at, id)
  where subject_id is not null;
-- Errors are few. They are grouped and listed without reading what succeeded.
create index activities_unsuccessful on activities (account_id, environment, created_at desc, id desc)
  where outcome <> 'Succeeded';

-- The trace of the transaction that wrote the line, for the timeline of a payment. No hash covers it.
alter table payment_events add column trace_id text;
comment on column payment_events.trace_id is 'The trace of the work that changed the intent; null before release 0.2. No hash covers it.';
alter table terminal_session_events add column trace_id text;
comment on column terminal_session_events.trace_id is 'The trace of the work that changed the session; null before release 0.2.';
