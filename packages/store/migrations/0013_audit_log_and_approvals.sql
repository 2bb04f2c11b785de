-- The audit log, a hash chain per account and environment, and changes that wait for a second person.

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
  operating_system_user text,
  number bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, environment, id)
);
comment on table audit_entries is 'Every change by an operator: who, when, why, and the state before and after it, without secrets. Insert-only.';
comment on column audit_entries.account_id is 'acc_system0000000000000000 for changes that belong to no account.';
comment on column audit_entries.created_at is 'Database time.';
comment on column audit_entries.operating_system_user is 'Who ran the command according to its machine; null for changes by the portal.';
comment on column audit_entries.number is 'The position in the chain, from 1. With previous_hash and hash it is written by the trigger.';
comment on column audit_entries.hash is 'SHA-256 of previous_hash and the record, so that a changed, removed or moved entry is found.';
create index audit_entries_newest on audit_entries (account_id, environment, created_at desc, id desc);
create index audit_entries_by_time on audit_entries (created_at desc, id desc);
create unique index audit_entries_chain on audit_entries (account_id, environment, number);

create table audit_chains (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  length bigint not null check (length >= 0),
  head bytea not null,
  primary key (account_id, environment)
);
comment on table audit_chains is 'Where the chain of audit entries ends. No login of the service writes it: the trigger of audit_entries does.';

-- The text that the hash of an entry is made of.
create function audit_record(entry audit_entries) returns text language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_array(
    entry.account_id, entry.environment, entry.number, entry.id, entry.actor, entry.operating_system_user, entry.action,
    entry.subject, entry.reason, entry.state_before, entry.state_after,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')
  )::text
$$;

-- With the rights of the owner: the logins of the service cannot move the end of a chain.
create function chain_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_chains as chain (account_id, environment, length, head)
  values (new.account_id, new.environment, 1, ''::bytea)
  on conflict (account_id, environment) do update set length = chain.length + 1
  returning chain.length, chain.head into new.number, new.previous_hash;
  new.hash := sha256(new.previous_hash || convert_to(audit_record(new), 'UTF8'));
  update audit_chains set head = new.hash
  where account_id = new.account_id and environment = new.environment;
  return new;
end $$;
create trigger audit_entry_chain before insert on audit_entries
  for each row execute function chain_audit_entry();

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

create table four_eyes_requests (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  version integer not null,
  action jsonb not null,
  action_hash bytea not null,
  summary jsonb not null,
  repeat_key text not null,
  state text not null check (state in ('Waiting', 'Approved', 'Done', 'Failed', 'Refused')),
  requested_by text not null,
  requester jsonb not null,
  reason text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decision_reason text,
  decided_at timestamptz,
  outcome jsonb,
  finished_at timestamptz,
  primary key (account_id, environment, id),
  check ((state = 'Waiting') = (decided_at is null))
);
comment on table four_eyes_requests is 'Give-backs by users of the portal that a second person has to approve. A row has exactly what is done.';
comment on column four_eyes_requests.action is 'The request of the public API that is sent once it is approved.';
comment on column four_eyes_requests.action_hash is 'SHA-256 of the request in canonical form. The API does an approved request only if it has the same.';
comment on column four_eyes_requests.repeat_key is 'A repeat of the request finds the row by it.';
comment on column four_eyes_requests.requester is 'What identifies the requester beside requested_by: the hash of the session of the portal.';
comment on column four_eyes_requests.expires_at is 'Database time. The action is not begun after it, also if it was approved.';
create unique index four_eyes_requests_repeated on four_eyes_requests (account_id, environment, repeat_key);
create index four_eyes_requests_open on four_eyes_requests (account_id, environment, requested_at)
  where state in ('Waiting', 'Approved');
create index four_eyes_requests_newest on four_eyes_requests (account_id, environment, requested_at desc, id desc);
create index four_eyes_requests_equal on four_eyes_requests (account_id, environment, action_hash)
  where state in ('Waiting', 'Approved');
