-- Lines of money that moved before there was a listing, from the calls to the acquirer and what became of the payments.
-- A call that has its line is left alone, so this may run again. A call without an end has no line yet.
create index if not exists transactions_of_intent on transactions (account_id, environment, intent_id);

with ended as (
  select c.account_id, c.environment, c.reference, c.kind, c.outcome, c.amount as asked, c.currency, c.intent_id,
    c.setup_intent_id, c.terminal_session_id, c.created_at as asked_at, c.updated_at as ended_at,
    coalesce(c.result -> 'approval', c.result -> 'decline', '{}'::jsonb) as said, i.status as intent_status,
    i.capture_mode, i.amount as price, coalesce(i.service_charge_amount, 0) as service, i.authorized, i.captured,
    coalesce(i.tips_amount, 0) as tips, coalesce(i.cashback_amount, 0) as cashback, i.authorized_at,
    i.authorized_at + case i.auto_expire_action when 'Capture' then 604800000
      else least(coalesce(i.auto_expire_in_ms, 604800000), 604800000) end * interval '1 millisecond' as hold_ends_at,
    i.reference as intent_reference, i.payment_source, i.payment_details as taken,
    c.kind = 'Authorise' and i.authorized > 0 and c.reference = i.payment_details ->> 'reference' as is_booked,
    (select k -> 'tipsAmount' ->> 'value' from jsonb_array_elements(i.details -> 'captures') k
     where c.kind = 'Capture' and k ->> 'id' = c.reference)::bigint as capture_tips,
    (select max(e.posted_at) from ledger_entries e
     where e.account_id = c.account_id and e.environment = c.environment and e.subject_id = c.intent_id
       and e.kind = 'reverse') as reversed_at
  from acquirer_calls c
  left join payment_intents i on i.account_id = c.account_id and i.environment = c.environment and i.id = c.intent_id
  where c.state = 'Settled'
    and (c.kind = 'Authorise' and c.intent_id is not null
      and (c.outcome = 'Declined' or c.outcome in ('Approved', 'Reversed') and c.result ->> 'kind' = 'approved')
      or c.kind = 'Capture' and c.outcome = 'Approved'
      or c.kind = 'Refund' and c.outcome in ('Approved', 'Declined'))
    and not exists (select from transactions t
      where t.account_id = c.account_id and t.environment = c.environment and t.acquirer_reference = c.reference)
), parts as (
  select ended.*, kind <> 'Authorise' and not said ? 'card' as is_followed,
    case when is_booked then authorized else asked end as total,
    case
      when kind = 'Capture' then coalesce(capture_tips, 0)
      when kind = 'Refund' then 0
      when is_booked then authorized - price - service - cashback
      when asked > tips + cashback then tips
      else 0
    end as of_tips,
    case when kind = 'Authorise' then least(cashback, asked) else 0 end as of_cashback
  from ended
), lines as (
  select parts.*,
    case kind when 'Capture' then 'Collection' when 'Refund' then 'Refund'
      else case capture_mode when 'Auto' then 'Sale' else 'PreAuth' end end as type,
    case
      when outcome = 'Declined' then 'Declined'
      when kind <> 'Authorise' then 'Authorized'
      when not is_booked then 'Reversed'
      when intent_status = 'Reversed' and capture_mode = 'Manual' and reversed_at >= hold_ends_at then 'Expired'
      when intent_status = 'Reversed' then 'Reversed'
      when capture_mode = 'Auto' or captured = authorized then 'Authorized'
      when intent_status = 'Authorized' then 'AwaitingCollection'
      else 'Released'
    end as status,
    case when is_followed then taken else said end as shown,
    coalesce(case when is_booked then authorized_at end, ended_at) as dated_at,
    case when is_followed then null else lower(said ->> 'transactionId') end as told_id,
    md5('transaction ' || reference)::uuid::text as own_id
  from parts
), numbered as (
  select lines.*,
    row_number() over (partition by account_id, environment order by dated_at, asked_at, reference) as place,
    row_number() over (partition by account_id, environment, told_id order by dated_at, asked_at, reference) as telling
  from lines
), counted as (
  insert into transaction_counters (account_id, environment, last)
  select account_id, environment, count(*) from numbered group by account_id, environment
  on conflict (account_id, environment) do update set last = transaction_counters.last + excluded.last
  returning account_id, environment, last
)
insert into transactions (account_id, environment, id, legacy_id, acquirer_reference, type, status, currency, amount,
  tips_amount, cashback_amount, auth_code, card, is_charge, intent_id, reference, payment_source, terminal_id, created_at,
  updated_at)
select n.account_id, n.environment,
  case when n.telling = 1 and n.told_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and not exists (
    select from transactions t
    where t.account_id = n.account_id and t.environment = n.environment and t.id = n.told_id) then n.told_id
    else n.own_id end,
  counted.last - max(n.place) over (partition by n.account_id, n.environment) + n.place,
  n.reference, n.type, n.status, n.currency, n.total - n.of_tips - n.of_cashback, n.of_tips, n.of_cashback,
  coalesce(n.shown ->> 'authCode', ''), nullif(n.shown -> 'card', 'null'::jsonb),
  n.kind = 'Authorise' and n.setup_intent_id is not null, n.intent_id, n.intent_reference, n.payment_source,
  (select s.terminal_id from acquirer_calls c
   join terminal_sessions s
     on s.account_id = c.account_id and s.environment = c.environment and s.id = c.terminal_session_id
   where c.account_id = n.account_id and c.environment = n.environment
     and c.reference = case when n.is_followed then n.taken ->> 'reference' else n.reference end),
  n.dated_at, n.dated_at
from numbered n
join counted on counted.account_id = n.account_id and counted.environment = n.environment;
