-- Which signed internal calls were admitted, over all processes of an app.

create table internal_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
comment on table internal_nonces is 'The nonces of signed internal calls that change something, so that each call is admitted once over all processes. Rows are deleted after the signature has ended.';
create index internal_nonces_expiry on internal_nonces (expires_at);
