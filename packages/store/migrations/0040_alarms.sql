-- What an operator has to look at: written in the transaction that found it, answered by a person, never deleted.
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
-- The same alarm is raised again only after its answer.
create unique index alarms_unanswered on alarms (account_id, environment, kind, subject, occurrence)
  where answered_at is null;
create index alarms_newest on alarms (account_id, environment, created_at desc, id desc);
