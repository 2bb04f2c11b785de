-- Settlement files of acquirers, and where their books, our books and our listing disagree.

create table settlement_files (
  account_id text not null,
  environment text not null,
  hash bytea not null,
  acquirer text not null,
  name text not null,
  batches text[] not null,
  line_count integer not null check (line_count > 0),
  first_day date not null,
  last_day date not null,
  imported_at timestamptz not null,
  primary key (account_id, environment, hash),
  check (first_day <= last_day)
);
comment on table settlement_files is 'Settlement files of acquirers that were imported. The same bytes are imported once.';
comment on column settlement_files.hash is 'SHA-256 of the bytes of the file.';

create table settlement_lines (
  account_id text not null,
  environment text not null,
  acquirer text not null,
  batch text not null,
  reference text not null,
  kind text not null check (kind in ('Capture', 'Refund', 'Reverse')),
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  fee bigint check (fee >= 0),
  booked_on date not null,
  file_hash bytea not null,
  primary key (account_id, environment, acquirer, batch, reference, kind),
  foreign key (account_id, environment, file_hash) references settlement_files (account_id, environment, hash)
);
comment on table settlement_lines is 'What an acquirer has settled, line by line. Insert-only.';
comment on column settlement_lines.reference is 'Our reference of the call that moved the money.';
comment on column settlement_lines.booked_on is 'The day of the booking by the calendar of the acquirer.';
create index settlement_lines_by_day on settlement_lines (account_id, environment, acquirer, booked_on);
create index settlement_lines_by_reference on settlement_lines (account_id, environment, acquirer, reference);

create table settlement_days (
  account_id text not null,
  environment text not null,
  acquirer text not null,
  day date not null,
  file_hash bytea,
  stated_at timestamptz not null,
  primary key (account_id, environment, acquirer, day)
);
comment on table settlement_days is 'Days of which everything that an acquirer has settled is imported. A day without a row may have a file that has not arrived.';
comment on column settlement_days.day is 'By the calendar of the acquirer.';
comment on column settlement_days.file_hash is 'The file that covers the day; null where the acquirer stated that it settled nothing.';

create table uncompared_days (
  account_id text not null,
  environment text not null,
  acquirer text not null,
  day date not null,
  reason text not null check (reason in ('WaitingForSettlement', 'BooksUnread')),
  problem text,
  since timestamptz not null,
  primary key (account_id, environment, acquirer, day),
  check ((reason = 'BooksUnread') = (problem is not null))
);
comment on table uncompared_days is 'Days of our calls whose comparison with an acquirer is incomplete. Compared again for 62 days, and when an operator requests it. A complete comparison of the day deletes the row.';
comment on column uncompared_days.day is 'The day (UTC) on which we called the acquirer.';
comment on column uncompared_days.reason is 'WaitingForSettlement: settlement files have not arrived. BooksUnread: the acquirer did not return its list, or is not configured.';
comment on column uncompared_days.since is 'When the comparison was incomplete for the first time, database time.';
create index uncompared_days_oldest on uncompared_days (reason, since);

create table reconciliation_differences (
  account_id text not null,
  environment text not null,
  id text not null,
  kind text not null check (kind in
    ('NotAskedFor', 'OtherKind', 'OtherAmount', 'SettledAmount', 'NotApproved', 'NotBooked', 'ListingSum', 'BrokenChain',
    'UnprovedRecord')),
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
  acquirer text,
  primary key (account_id, environment, id),
  check ((amount is null) = (currency is null))
);
comment on table reconciliation_differences is 'Where our books, our listing and the books of the acquirer disagree. A check that no longer finds a difference closes it; no row is deleted.';
comment on column reconciliation_differences.acquirer is 'Whose books disagree; null where it is our own books alone.';
-- A repeated check finds the row of the check before it.
create unique index reconciliation_differences_live
  on reconciliation_differences (account_id, environment, reference, kind) where state <> 'Closed';
create index reconciliation_differences_newest
  on reconciliation_differences (account_id, environment, first_seen_at desc, id desc);
create index reconciliation_differences_by_time
  on reconciliation_differences (account_id, environment, happened_at) where state <> 'Closed';
create index reconciliation_differences_unanswered
  on reconciliation_differences (environment, kind, first_seen_at) where state = 'Open';

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
  next_pass_at timestamptz,
  audit_cursor jsonb,
  primary key (account_id, environment),
  check ((requested_from is null) = (requested_to is null))
);
comment on table reconciliations is 'The progress of the checks of an account. Times are database time.';
comment on column reconciliations.requested_from is 'With requested_to: a range that an operator requested and that is not checked yet.';
comment on column reconciliations.chain_cursor is 'Where the verification of the hash chains continues; empty at its start.';
comment on column reconciliations.next_pass_at is 'When all days are compared again that need it; null: with the next check. Until then a check compares only the days whose books could not be read, and what an operator requested.';
comment on column reconciliations.reconciled_to is 'Every day before it was compared, except those in uncompared_days.';
comment on column reconciliations.listed_at is 'When the books of an acquirer were compared last.';
comment on column reconciliations.audit_cursor is 'Where the verification of the audit log continues, and what it has found so far; null at its start.';
