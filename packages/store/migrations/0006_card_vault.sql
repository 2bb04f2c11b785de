-- The vault of card numbers: a schema of its own, which only the login of the card vault may use.

create schema vault;
comment on schema vault is 'Card numbers. Only the login of the card vault may use it.';
create table vault.card_numbers (
  account_id text not null,
  environment text not null,
  card_id text not null,
  key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  primary key (account_id, environment, card_id)
);
comment on table vault.card_numbers is 'Card numbers as ciphertext. Each is sealed under a key of its own, which is sealed under the master key that key_id names.';
-- Finds the numbers that are still sealed under an old master key.
create index card_numbers_by_key on vault.card_numbers (key_id);
