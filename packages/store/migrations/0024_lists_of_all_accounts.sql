-- Operators list dead letters and the audit log over all accounts. Outside a transaction.
drop index concurrently if exists deliveries_dead_lettered;
create index concurrently deliveries_dead_lettered on deliveries (account_id, environment) where state = 'DeadLettered';
drop index concurrently if exists audit_entries_by_time;
create index concurrently audit_entries_by_time on audit_entries (created_at desc, id desc);
