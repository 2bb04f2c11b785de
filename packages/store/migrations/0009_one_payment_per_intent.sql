-- The money of an intent belongs to one payment at a table: a second one could give back what the first has recorded.
drop index table_payments_of_intent;
create unique index table_payments_of_intent on table_payments (account_id, environment, intent_id)
  where intent_id is not null;
