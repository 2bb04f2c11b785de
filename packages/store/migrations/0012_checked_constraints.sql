-- Checks of existing rows, which block no writes.

alter table accounts validate constraint accounts_status_check;
alter table terminals validate constraint terminals_location;
