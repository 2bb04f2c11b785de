-- The next pass of a check over all days.

alter table reconciliations add column next_pass_at timestamptz;
comment on column reconciliations.next_pass_at is 'When all days are compared again that need it; null: with the next check. Until then a check compares only the days whose books could not be read, and what an operator requested.';
comment on column reconciliations.reconciled_to is 'Every day before it was compared, except those in uncompared_days.';
comment on column reconciliations.listed_at is 'When the books of an acquirer were compared last.';
comment on table uncompared_days is 'Days of our calls whose comparison with an acquirer is incomplete. Compared again for 62 days, and when an operator requests it. A complete comparison of the day deletes the row.';
