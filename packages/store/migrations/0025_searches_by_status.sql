-- Searches by status read one index per status in the order of the page, however rare the status is. Outside a transaction.
drop index concurrently if exists payment_intents_by_status;
create index concurrently payment_intents_by_status on payment_intents
  (account_id, environment, status, created_at desc, id desc);
drop index concurrently if exists transactions_by_status;
create index concurrently transactions_by_status on transactions
  (account_id, environment, status, created_at desc, id desc);
drop index concurrently if exists deliveries_by_state;
create index concurrently deliveries_by_state on deliveries
  (account_id, environment, subscription_id, state, created_at desc, id desc);

-- No statement uses it, in this release or in 0.1: the list of open refunds reads acquirer_calls_open.
drop index concurrently if exists acquirer_calls_open_refunds;
