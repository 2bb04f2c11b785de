-- Receipts that payers request are limited per payment, so its mails are counted. Outside a transaction.
drop index concurrently if exists mails_of_intent;
create index concurrently mails_of_intent on mails (account_id, environment, intent_id, created_at);
