-- What has expired is found without a scan of what an account keeps. Outside a transaction.
drop index concurrently if exists customer_secrets_by_expiry;
create index concurrently customer_secrets_by_expiry on customer_secrets (account_id, environment, expire_at);
drop index concurrently if exists webhook_subscriptions_deleted;
create index concurrently webhook_subscriptions_deleted on webhook_subscriptions (account_id, environment, deleted_at)
  where deleted_at is not null;
