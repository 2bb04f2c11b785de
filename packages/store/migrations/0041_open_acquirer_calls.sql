-- Calls to the acquirer that have not ended, for the operators' pending list.
create index acquirer_calls_open on acquirer_calls (account_id, environment, deadline_at)
  where state <> 'Settled' and reverse_reference is null;
