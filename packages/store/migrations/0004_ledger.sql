-- The double-entry ledger. Insert-only by grant; the database refuses postings that do not balance.

create table ledger_entries (
  account_id text not null,
  environment text not null,
  subject_id text not null,
  number integer not null check (number > 0),
  kind text not null,
  reference text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  posted_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, environment, subject_id, number)
);
comment on table ledger_entries is 'One movement of money of a subject: a payment intent or an unlinked refund.';
comment on column ledger_entries.hash is 'Covers the record and previous_hash, so that a changed or missing record is found.';

create table ledger_postings (
  account_id text not null,
  environment text not null,
  subject_id text not null,
  entry_number integer not null,
  line integer not null check (line > 0),
  ledger_account text not null,
  amount bigint not null,
  primary key (account_id, environment, subject_id, entry_number, line),
  foreign key (account_id, environment, subject_id, entry_number)
    references ledger_entries (account_id, environment, subject_id, number)
);
comment on table ledger_postings is 'The postings of an entry. One statement inserts them, and they sum to zero.';

create function refuse_unbalanced_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_postings
    group by account_id, environment, subject_id, entry_number
    having sum(amount) <> 0
  ) then
    raise exception 'the postings of a ledger entry must sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger postings_balance after insert on ledger_postings
  referencing new table as new_postings
  for each statement execute function refuse_unbalanced_postings();

-- The second check, at COMMIT: an entry without postings, or one whose postings do not balance together.
create function refuse_unbalanced_entry() returns trigger language plpgsql as $$
declare
  lines bigint;
  total numeric;
begin
  select count(*), coalesce(sum(p.amount), 0) into lines, total
  from ledger_postings p
  where p.account_id = new.account_id and p.environment = new.environment
    and p.subject_id = new.subject_id and p.entry_number = new.number;
  if lines < 2 or total <> 0 then
    raise exception 'a ledger entry needs two postings or more that sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger entry_balances after insert on ledger_entries
  deferrable initially deferred for each row execute function refuse_unbalanced_entry();
