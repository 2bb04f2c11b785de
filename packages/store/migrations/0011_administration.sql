-- Administration: the state of an account, its locations, and what operators change and why.

alter table accounts
  add column status text not null default 'Active',
  add column status_changed_at timestamptz,
  add column status_reason text;
-- The next migration checks the existing rows, without the locks of this one.
alter table accounts add constraint accounts_status_check check (status in ('Active', 'Disabled')) not valid;
comment on column accounts.status is 'The keys of a disabled account are refused.';
comment on column accounts.status_changed_at is 'With status_reason: the last change of the status; null: none.';

create table locations (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  name text not null,
  address text,
  phone_number text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table locations is 'The premises of an account. accounts.location_id names the first one, which has one id in both environments.';
insert into locations (account_id, environment, id, name, address, phone_number, created_at, updated_at)
select a.account_id, e.environment, a.location_id, a.trading_name, a.settings ->> 'site',
  a.settings ->> 'phoneNumber', a.created_at, a.created_at
from accounts a cross join (values ('sandbox'), ('production')) as e (environment);

alter table terminals
  add column location_id text,
  add column model text;
comment on column terminals.location_id is 'Null: the first location of the account.';
comment on column terminals.model is 'The model of the card machine, as the operator has entered it.';
alter table terminals add constraint terminals_location
  foreign key (account_id, environment, location_id) references locations (account_id, environment, id) not valid;

create table audit_entries (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  actor text not null check (length(actor) between 1 and 200),
  action text not null,
  subject text not null,
  reason text not null check (length(reason) between 1 and 1000),
  state_before jsonb,
  state_after jsonb,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table audit_entries is 'Every change by an operator: who, when, why, and the state before and after it, without secrets. Insert-only.';
comment on column audit_entries.account_id is 'acc_system0000000000000000 for changes that belong to no account.';
comment on column audit_entries.created_at is 'Database time.';
create index audit_entries_newest on audit_entries (account_id, environment, created_at desc, id desc);

create table agreed_settings (
  name text primary key,
  value text not null,
  next_value text,
  app text not null,
  changed_at timestamptz not null
);
comment on table agreed_settings is 'Settings that must have one value in all processes. The first process that starts stores its value; no process starts with another one.';
comment on column agreed_settings.next_value is 'While an operator changes the setting: the value that is accepted beside the current one.';
comment on column agreed_settings.app is 'The app whose process stored the value.';

create table schema_compatibility (
  id integer primary key check (id = 1),
  release text not null,
  oldest_release text not null,
  migrated_at timestamptz not null
);
comment on table schema_compatibility is 'One row: the release that migrated last, and the oldest release whose processes work with this schema.';
