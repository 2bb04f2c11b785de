-- The daily check of an audit log ends and continues in small steps, and the log of the service has one as well.

alter table reconciliations add column audit_cursor jsonb;
comment on column reconciliations.audit_cursor is 'Where the verification of the audit log continues, and what it has found so far; null at its start.';

-- The log of the service belongs to no account, so nothing else begins its check.
insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
values ('acc_system0000000000000000', 'production', 'reconciliation', 'chains', now() + interval '1 hour',
  (extract(epoch from now()) * 1000)::bigint, 0, 0, true)
on conflict (account_id, environment, kind, subject) do nothing;
