-- Ways in which our books, our listing and the acquirer's books disagree, found by a daily check of each account. A row is
-- closed by the check that does not find it any more, and answered by an operator; it is never deleted.
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
-- A check that runs again finds the row of the one before it.
create unique index reconciliation_differences_live
  on reconciliation_differences (account_id, environment, reference, kind) where state <> 'Closed';
create index reconciliation_differences_newest
  on reconciliation_differences (account_id, environment, first_seen_at desc, id desc);
create index reconciliation_differences_by_time
  on reconciliation_differences (account_id, environment, happened_at) where state <> 'Closed';

-- How far the checks of an account have come. Times are database time.
create table reconciliations (
  account_id text not null,
  environment text not null,
  reconciled_to timestamptz,
  listed_at timestamptz,
  list_error text,
  -- What an operator asked for and the worker has not done yet.
  requested_from timestamptz,
  requested_to timestamptz,
  -- Where the check of the chains goes on; empty at its start.
  chain_cursor text not null,
  chains_checked_at timestamptz,
  primary key (account_id, environment),
  check ((requested_from is null) = (requested_to is null))
);

-- The first checks of the accounts there are come within a day, not all at once.
insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
select account_id, world.environment, 'reconciliation', checked.subject,
  now() + random() * interval '1 day', (extract(epoch from now()) * 1000)::bigint, 0, 0, true, null
from accounts
cross join (values ('sandbox'), ('production')) as world (environment)
cross join (values ('acquirer'), ('chains')) as checked (subject)
on conflict do nothing;
