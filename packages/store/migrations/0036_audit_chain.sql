-- The audit log is a hash chain per account and environment, and names the operating-system user of a command.

-- The lock of this change is kept until the commit, so no entry is written between the anchor and the trigger.
alter table audit_entries
  add column operating_system_user text,
  add column number bigint,
  add column previous_hash bytea,
  add column hash bytea;
comment on column audit_entries.operating_system_user is 'Who ran the command according to its machine; null for changes by the portal, and in older rows.';
comment on column audit_entries.number is 'The position in the chain; null for entries that were written before the chain. audit_chains.anchor covers those.';
comment on column audit_entries.hash is 'SHA-256 of previous_hash and the record, so that a changed, removed or moved entry is found.';
create unique index audit_entries_chain on audit_entries (account_id, environment, number);

create table audit_chains (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  length bigint not null check (length >= 0),
  head bytea not null,
  unchained bigint not null check (unchained >= 0),
  anchor bytea not null,
  primary key (account_id, environment)
);
comment on table audit_chains is 'Where the chain of audit entries ends. No login of the service writes it: the trigger of audit_entries does.';
comment on column audit_chains.unchained is 'How many entries are older than the chain.';
comment on column audit_chains.anchor is 'SHA-256 of the hashes of the older entries by time and id, where the chain begins; empty without any.';

-- The text that the hash of an entry is made of.
create function audit_record(entry audit_entries) returns text language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_array(
    entry.account_id, entry.environment, entry.number, entry.id, entry.actor, entry.operating_system_user, entry.action,
    entry.subject, entry.reason, entry.state_before, entry.state_after,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')
  )::text
$$;

insert into audit_chains (account_id, environment, length, head, unchained, anchor)
select account_id, environment, 0, anchor, unchained, anchor
from (
  select e.account_id, e.environment, count(*) as unchained,
    sha256(string_agg(sha256(convert_to(audit_record(e), 'UTF8')), ''::bytea order by e.created_at, e.id)) as anchor
  from audit_entries e group by e.account_id, e.environment
) older;

-- With the rights of the owner: the logins of the service cannot move the end of a chain.
create function chain_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_chains as chain (account_id, environment, length, head, unchained, anchor)
  values (new.account_id, new.environment, 1, ''::bytea, 0, ''::bytea)
  on conflict (account_id, environment) do update set length = chain.length + 1
  returning chain.length, chain.head into new.number, new.previous_hash;
  new.hash := sha256(new.previous_hash || convert_to(audit_record(new), 'UTF8'));
  update audit_chains set head = new.hash
  where account_id = new.account_id and environment = new.environment;
  return new;
end $$;
create trigger audit_entry_chain before insert on audit_entries
  for each row execute function chain_audit_entry();
