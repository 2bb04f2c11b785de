-- The secrets of open payment pages: each page has one of its own, which no other page voids.
create table page_secrets (
  account_id text not null,
  environment text not null,
  secret_hash bytea not null,
  intent_id text,
  setup_intent_id text,
  total bigint,
  currency text,
  used_by text,
  created_at timestamptz not null,
  expire_at timestamptz not null,
  primary key (account_id, environment, secret_hash),
  check (num_nonnulls(intent_id, setup_intent_id) = 1),
  check (num_nonnulls(total, currency) in (0, 2)),
  foreign key (account_id, environment, intent_id) references payment_intents (account_id, environment, id),
  foreign key (account_id, environment, setup_intent_id) references setup_intents (account_id, environment, id)
);
comment on table page_secrets is 'One-time secrets of payment pages, beside the secret of the intent itself. Only the keyed hash is stored.';
comment on column page_secrets.total is 'What the page showed, in minor units: the secret pays no other total. Null for a setup intent.';
comment on column page_secrets.used_by is 'The reference of the attempt that used the secret up; null: it is unused. A used one proves who has paid.';
create index page_secrets_of_intent on page_secrets (account_id, environment, intent_id) where intent_id is not null;
create index page_secrets_of_setup_intent
  on page_secrets (account_id, environment, setup_intent_id) where setup_intent_id is not null;
