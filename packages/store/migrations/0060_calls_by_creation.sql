-- Reconciliation compares the calls of a span of time with the list of the acquirer.
create index acquirer_calls_by_creation on acquirer_calls (account_id, environment, created_at, reference);
