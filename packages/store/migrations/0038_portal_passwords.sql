-- Passwords of the portal: which of them must be changed, earlier ones, failed attempts, and what a session came from.

alter table portal_users
  add column password_is_temporary boolean not null default false,
  add column last_sign_in_at timestamptz,
  add column enabled_at timestamptz;
comment on column portal_users.password_is_temporary is 'Somebody else has set the password. It opens nothing but its own change.';
comment on column portal_users.enabled_at is 'When an operator has enabled the user again. Days without a sign-in count from here at the earliest.';
-- The days without a sign-in count from this migration: nobody is disabled by a past that was not recorded.
update portal_users set enabled_at = now();

alter table portal_sessions
  add column has_entered_password boolean not null default true,
  add column browser text,
  add column network_address text;
comment on column portal_sessions.has_entered_password is 'False for a session by an identity provider, until its user enters the password.';
comment on column portal_sessions.browser is 'The header user-agent of the sign-in, without control characters.';

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

-- Mails to users of the portal belong to no payment.
alter table mails alter column intent_id drop not null;

-- Where users exist, their upkeep begins now; elsewhere it begins with the first user.
insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
select 'acc_system0000000000000000', 'production', 'portal-users', 'service', now(),
  (extract(epoch from now()) * 1000)::bigint, 0, 0, false
where exists (select from portal_users)
on conflict do nothing;
