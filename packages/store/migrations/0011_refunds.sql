-- What a refund was asked for with. Its money is the call to the acquirer of the same reference, which says how it ended.
create table refunds (
  account_id text not null,
  environment text not null,
  id text not null,
  intent_id text not null,
  reason text,
  notes text,
  previous_transaction_id text,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id)
);
create index refunds_of_intent on refunds (account_id, environment, intent_id);
