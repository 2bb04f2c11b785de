-- The end of the chain of an unlinked refund's records, kept with its session as that of an intent is with the intent. Null
-- while nothing is posted, and in the rows of older releases, whose records are only checked against each other.
alter table terminal_sessions add column chain_head bytea;
alter table terminal_sessions add column chain_length integer check (chain_length > 0);
