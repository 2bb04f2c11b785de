-- A page of a customer's payments reads its statuses in order, however many payments there are. Outside a transaction.
drop index concurrently if exists payment_intents_of_customer_by_status;
create index concurrently payment_intents_of_customer_by_status on payment_intents
  (account_id, environment, (details -> 'customer' ->> 'customerId'), status, created_at desc, id desc)
  where details -> 'customer' ->> 'customerId' is not null;
