-- An order of the EPOS Data API stands for a session: the id that it is known by at the table, and our lock on it.
create table order_sessions (
  account_id text not null,
  environment text not null,
  session_id text not null,
  order_id text not null,
  first_seen_at timestamptz not null,
  primary key (account_id, environment, session_id),
  unique (account_id, environment, order_id)
);

-- expires_at is database time, as the lease above it: a lock is a deadline. Extending it is a timer's work.
create table order_locks (
  account_id text not null,
  environment text not null,
  session_id text not null,
  order_id text not null,
  lock_id text not null,
  state text not null check (state in ('Coming', 'Held', 'Lost')),
  expires_at timestamptz not null,
  requestor jsonb not null,
  version integer not null,
  primary key (account_id, environment, session_id)
);
