-- Mails to send, written with the change that caused them. In a sandbox they stay here, for nothing leaves it.
create table mails (
  account_id text not null,
  environment text not null,
  id text not null,
  state text not null check (state in ('Waiting', 'Sent', 'GivenUp', 'Mailbox')),
  intent_id text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  attempts integer not null check (attempts >= 0),
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  check ((state = 'Mailbox') = (environment = 'sandbox'))
);
create index mails_newest on mails (account_id, environment, created_at desc, id desc);
