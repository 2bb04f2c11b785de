import type { PortalUserStatus } from '@pos/core/identity';
import { column, defineRelation, entitySchema, nullable } from '../relations/relation.js';

/** A user of the portal as a row. */
export interface PortalUserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly is_operator: boolean;
  readonly status: PortalUserStatus;
  readonly created_at: Date;
  readonly password_changed_at: Date;
  readonly password_is_temporary: boolean;
  readonly last_sign_in_at: Date | null;
}

export const portalUserSchema = entitySchema<
  PortalUserRow & { readonly payment_views: unknown; readonly enabled_at: Date | null }
>('portal_users', {
  id: column.key.options,
  email: { ...column.text.options, unique: true },
  name: column.text.options,
  password_hash: column.text.options,
  is_operator: column.boolean.options,
  status: column.text.options,
  created_at: column.timestamp.options,
  password_changed_at: column.timestamp.options,
  password_is_temporary: column.booleanDefaultFalse.options,
  last_sign_in_at: nullable(column.timestamp).options,
  enabled_at: nullable(column.timestamp).options,
  // Only the statements of saved views read it.
  payment_views: { type: 'jsonb', default: [] },
});

export const portalMembershipSchema = entitySchema('portal_memberships', {
  user_id: column.key.options,
  member_account: column.key.options,
  environment: column.key.options,
  role: column.text.options,
  granted_at: column.timestamp.options,
});

export const portalSessionSchema = entitySchema('portal_sessions', {
  id_hash: column.bytesKey.options,
  user_id: column.text.options,
  created_at: column.timestamp.options,
  used_at: column.timestamp.options,
  expires_at: column.timestamp.options,
  authenticated_at: column.timestamp.options,
  chosen_account: nullable(column.text).options,
  chosen_environment: nullable(column.text).options,
  second_factor_at: nullable(column.timestamp).options,
  has_entered_password: column.booleanDefaultTrue.options,
  browser: nullable(column.text).options,
  network_address: nullable(column.text).options,
});

export const portalPasswordHistorySchema = entitySchema('portal_password_history', {
  user_id: column.key.options,
  set_at: { ...column.timestamp.options, primary: true },
  password_hash: column.text.options,
});

export const portalSignInAttemptSchema = entitySchema('portal_sign_in_attempts', {
  user_id: column.key.options,
  source: column.key.options,
  attempts: column.integer.options,
  last_attempt_at: column.timestamp.options,
  locked_until: nullable(column.timestamp).options,
});

/** The tokens of the portal that were accepted. */
export const portalRequestNonces = defineRelation('portal_request_nonces', {
  nonce: column.key,
  expires_at: column.timestamp,
});
