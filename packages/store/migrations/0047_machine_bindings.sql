-- Which machine a terminal belongs to: the one whose stream was first opened under its TID. Of its credential a hash alone is
-- kept. An operator deletes the row to let another machine in; who did that, and why, is in operator_calls.
create table machine_bindings (
  account_id text not null,
  environment text not null,
  terminal_id text not null,
  serial_number text not null check (length(serial_number) between 1 and 64),
  credential_hash bytea not null check (length(credential_hash) = 32),
  bound_at timestamptz not null,
  primary key (account_id, environment, terminal_id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
-- A machine's stream needs a permission of its own. Sandbox keys that may do everything get it, so that machines of a sandbox
-- go on; for production a key has to be issued on purpose.
update api_keys set permissions = permissions || array['machines.connect']
where environment = 'sandbox' and deleted_at is null
  and permissions @> array['tables.use', 'tables.operate', 'epos.connect', 'terminals.sessions', 'payments.refund']
  and not permissions @> array['machines.connect'];
