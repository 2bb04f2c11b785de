-- Path and key of a request are its caller's text, which may be anything: from here on rows hold keyed hashes of both.
-- Rows of releases that wrote the text are still found by it, and re-written by the first request that asks for them.
alter table idempotency_keys add column is_keyed boolean not null default false;

-- A process of such a release that still runs would not see what was done under a key by a process of this one. It is
-- answered as by a lock that it cannot have, and has its caller come again.
create function refuse_clear_idempotency_key() returns trigger language plpgsql as $$
begin
  raise exception 'idempotency keys are stored as keyed hashes' using errcode = 'lock_not_available';
end
$$;
create trigger idempotency_keys_are_keyed before insert on idempotency_keys
  for each row when (not new.is_keyed) execute function refuse_clear_idempotency_key();
