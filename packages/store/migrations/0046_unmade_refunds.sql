-- A refund on a card machine that neither the machine nor the acquirer knows of: what the machine said, and how often in a row
-- the acquirer has answered since that it knows of none. Null is no and none: processes of the release before write neither.
alter table terminal_sessions add column unknown_to_machine boolean;
alter table acquirer_calls add column not_found_count integer check (not_found_count >= 0);
-- Gateways read, every second, the expired sessions of their machines whose end is open: they are few.
create index acquirer_calls_unknown_on_machines on acquirer_calls (account_id, environment, terminal_session_id)
  where state = 'Unknown' and terminal_session_id is not null;
