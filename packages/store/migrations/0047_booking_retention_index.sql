-- Bookings that are over are found without a scan of what an account keeps. Outside a transaction.
drop index concurrently if exists epos_bookings_by_retention;
create index concurrently epos_bookings_by_retention on epos_bookings (account_id, environment, keep_until);
