-- Which keys this database is used with, by a check value of each: the keyed hash of a constant. A key that is replaced is
-- accepted first (Next), then writes (Current) while the one before it is accepted (Previous), and is refused at last.
create table key_checks (
  purpose text not null check (purpose in ('KEY_PEPPER', 'ENCRYPTION_KEY')),
  hash bytea not null,
  state text not null check (state in ('Next', 'Current', 'Previous', 'Retired')),
  changed_at timestamptz not null,
  primary key (purpose, hash)
);
create unique index key_checks_one_of_a_state on key_checks (purpose, state) where state in ('Current', 'Previous');

insert into key_checks select 'KEY_PEPPER', hash, 'Current', clock_timestamp() from pepper_checks;
