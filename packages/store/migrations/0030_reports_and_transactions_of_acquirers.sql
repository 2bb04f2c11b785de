-- Postponed reports of card machines, and payments by the acquirer's own transaction ids. Outside a transaction.
alter table terminal_sessions add column if not exists postponed_report integer;
comment on column terminal_sessions.postponed_report is 'The number of the last report that was not applied because reports are missing before it. Its repetition is applied.';

drop index concurrently if exists payment_intents_of_acquirer_transaction;
create index concurrently payment_intents_of_acquirer_transaction on payment_intents
  (account_id, environment, (payment_details ->> 'acquirerTransactionId'))
  where payment_details ->> 'acquirerTransactionId' is not null;
