-- The pending list asks for refunds of card machines whose end nobody knows; there are few, among many calls.
create index acquirer_calls_open_refunds on acquirer_calls (account_id, environment, updated_at)
  where kind = 'Refund' and state = 'Unknown';
