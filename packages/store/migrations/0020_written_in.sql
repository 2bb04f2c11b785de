-- In which transaction a row of a listing was written. Whoever reads on from a page is told what had not committed when
-- he read it, although it may be older than what he has.
alter table payment_intents add column written_in xid8 not null default pg_current_xact_id();
alter table customers add column written_in xid8 not null default pg_current_xact_id();
alter table transactions add column written_in xid8 not null default pg_current_xact_id();

create index payment_intents_written on payment_intents (account_id, environment, written_in);
create index customers_written on customers (account_id, environment, written_in);
create index transactions_written on transactions (account_id, environment, written_in);
