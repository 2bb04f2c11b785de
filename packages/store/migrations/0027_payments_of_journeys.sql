-- A payment of a device belongs to no journey: it needs no entry in the index of journeys. Outside a transaction.
drop index concurrently if exists table_payments_by_journey;
create index concurrently table_payments_by_journey on table_payments
  (account_id, environment, journey_id, created_at) where journey_id is not null;
drop index concurrently if exists table_payments_of_journey;
