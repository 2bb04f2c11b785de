import type pg from 'pg';

/** Rows by number: most are finished long ago, as in a database of years. `$1` to `$2` are the numbers of the rows. */
export const STATE_INSERTS: Readonly<Record<string, string>> = {
  lanes: `insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures)
    select 'acc_' || n % 7, 'sandbox', 'lane' || n, 1, STATE::integer, now() - interval '1 minute', 1, 0`,
  timers: `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
    select 'acc_' || n % 7, 'production', 'retention', 's' || n,
      now() + case when STATE::integer = 1 then interval '-90 seconds' else interval '1 day' end, 1, 0, 0, false`,
  acquirer_calls: `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, amount, currency, state,
      deadline_at, version, created_at, updated_at)
    select 'acc_' || n % 7, 'sandbox', 'merchant-1', 'r' || n, 'Capture', 1, 'GBP',
      case when STATE::integer = 1 then 'Unknown' else 'Settled' end, now() - interval '70 seconds', 1, now(), now()`,
  table_payments: `insert into table_payments (account_id, environment, id, origin, session_id, state, base_amount,
      gratuity_amount, cashback_amount, currency, record_calls, is_unanswered, lock_rounds, tries, since, version,
      created_at, updated_at)
    select 'acc_' || n % 7, 'production', 'tp' || n, 'journey', 's', case when STATE::integer = 1 then 'Recording' else 'Recorded' end,
      1, 0, 0, 'GBP', 0, false, 0, 0, now() - interval '100 seconds', 1, now(), now()`,
  order_placements: `insert into order_placements (account_id, environment, id, intent_id, placed_order, state, total_amount,
      gratuity_amount, currency, place_calls, is_unanswered, is_hold_ending, is_money_gone, tries, may_order_stand, since,
      version, created_at, updated_at)
    select 'acc_' || n % 7, 'sandbox', 'op' || n, 'pi' || n, '{}', case when STATE::integer = 1 then 'Placing' else 'Completed' end,
      1, 0, 'GBP', 0, false, false, false, 0, false, now() - interval '50 seconds', 1, now(), now()`,
  alarms: `insert into alarms (account_id, environment, id, kind, subject, occurrence, message, details, created_at,
      answered_at, answered_by, answer)
    select 'acc_' || n % 7, 'production', 'a' || n, 'MoneyNotReturned', 's' || n, '', 'm', '{}', now(),
      case when STATE::integer = 0 then now() end, case when STATE::integer = 0 then 'key' end, case when STATE::integer = 0 then 'done' end`,
  reconciliation_differences: `insert into reconciliation_differences (account_id, environment, id, kind, reference, says,
      happened_at, state, first_seen_at, last_seen_at)
    select 'acc_' || n % 7, 'sandbox', 'd' || n, 'NotBooked', 'r' || n, 's', now(),
      case when STATE::integer = 1 then 'Open' else 'Closed' end, now() - interval '1 hour', now()`,
  uncompared_days: `insert into uncompared_days (account_id, environment, acquirer, day, reason, problem, since)
    select 'acc_' || n, 'production', 'north', current_date,
      case when STATE::integer = 1 then 'BooksUnread' else 'WaitingForSettlement' end,
      case when STATE::integer = 1 then 'down' end, now() - interval '2 hours'`,
  session_leases: `insert into session_leases (account_id, environment, lease_id, session_id, owner, requestor, state,
      epos_locked, open_payments, acquired_at, expires_at, version)
    select 'acc_' || n % 7, 'sandbox', 'l' || n, 's' || n, 'o', '{}', case when STATE::integer = 1 then 'Held' else 'Released' end,
      false, 0, now() - interval '5 seconds', now(), 1`,
};

/** Rows of every relation that the state of the service counts, all open or all ended. */
export async function insertStateRows(owner: pg.Client, state: 'open' | 'ended', count: number): Promise<void> {
  for (const text of Object.values(STATE_INSERTS)) {
    const offset = state === 'open' ? 1_000_000 : 0;
    const rows = `from generate_series(${offset + 1}, ${offset + count}) n`;
    await owner.query(`${text.replaceAll('STATE', state === 'open' ? '1' : '0')} ${rows}`);
  }
}
