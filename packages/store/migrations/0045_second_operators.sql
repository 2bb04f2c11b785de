-- What waits for a second operator, and whether one is required.

create table operator_approvals (
  id text primary key,
  operation text not null check (length(operation) between 1 and 64),
  target jsonb not null,
  action_hash bytea not null,
  source text not null check (source in ('command', 'portal')),
  state text not null check (state in ('Waiting', 'Approved', 'Refused', 'Done')),
  requested_by text not null,
  requester jsonb not null,
  reason text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decision_reason text,
  decided_at timestamptz,
  done_at timestamptz,
  check ((state = 'Waiting') = (decided_at is null)),
  check ((state = 'Done') = (done_at is not null))
);
comment on table operator_approvals is 'Changes by operators that a second operator has to approve. A row has exactly what may be done, once, and no secret.';
comment on column operator_approvals.target is 'What the change is about: the account, the user and the values.';
comment on column operator_approvals.action_hash is 'SHA-256 of the operation and its target in canonical form. The change is done only if it has the same.';
comment on column operator_approvals.source is 'Requests of the command are decided by the command, those of the portal in the portal.';
comment on column operator_approvals.requester is 'The numbers of the user of the operating system; none in the portal.';
comment on column operator_approvals.expires_at is 'Database time. The change is not done after it, also if it was approved.';
create index operator_approvals_newest on operator_approvals (requested_at desc, id desc);

create table operator_rules (
  id integer primary key check (id = 1),
  second_operator boolean not null
);
comment on table operator_rules is 'One row: what operators of the whole service may do alone.';
comment on column operator_rules.second_operator is 'Whether production keys, operators and roles in production need a second operator.';

insert into operator_rules (id, second_operator) values (1, false);
