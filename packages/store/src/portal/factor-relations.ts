import { column, defineRelation, enumColumn, enumKeyColumn, nullable } from '../relations/relation.js';

/** How a sign-in that waits for a second factor began; `passkey`: it waits for a passkey alone. */
export type SignInMethod = 'password' | 'provider' | 'passkey';

/** What a challenge for a passkey is answered for. */
export type ChallengePurpose = 'Register' | 'Authenticate';

export const portalPasskeys = defineRelation('portal_passkeys', {
  credential_id: column.key,
  user_id: column.text,
  name: column.text,
  public_key: column.bytes,
  counter: column.bigint,
  transports: column.textArray,
  created_at: column.timestamp,
  used_at: nullable(column.timestamp),
});

export const portalTotpSecrets = defineRelation('portal_totp_secrets', {
  user_id: column.key,
  state: enumKeyColumn<'Pending' | 'Active'>(),
  secret_ciphertext: column.bytes,
  last_step: column.bigint,
  created_at: column.timestamp,
});

export const portalRecoveryCodes = defineRelation('portal_recovery_codes', {
  user_id: column.key,
  label: column.key,
  code_hash: column.text,
  created_at: column.timestamp,
  used_at: nullable(column.timestamp),
});

export const portalSignIns = defineRelation('portal_sign_ins', {
  id_hash: column.bytesKey,
  user_id: nullable(column.text),
  credential_hash: nullable(column.bytes),
  method: enumColumn<SignInMethod>(),
  authenticated_at: nullable(column.timestamp),
  expires_at: column.timestamp,
});

export const portalChallenges = defineRelation('portal_challenges', {
  owner_hash: column.bytesKey,
  purpose: enumKeyColumn<ChallengePurpose>(),
  challenge: column.text,
  expires_at: column.timestamp,
});
