-- Cards that are set up for a later payment, and the charges of them.

-- The setup intent whose card a call authorises, or charges for the payment that intent_id names.
alter table acquirer_calls add column setup_intent_id text;
create index acquirer_calls_of_setup_intent on acquirer_calls (account_id, environment, setup_intent_id, created_at)
  where setup_intent_id is not null;

-- Without a secret nobody else's browser has asked: the merchant charges a card, or has typed it in himself.
alter table online_attempts alter column secret_hash drop not null, alter column secret_expire_at drop not null;
alter table online_attempts add check ((secret_hash is null) = (secret_expire_at is null));
alter table online_attempts add foreign key (account_id, environment, setup_intent_id)
  references setup_intents (account_id, environment, id);
create index online_attempts_of_setup_intent
  on online_attempts (account_id, environment, setup_intent_id, created_at);
