-- What operators see and decide: alarms, decisions, reconciliation; and mails to send.

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

create table reconciliation_differences (
  account_id text not null,
  environment text not null,
  id text not null,
  kind text not null check (kind in
    ('NotAskedFor', 'OtherKind', 'OtherAmount', 'NotApproved', 'NotBooked', 'ListingSum', 'BrokenChain')),
  reference text not null,
  intent_id text,
  amount bigint,
  currency text,
  ours text,
  theirs text,
  says text not null,
  happened_at timestamptz not null,
  state text not null check (state in ('Open', 'Answered', 'Closed')),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (account_id, environment, id),
  check ((amount is null) = (currency is null))
);
comment on table reconciliation_differences is 'Where our books, our listing and the books of the acquirer disagree. A check that no longer finds a difference closes it; no row is deleted.';
-- A repeated check finds the row of the check before it.
create unique index reconciliation_differences_live
  on reconciliation_differences (account_id, environment, reference, kind) where state <> 'Closed';
create index reconciliation_differences_newest
  on reconciliation_differences (account_id, environment, first_seen_at desc, id desc);
create index reconciliation_differences_by_time
  on reconciliation_differences (account_id, environment, happened_at) where state <> 'Closed';

create table reconciliations (
  account_id text not null,
  environment text not null,
  reconciled_to timestamptz,
  listed_at timestamptz,
  list_error text,
  requested_from timestamptz,
  requested_to timestamptz,
  chain_cursor text not null,
  chains_checked_at timestamptz,
  primary key (account_id, environment),
  check ((requested_from is null) = (requested_to is null))
);
comment on table reconciliations is 'The progress of the checks of an account. Times are database time.';
comment on column reconciliations.requested_from is 'With requested_to: a range that an operator requested and that is not checked yet.';
comment on column reconciliations.chain_cursor is 'Where the verification of the hash chains continues; empty at its start.';

create table mails (
  account_id text not null,
  environment text not null,
  id text not null,
  state text not null check (state in ('Waiting', 'Sent', 'GivenUp', 'Mailbox')),
  intent_id text not null,
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
