-- How the EPOS of an account is reached, and the runs of the EPOS tester.

create table epos_integrations (
  account_id text not null,
  environment text not null,
  kind text not null check (kind in ('grpc', 'rest', 'ws', 'service')),
  url text,
  username text,
  password_ciphertext bytea,
  capabilities jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, environment, kind)
);
comment on table epos_integrations is 'Registrations of an EPOS, one per transport; service: the transport is managed by the operators.';
comment on column epos_integrations.capabilities is 'The capabilities as the EPOS registered them, each with the time of its registration.';

create table tester_runs (
  account_id text not null,
  environment text not null,
  id text not null,
  flow text not null,
  status text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  steps jsonb not null,
  params jsonb not null,
  primary key (account_id, environment, id)
);
comment on table tester_runs is 'Runs of the EPOS tester with their steps.';
create index tester_runs_newest on tester_runs (account_id, environment, started_at desc, id desc);
