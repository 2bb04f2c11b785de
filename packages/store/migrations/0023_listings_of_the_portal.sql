-- Indexes of the listings that people read, and the saved views of users of the portal. Outside a transaction.

-- The payments of one customer, newest first.
drop index concurrently if exists payment_intents_of_customer;
create index concurrently payment_intents_of_customer on payment_intents
  (account_id, environment, (details -> 'customer' ->> 'customerId'), created_at desc, id desc)
  where details -> 'customer' ->> 'customerId' is not null;

-- Customers whose name or address begins with a text.
drop index concurrently if exists customers_by_name;
create index concurrently customers_by_name on customers (account_id, environment, lower(name) text_pattern_ops)
  where deleted_at is null;
drop index concurrently if exists customers_by_email_address;
create index concurrently customers_by_email_address on customers
  (account_id, environment, lower(email_address) text_pattern_ops) where deleted_at is null;

-- The orders that were submitted with their payment, newest first.
drop index concurrently if exists order_placements_newest;
create index concurrently order_placements_newest on order_placements (account_id, environment, created_at desc, id desc);

alter table portal_users add column if not exists payment_views jsonb not null default '[]';
comment on column portal_users.payment_views is 'Named filters of the list of payments, of this user alone.';
