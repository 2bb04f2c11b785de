-- Who gives money back without a payment, and open requests by their content.

alter table terminal_sessions add column if not exists given_back_by text;
comment on column terminal_sessions.given_back_by is 'The user of the portal who gives money back without a payment and without a second person. Null for every other session.';
create index four_eyes_requests_equal on four_eyes_requests (account_id, environment, action_hash)
  where state in ('Waiting', 'Approved');
