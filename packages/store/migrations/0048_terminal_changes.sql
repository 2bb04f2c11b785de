-- Since when a card machine says of itself that it is in use, or not: a terminal's time of change follows its status.
alter table connections add column in_use_since timestamptz;
-- Cards that are kept already are erased once their last month is over, as those that are kept from now on. The time of an
-- account differs from the database's only in a sandbox.
insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
select c.account_id, c.environment, 'card-expiry', c.id,
  over.at - coalesce(clock.offset_ms, 0) * interval '1 millisecond', 0, 0, 0, false, over.at
from saved_cards c
cross join lateral (
  select (make_date(c.expiry_year, c.expiry_month, 1) + interval '1 month') at time zone 'UTC' as at
) over
left join sandbox_clocks clock on clock.account_id = c.account_id and clock.environment = c.environment
where c.state = 'Stored' and c.expiry_month between 1 and 12
on conflict do nothing;
-- The newest session of a terminal says since when the terminal has its status.
create index terminal_sessions_of_terminal on terminal_sessions (account_id, environment, terminal_id, created_at desc, id desc);
