-- Whether an ended lease still holds a lock at the EPOS is asked whenever its session is leased anew.
create index session_leases_locked on session_leases (account_id, environment, session_id)
  where epos_locked and state in ('Released', 'Forced');

-- A payment that a device has taken by itself names its approval by the acquirer's transaction id only.
create index payment_intents_of_transaction on payment_intents
  (account_id, environment, (payment_details ->> 'transactionId'))
  where payment_details is not null;
