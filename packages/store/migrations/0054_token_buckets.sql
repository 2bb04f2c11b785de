-- What is left of each rate limit that all processes of an app share (decision 59). A row has no account: it belongs to a
-- key, an address or an intent, whose name is hashed. Unlogged: after a crash of the server every bucket is full again.
-- spent, wanted and granted are the last request of a process and its answer.
create unlogged table token_buckets (
  name bytea primary key,
  burst double precision not null,
  per_second double precision not null,
  spent integer not null,
  wanted integer not null,
  granted integer not null,
  tokens double precision not null,
  updated_at timestamptz not null
) with (fillfactor = 50);
