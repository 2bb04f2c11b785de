-- Which KEY_PEPPER the keyed hashes of this database are made with: the keyed hash of a constant, written by the first
-- process that opens the database, and never changed.
create table pepper_checks (
  is_the_one boolean primary key default true check (is_the_one),
  hash bytea not null
);

-- From that row on, and not from migration 0030 on, the processes of releases that stored idempotency keys in clear can
-- begin nothing under a key: before it every process there is writes and reads them as they do.
create or replace function refuse_clear_idempotency_key() returns trigger language plpgsql as $$
begin
  if exists (select from pepper_checks) then
    raise exception 'idempotency keys are stored as keyed hashes' using errcode = 'lock_not_available';
  end if;
  return new;
end
$$;

-- What is left of those releases, until the workers have hashed all of it.
create index idempotency_keys_in_clear on idempotency_keys (account_id, environment) where not is_keyed;
