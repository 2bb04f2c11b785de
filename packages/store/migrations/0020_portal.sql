-- The portal: its users, what each may do in which account, and their sessions.

create table portal_users (
  id text primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 100),
  password_hash text not null,
  is_operator boolean not null,
  status text not null check (status in ('Active', 'Disabled')),
  created_at timestamptz not null,
  password_changed_at timestamptz not null
);
comment on table portal_users is 'The people who sign in to the portal.';
comment on column portal_users.password_hash is 'Argon2id, with its parameters and salt.';
comment on column portal_users.id is 'Never deleted, so that memberships, sessions and audit entries that name it need no foreign key.';
comment on column portal_users.is_operator is 'An operator works in all accounts and needs no memberships.';

create table portal_memberships (
  user_id text not null,
  member_account text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  role text not null check (role in ('viewer', 'support', 'developer', 'admin')),
  granted_at timestamptz not null,
  primary key (user_id, member_account, environment)
);
comment on table portal_memberships is 'The role of a user of the portal in one environment of one account.';

create table portal_sessions (
  id_hash bytea primary key check (length(id_hash) = 32),
  user_id text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  authenticated_at timestamptz not null,
  chosen_account text,
  chosen_environment text check (chosen_environment in ('sandbox', 'production')),
  check ((chosen_account is null) = (chosen_environment is null))
);
comment on table portal_sessions is 'Who is signed in to the portal. All times are database time. The row of a session that has ended is deleted.';
comment on column portal_sessions.id_hash is 'SHA-256 of the id in the cookie, which is not stored.';
comment on column portal_sessions.used_at is 'To the minute.';
comment on column portal_sessions.authenticated_at is 'When the user last entered the password.';
create index portal_sessions_of_user on portal_sessions (user_id);

create table portal_request_nonces (
  account_id text not null,
  environment text not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (account_id, environment, nonce)
);
comment on table portal_request_nonces is 'The tokens of the portal that the API has accepted, so that each is accepted once. Rows are deleted after the token has expired.';
create index portal_request_nonces_expiry on portal_request_nonces (account_id, environment, expires_at);
