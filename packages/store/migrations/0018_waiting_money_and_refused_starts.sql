-- Indexes that lead to the oldest money of each state, and the starts that agreed settings refused. Outside a transaction.

-- The state and kind come before the time, so the oldest row of each is the first of its range.
drop index concurrently if exists acquirer_calls_awaited;
create index concurrently acquirer_calls_awaited on acquirer_calls (environment, kind, deadline_at)
  where state in ('Prepared', 'Sent', 'Unknown') and reverse_reference is null;
drop index concurrently if exists table_payments_pending;
create index concurrently table_payments_pending on table_payments (environment, state, since)
  where state not in ('Started', 'Recorded', 'GivenBack', 'Ended');
drop index concurrently if exists order_placements_pending;
create index concurrently order_placements_pending on order_placements (environment, state, since)
  where state not in ('Waiting', 'Completed', 'GivenBack', 'Ended');
drop index concurrently if exists reconciliation_differences_unanswered;
create index concurrently reconciliation_differences_unanswered
  on reconciliation_differences (environment, kind, first_seen_at) where state = 'Open';

-- Only refunds on card machines are found by their session. The old index had an entry for every version of every call.
drop index concurrently if exists acquirer_calls_machine_refunds;
create index concurrently acquirer_calls_machine_refunds
  on acquirer_calls (account_id, environment, terminal_session_id)
  where kind = 'Refund' and terminal_session_id is not null;
drop index concurrently if exists acquirer_calls_of_session;

-- No statement finds a payment by its session, in this release or in 0.1.
drop index concurrently if exists table_payments_of_session;

alter table agreed_settings add column if not exists refused jsonb not null default '{}';
comment on column agreed_settings.refused is 'By app: the value of the last process that did not start because of it, and when. Deleted by the next start of the app with an accepted value.';
