-- The portal: its users, what each may do in which account, their sessions and second factors.

create table portal_users (
  id text primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 100),
  password_hash text not null,
  is_operator boolean not null,
  status text not null check (status in ('Active', 'Disabled')),
  created_at timestamptz not null,
  password_changed_at timestamptz not null,
  payment_views jsonb not null default '[]',
  password_is_temporary boolean not null default false,
  last_sign_in_at timestamptz,
  enabled_at timestamptz
);
comment on table portal_users is 'The people who sign in to the portal.';
comment on column portal_users.password_hash is 'Argon2id, with its parameters and salt.';
comment on column portal_users.id is 'Never deleted, so that memberships, sessions and audit entries that name it need no foreign key.';
comment on column portal_users.is_operator is 'An operator works in all accounts and needs no memberships.';
comment on column portal_users.payment_views is 'Named filters of the list of payments, of this user alone.';
comment on column portal_users.password_is_temporary is 'Somebody else has set the password. It opens nothing but its own change.';
comment on column portal_users.enabled_at is 'When an operator has enabled the user again. Days without a sign-in count from here at the earliest.';

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
  has_entered_password boolean not null default true,
  browser text,
  network_address text,
  second_factor_at timestamptz,
  check ((chosen_account is null) = (chosen_environment is null))
);
comment on table portal_sessions is 'Who is signed in to the portal. All times are database time. The row of a session that has ended is deleted.';
comment on column portal_sessions.id_hash is 'SHA-256 of the id in the cookie, which is not stored.';
comment on column portal_sessions.used_at is 'To the minute.';
comment on column portal_sessions.authenticated_at is 'When the user last entered the password.';
comment on column portal_sessions.has_entered_password is 'False for a session by an identity provider, until its user enters the password.';
comment on column portal_sessions.browser is 'The header user-agent of the sign-in, without control characters.';
comment on column portal_sessions.second_factor_at is 'When the user gave a second factor; null: not in this session.';
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

create table portal_password_history (
  user_id text not null,
  set_at timestamptz not null,
  password_hash text not null,
  primary key (user_id, set_at)
);
comment on table portal_password_history is 'Earlier passwords of users as Argon2id hashes, so that none of the last four is set again.';

create table portal_sign_in_attempts (
  user_id text not null,
  source text not null check (length(source) between 1 and 100),
  attempts integer not null check (attempts > 0),
  last_attempt_at timestamptz not null,
  locked_until timestamptz,
  primary key (user_id, source)
);
comment on table portal_sign_in_attempts is 'Attempts to enter the password of a user since the last one that succeeded. A row is deleted by success.';
comment on column portal_sign_in_attempts.source is 'A browser that has signed in before (device_…), all other browsers together (any), or the open sessions of the user (session).';

create table portal_passkeys (
  account_id text not null,
  environment text not null,
  credential_id text not null check (length(credential_id) between 1 and 1400),
  user_id text not null,
  name text not null check (length(name) between 1 and 100),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, environment, credential_id)
);
comment on table portal_passkeys is 'The passkeys of users of the portal. A credential belongs to one user.';
comment on column portal_passkeys.counter is 'Of the last signature. A passkey that counts must count on: a lower number is of a copy.';
create index portal_passkeys_of_user on portal_passkeys (account_id, environment, user_id);

create table portal_totp_secrets (
  account_id text not null,
  environment text not null,
  user_id text not null,
  state text not null check (state in ('Pending', 'Active')),
  secret_ciphertext bytea not null,
  last_step bigint not null check (last_step >= 0),
  created_at timestamptz not null,
  primary key (account_id, environment, user_id, state)
);
comment on table portal_totp_secrets is 'The secrets of one-time codes. A pending one replaces the active one once a code of it was entered.';
comment on column portal_totp_secrets.secret_ciphertext is 'Sealed with ENCRYPTION_KEY.';
comment on column portal_totp_secrets.last_step is 'The step of time of the last accepted code; only codes of later steps are accepted.';

create table portal_recovery_codes (
  account_id text not null,
  environment text not null,
  user_id text not null,
  label text not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, environment, user_id, label)
);
comment on table portal_recovery_codes is 'The recovery codes of users of the portal; a new set replaces the previous one.';
comment on column portal_recovery_codes.label is 'The first characters of the code, which find its row.';
comment on column portal_recovery_codes.code_hash is 'Argon2id of the whole code, with its parameters and salt.';

create table portal_sign_ins (
  account_id text not null,
  environment text not null,
  id_hash bytea not null check (length(id_hash) = 32),
  user_id text,
  credential_hash bytea,
  method text not null check (method in ('password', 'provider', 'passkey')),
  authenticated_at timestamptz,
  expires_at timestamptz not null,
  primary key (account_id, environment, id_hash),
  check ((user_id is null) = (method = 'passkey') and (user_id is null) = (credential_hash is null))
);
comment on table portal_sign_ins is 'Sign-ins that wait for a second factor, or for a passkey alone. They are no sessions: no other path accepts them.';
comment on column portal_sign_ins.id_hash is 'SHA-256 of the id in the cookie, which is not stored.';
comment on column portal_sign_ins.credential_hash is 'SHA-256 of the password hash: a reset of the password ends the sign-in.';
comment on column portal_sign_ins.authenticated_at is 'When the user was authenticated by the first factor; null where that is not known.';
create index portal_sign_ins_expiry on portal_sign_ins (account_id, environment, expires_at);

create table portal_challenges (
  account_id text not null,
  environment text not null,
  owner_hash bytea not null check (length(owner_hash) = 32),
  purpose text not null check (purpose in ('Register', 'Authenticate')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (account_id, environment, owner_hash, purpose)
);
comment on table portal_challenges is 'The open challenge of a session or sign-in for a passkey. It is deleted when it is answered, so it is answered once.';
create index portal_challenges_expiry on portal_challenges (account_id, environment, expires_at);
