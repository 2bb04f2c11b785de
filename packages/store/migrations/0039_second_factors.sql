-- Second factors of users of the portal, and sign-ins that wait for one. All rows are of the account of the service.

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

alter table portal_sessions add column second_factor_at timestamptz;
comment on column portal_sessions.second_factor_at is 'When the user gave a second factor; null: not in this session.';

