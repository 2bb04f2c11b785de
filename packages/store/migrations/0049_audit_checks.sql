-- The daily check of an audit log ends and continues in small steps, and the log of the service has one as well.

alter table reconciliations add column audit_cursor jsonb;
comment on column reconciliations.audit_cursor is 'Where the verification of the audit log continues, and what it has found so far; null at its start.';
