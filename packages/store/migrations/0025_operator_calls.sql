-- What people decided about open money and leases: who, when, what, why and how it ended. Insert-only by grant.
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
create index operator_calls_newest on operator_calls (account_id, environment, created_at desc, id desc);
