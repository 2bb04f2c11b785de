-- Several acquirers: what each has declared, which of them makes a call, and what their settlement files say.

create table acquirers (
  environment text not null check (environment in ('sandbox', 'production')),
  name text not null check (length(name) between 1 and 64),
  capabilities jsonb not null,
  declared_at timestamptz not null,
  primary key (environment, name)
);
comment on table acquirers is 'What the adapter of each acquirer last declared. A process that does not reach the adapter at its start reads it here.';
comment on column acquirers.name is 'As the settings of the processes name it; default where they give no name.';

-- Processes of the release before write no name: their calls go to the acquirer without a name.
alter table acquirer_calls add column acquirer text not null default 'default';
comment on column acquirer_calls.acquirer is 'The acquirer that is asked. What follows an authorisation goes to the acquirer that has it, also when the account has moved to another.';

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

alter table transactions add column settled_on date;
comment on column transactions.settled_on is 'The day on which the acquirer settled the money; null until a settlement file names it.';
