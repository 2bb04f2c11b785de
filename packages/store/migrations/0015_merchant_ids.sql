-- Merchant numbers: under which each call is made, and which account has each number of an acquirer.

-- Processes of the release before write none: their calls are made for the number of the account.
alter table acquirer_calls add column merchant_id text;
comment on column acquirer_calls.merchant_id is 'The number of the merchant, as the acquirer has given it, under which the call is made. What follows an authorisation keeps its number. Null: accounts.merchant_id.';

create table merchant_ids (
  environment text not null check (environment in ('sandbox', 'production')),
  acquirer text not null check (length(acquirer) between 1 and 64),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  account_id text not null,
  claimed_at timestamptz not null,
  primary key (environment, acquirer, merchant_id)
);
comment on table merchant_ids is 'The account that has a number of an acquirer: its lists and settlement files would mix two accounts with one number. A relation of its own, because no unique index spans the accounts of a distributed relation.';
comment on column merchant_ids.acquirer is 'As the settings of the processes name it; default where they give no name.';
comment on column merchant_ids.claimed_at is 'Database time.';
create index merchant_ids_of_account on merchant_ids (account_id);

-- Where accounts share a number already, the oldest has it.
insert into merchant_ids (environment, acquirer, merchant_id, account_id, claimed_at)
select e.environment, 'default', a.merchant_id, a.account_id, a.created_at
from accounts a cross join (values ('sandbox'), ('production')) as e (environment)
where length(a.merchant_id) between 1 and 64
order by a.created_at, a.account_id
on conflict do nothing;
insert into merchant_ids (environment, acquirer, merchant_id, account_id, claimed_at)
select e.environment, a.settings -> 'acquirer' ->> e.environment, a.merchant_id, a.account_id, a.created_at
from accounts a cross join (values ('sandbox'), ('production')) as e (environment)
where length(a.merchant_id) between 1 and 64 and a.settings -> 'acquirer' ->> e.environment is not null
order by a.created_at, a.account_id
on conflict do nothing;

comment on column accounts.merchant_id is 'Names the account at every acquirer for which the setting merchantIds has no number.';
