-- Card machines and what runs on them.

create table terminals (
  account_id text not null,
  environment text not null,
  id text not null,
  tid text not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  unique (account_id, environment, tid)
);

create table terminal_sessions (
  account_id text not null,
  environment text not null,
  id text not null,
  version integer not null,
  terminal_id text not null,
  session_type text not null check (session_type in ('Sale', 'MatchedRefund', 'UnlinkedRefund')),
  status text not null check (status in (
    'InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
    'SignatureVerificationAccepted', 'SignatureVerificationRejected', 'Authorized', 'Captured', 'Canceled',
    'Expired', 'Declined')),
  intent_id text,
  acquirer_reference text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  base_amount bigint not null check (base_amount >= 0),
  tips_amount bigint not null check (tips_amount >= 0),
  cashback_amount bigint not null check (cashback_amount >= 0),
  service_charge_amount bigint not null check (service_charge_amount >= 0),
  capture boolean not null,
  card_holder_not_present boolean not null,
  last_report integer not null check (last_report >= 0),
  card_presented boolean not null,
  signature_decision text,
  expire_at timestamptz not null,
  approval jsonb,
  payment_details jsonb,
  customer_receipt jsonb,
  merchant_receipt jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, terminal_id) references terminals (account_id, environment, id)
);
-- A machine runs one session, an intent is on one machine: two requests at once, and the second is refused here.
create unique index terminal_sessions_one_running on terminal_sessions (account_id, environment, terminal_id)
  where status in ('InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
    'SignatureVerificationAccepted');
create unique index terminal_sessions_one_sale on terminal_sessions (account_id, environment, intent_id)
  where session_type = 'Sale'
    and status in ('InitiateRequested', 'Initiated', 'CancelRequested', 'SignatureVerificationRequired',
      'SignatureVerificationAccepted');
create index terminal_sessions_of_intent on terminal_sessions (account_id, environment, intent_id, created_at);

create table terminal_session_events (
  account_id text not null,
  environment text not null,
  session_id text not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('status', 'notification')),
  name text not null,
  created_at timestamptz not null,
  primary key (account_id, environment, session_id, number),
  foreign key (account_id, environment, session_id) references terminal_sessions (account_id, environment, id)
);

-- Open sockets. A row is live while its gateway renews alive_until; epoch is the database's time of opening in
-- microseconds and decides which is the newest.
create table connections (
  account_id text not null,
  environment text not null,
  kind text not null check (kind in ('machine', 'epos-grpc-stream', 'tables-ws', 'epos-ws')),
  key text not null,
  connection_id text not null,
  epoch bigint not null,
  gateway_id text not null,
  gateway_address text not null,
  alive_until timestamptz not null,
  seen_at timestamptz not null,
  in_use boolean not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (account_id, environment, kind, key, connection_id)
);
create index connections_of_gateway on connections (account_id, environment, gateway_id);
