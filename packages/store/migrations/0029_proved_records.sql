-- Payments that devices report are proved by a card transaction, and each transaction proves one.

create table proved_transactions (
  account_id text not null,
  environment text not null,
  transaction_id text not null,
  payment_id text not null,
  proved_at timestamptz not null,
  primary key (account_id, environment, transaction_id)
);
comment on table proved_transactions is 'The card transactions that prove payments of devices. A transaction proves one payment.';
comment on column proved_transactions.transaction_id is 'The id of the acquirer, in lower case.';
comment on column proved_transactions.payment_id is 'The payment at a table that it proves.';

alter table table_payments add column may_give_back boolean not null default true;
comment on column table_payments.may_give_back is 'False: the key that recorded it may not return money, so the refusal of the EPOS waits for an operator.';

alter table table_payments drop constraint table_payments_state_check;
alter table table_payments add constraint table_payments_state_check check (state in (
  'Unproved', 'Started', 'Approved', 'Recording', 'RecordUnknown', 'Recorded', 'Refused', 'GivingBack', 'GivenBack',
  'Ended', 'NeedsOperator')) not valid;

alter table reconciliation_differences drop constraint reconciliation_differences_kind_check;
alter table reconciliation_differences add constraint reconciliation_differences_kind_check check (kind in
  ('NotAskedFor', 'OtherKind', 'OtherAmount', 'SettledAmount', 'NotApproved', 'NotBooked', 'ListingSum', 'BrokenChain',
  'UnprovedRecord')) not valid;
