-- What operators see and decide: alarms, decisions, activities, mails, and what all processes agree on.

create table operator_calls (
  account_id text not null,
  environment text not null,
  id text not null,
  key_id text not null,
  action text not null,
  subject text not null,
  note text not null,
  is_confirmed boolean not null,
  outcome text not null,
  state_before text,
  state_after text,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table operator_calls is 'Decisions of operators: who, when, what, why and with which outcome. Insert-only.';
create index operator_calls_newest on operator_calls (account_id, environment, created_at desc, id desc);

create table alarms (
  account_id text not null,
  environment text not null,
  id text not null,
  kind text not null,
  subject text not null check (length(subject) between 1 and 128),
  occurrence text not null check (length(occurrence) <= 128),
  message text not null,
  details jsonb not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  answered_by text,
  answer text,
  primary key (account_id, environment, id),
  check ((answered_at is null) = (answer is null) and (answered_at is null) = (answered_by is null))
);
comment on table alarms is 'What an operator must look at. Written in the transaction that found it, answered by a person, never deleted.';
-- The same alarm is raised again only after its answer.
create unique index alarms_unanswered on alarms (account_id, environment, kind, subject, occurrence)
  where answered_at is null;
create index alarms_newest on alarms (account_id, environment, created_at desc, id desc);

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

create table mails (
  account_id text not null,
  environment text not null,
  id text not null,
  state text not null check (state in ('Waiting', 'Sent', 'GivenUp', 'Mailbox')),
  intent_id text,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  attempts integer not null check (attempts >= 0),
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  check ((state = 'Mailbox') = (environment = 'sandbox'))
);
comment on table mails is 'Mails to send, written with the change that caused them. Mails of a sandbox stay in its mailbox.';
create index mails_newest on mails (account_id, environment, created_at desc, id desc);
create index mails_of_intent on mails (account_id, environment, intent_id, created_at);

create table agreed_settings (
  name text primary key,
  value text not null,
  next_value text,
  app text not null,
  changed_at timestamptz not null,
  refused jsonb not null default '{}'
);
comment on table agreed_settings is 'Settings that must have one value in all processes. The first process that starts stores its value; no process starts with another one.';
comment on column agreed_settings.next_value is 'While an operator changes the setting: the value that is accepted beside the current one.';
comment on column agreed_settings.app is 'The app whose process stored the value.';
comment on column agreed_settings.refused is 'By app: the value of the last process that did not start because of it, and when. Deleted by the next start of the app with an accepted value.';

create table schema_compatibility (
  id integer primary key check (id = 1),
  release text not null,
  oldest_release text not null,
  migrated_at timestamptz not null
);
comment on table schema_compatibility is 'One row: the release that migrated last, and the oldest release whose processes work with this schema.';
