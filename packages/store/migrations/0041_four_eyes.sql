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

create table four_eyes_requests (
  account_id text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  id text not null,
  version integer not null,
  action jsonb not null,
  action_hash bytea not null,
  summary jsonb not null,
  repeat_key text not null,
  state text not null check (state in ('Waiting', 'Approved', 'Done', 'Failed', 'Refused')),
  requested_by text not null,
  requester jsonb not null,
  reason text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decision_reason text,
  decided_at timestamptz,
  outcome jsonb,
  finished_at timestamptz,
  primary key (account_id, environment, id),
  check ((state = 'Waiting') = (decided_at is null))
);
comment on table four_eyes_requests is 'Give-backs by users of the portal that a second person has to approve. A row has exactly what is done.';
comment on column four_eyes_requests.action is 'The request of the public API that is sent once it is approved.';
comment on column four_eyes_requests.action_hash is 'SHA-256 of the request in canonical form. The API does an approved request only if it has the same.';
comment on column four_eyes_requests.repeat_key is 'A repeat of the request finds the row by it.';
comment on column four_eyes_requests.requester is 'What identifies the requester beside requested_by: the hash of the session of the portal.';
comment on column four_eyes_requests.expires_at is 'Database time. The action is not begun after it, also if it was approved.';
create unique index four_eyes_requests_repeated on four_eyes_requests (account_id, environment, repeat_key);
create index four_eyes_requests_open on four_eyes_requests (account_id, environment, requested_at)
  where state in ('Waiting', 'Approved');
create index four_eyes_requests_newest on four_eyes_requests (account_id, environment, requested_at desc, id desc);
