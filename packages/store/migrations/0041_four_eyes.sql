-- Numbers that an account has given up, and what waits for a second person.

create table retired_merchant_ids (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  acquirer text not null check (length(acquirer) between 1 and 64),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  retired_at timestamptz not null,
  primary key (account_id, environment, acquirer, merchant_id)
);
comment on table retired_merchant_ids is 'Numbers of acquirers that an operator has retired for the account, although calls were made under them. Another account may have them: their books are not read for this account.';
comment on column retired_merchant_ids.retired_at is 'Database time.';
