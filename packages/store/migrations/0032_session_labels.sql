-- Sessions of orders with equal names have a number that distinguishes them and does not change.

create table order_session_labels (
  account_id text not null,
  environment text not null,
  session_id text not null,
  name text not null,
  number integer not null check (number > 0),
  seen_at timestamptz not null,
  primary key (account_id, environment, session_id),
  unique (account_id, environment, name, number)
);
comment on table order_session_labels is 'The number that distinguishes the session of an order from others of the same name (ADR 0028).';
comment on column order_session_labels.seen_at is 'When the session was listed last, to the hour; database time. A number is free a day later.';
