-- The adapter's own database: one row for each call, stored before the processor is called.
-- Two processes that start together create it one after the other.
select pg_advisory_xact_lock(741055);

create table if not exists calls (
  -- The caller's reference, which is its idempotency key.
  reference text primary key,
  kind text not null check (kind in ('Authorise', 'Increase', 'Capture', 'Refund', 'Reverse')),
  -- The authorisation that the call is about; null for an authorisation.
  original_reference text,
  merchant_id text not null,
  -- A keyed hash of all values, the card number included. Null: reversed before it arrived, so any values match.
  fingerprint text,
  amount bigint not null,
  currency text not null,
  is_sale boolean not null,
  release_rest boolean not null,
  -- An authorisation whose payer cannot be challenged.
  no_challenge boolean not null default false,
  -- The reference of this call at the processor, which takes 24 capital letters and digits. A request with it is booked once.
  processor_ref text not null unique,
  -- The processor's id of the payment, once it is known.
  payment_id text,
  transaction_id uuid not null,
  -- Null: not decided, or the decision is not known here. REVERSED only for an authorisation.
  outcome text check (outcome in ('APPROVED', 'DECLINED', 'FAILED', 'CHALLENGED', 'REVERSED')),
  decided_at timestamptz,
  -- What an answer shows beside the columns: card without number, authorisation code, challenge, total.
  details jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  -- When the last request to the processor was about to be sent; null: none was.
  sent_at timestamptz
);

comment on table calls is 'One call of the service with its reference at the processor and its decision.';
create index if not exists calls_of_authorisation on calls (original_reference);
create index if not exists calls_of_payment on calls (payment_id);
