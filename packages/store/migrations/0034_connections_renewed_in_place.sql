-- Every open socket is a new version of its row every 3 s (ADR 0041). With room on its page, and in no index that changes,
-- a version is written in place of one before it.
alter table connections set (fillfactor = 40);

-- Rows are renewed by their primary key.
drop index connections_of_gateway;
