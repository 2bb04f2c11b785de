-- What a user has given back without a payment is summed without a scan. Outside a transaction.
drop index concurrently if exists terminal_sessions_given_back;
create index concurrently terminal_sessions_given_back
  on terminal_sessions (account_id, environment, given_back_by, created_at) where given_back_by is not null;
