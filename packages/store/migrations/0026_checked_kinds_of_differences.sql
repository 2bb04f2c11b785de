-- A check of existing rows, which blocks no writes.

alter table reconciliation_differences validate constraint reconciliation_differences_kind_check;
