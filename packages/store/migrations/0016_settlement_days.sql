-- The days that settlement files cover, the days whose comparison with an acquirer is incomplete, and the acquirer of a difference.

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
insert into settlement_days (account_id, environment, acquirer, day, file_hash, stated_at)
  select distinct on (l.account_id, l.environment, l.acquirer, l.booked_on)
    l.account_id, l.environment, l.acquirer, l.booked_on, l.file_hash, f.imported_at
  from settlement_lines l
  join settlement_files f on f.account_id = l.account_id and f.environment = l.environment and f.hash = l.file_hash
  order by l.account_id, l.environment, l.acquirer, l.booked_on, f.imported_at;

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
comment on table uncompared_days is 'Days of our calls whose comparison with an acquirer is incomplete. Compared again until it is complete; then the row is deleted.';
comment on column uncompared_days.day is 'The day (UTC) on which we called the acquirer.';
comment on column uncompared_days.reason is 'WaitingForSettlement: settlement files have not arrived. BooksUnread: the acquirer did not return its list, or is not configured.';
comment on column uncompared_days.since is 'When the comparison was incomplete for the first time, database time.';
create index uncompared_days_oldest on uncompared_days (reason, since);

create index settlement_lines_by_reference on settlement_lines (account_id, environment, acquirer, reference);

alter table reconciliation_differences add column acquirer text;
comment on column reconciliation_differences.acquirer is 'Whose books disagree; null where it is our own books alone, and in rows of release 0.1.';
-- A check of release 0.1 finds the other kinds only.
alter table reconciliation_differences drop constraint reconciliation_differences_kind_check;
alter table reconciliation_differences add constraint reconciliation_differences_kind_check check (kind in
  ('NotAskedFor', 'OtherKind', 'OtherAmount', 'SettledAmount', 'NotApproved', 'NotBooked', 'ListingSum', 'BrokenChain')) not valid;
