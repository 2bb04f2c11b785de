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
-- A machine's stream needs a permission of its own. Keys that may do everything else get it: they make the other keys, and give
-- nothing that they have not got. To a key that opened machines' streams by `tables.use` alone it has to be given on purpose.
update api_keys set permissions = permissions || array['machines.connect']
where deleted_at is null
  and permissions @> array['payments.read', 'payments.write', 'payments.online', 'payments.capture', 'payments.refund',
    'payments.charge', 'setup.read', 'setup.write', 'customers.read', 'customers.write', 'webhooks.read', 'webhooks.write',
    'terminals.read', 'terminals.sessions', 'transactions.read', 'epos.read', 'epos.write', 'epos.connect', 'tables.use',
    'tables.operate', 'tester.run']
  and not permissions @> array['machines.connect'];
