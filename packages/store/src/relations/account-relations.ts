import type { CapabilityVersion } from '@pos/core/tables';
import type { AccountStatus, StoredAccountSettings } from '@pos/core/accounts';
import type { LocationId, Permission } from '@pos/core/identity';
import {
  column,
  entitySchema,
  jsonColumn,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
  enumKeyColumn,
  enumArrayColumn,
} from './relation.js';

/** The one relation whose rows belong to both environments. */
export interface AccountRow {
  readonly account_id: string;
  readonly name: string;
  readonly trading_name: string;
  readonly location_id: string;
  readonly merchant_id: string;
  readonly settings: StoredAccountSettings;
  readonly currencies: readonly string[];
  readonly created_at: Date;
  readonly saq_d_valid_until: Date | null;
  readonly status: AccountStatus;
  readonly status_changed_at: Date | null;
  readonly status_reason: string | null;
}

export const accountSchema = entitySchema<AccountRow>('accounts', {
  account_id: column.key.options,
  name: column.text.options,
  trading_name: column.text.options,
  location_id: column.text.options,
  merchant_id: column.text.options,
  settings: { type: 'jsonb' },
  currencies: column.textArray.options,
  created_at: column.timestamp.options,
  saq_d_valid_until: nullable(column.timestamp).options,
  status: { ...column.text.options, default: 'Active' },
  status_changed_at: nullable(column.timestamp).options,
  status_reason: nullable(column.text).options,
});

export const locations = defineRelation('locations', {
  id: enumKeyColumn<LocationId>(),
  name: column.text,
  address: nullable(column.text),
  phone_number: nullable(column.text),
  time_zone: column.textDefaultUtc,
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type LocationRow = RowOf<typeof locations>;

/** The keys with which the database as a whole is used. */
export const keyCheckSchema = entitySchema('key_checks', {
  purpose: { ...column.text.options, primary: true },
  hash: { ...column.bytes.options, primary: true },
  state: column.text.options,
  changed_at: column.timestamp.options,
});

/** The declarations of the acquirers, for all accounts. */
export const acquirerSchema = entitySchema('acquirers', {
  environment: { ...column.text.options, primary: true },
  name: { ...column.text.options, primary: true },
  capabilities: { type: 'jsonb' },
  declared_at: column.timestamp.options,
});

/** Which account has a number of an acquirer. */
export const merchantIdSchema = entitySchema('merchant_ids', {
  environment: { ...column.text.options, primary: true },
  acquirer: { ...column.text.options, primary: true },
  merchant_id: { ...column.text.options, primary: true },
  account_id: column.text.options,
  claimed_at: column.timestamp.options,
});

/** The software houses and resellers that operators have registered. */
export const partnerSchema = entitySchema('partners', {
  kind: { ...column.text.options, primary: true },
  id: { ...column.text.options, primary: true },
  name: column.text.options,
  contact: nullable(column.text).options,
  status: column.text.options,
  created_at: column.timestamp.options,
  updated_at: column.timestamp.options,
});

/** Changes that wait for a second operator. */
export const operatorApprovalSchema = entitySchema('operator_approvals', {
  id: { ...column.text.options, primary: true },
  operation: column.text.options,
  target: { type: 'jsonb' },
  action_hash: column.bytes.options,
  source: column.text.options,
  state: column.text.options,
  requested_by: column.text.options,
  requester: { type: 'jsonb' },
  reason: column.text.options,
  requested_at: column.timestamp.options,
  expires_at: column.timestamp.options,
  decided_by: nullable(column.text).options,
  decision_reason: nullable(column.text).options,
  decided_at: nullable(column.timestamp).options,
  done_at: nullable(column.timestamp).options,
});

/** What operators of the whole service may do alone. */
export const operatorRuleSchema = entitySchema('operator_rules', {
  id: { ...column.integer.options, primary: true },
  second_operator: column.boolean.options,
});

/** Whether production requests must name registered partners. */
export const partnerRegistrySchema = entitySchema('partner_registry', {
  id: { ...column.integer.options, primary: true },
  revision: column.bigint.options,
  enforced: column.boolean.options,
});

/** Where the chains of audit entries end; a trigger writes it. */
export const auditChainSchema = entitySchema('audit_chains', {
  account_id: { ...column.text.options, primary: true },
  environment: { ...column.text.options, primary: true },
  length: column.bigint.options,
  head: column.bytes.options,
});

/** Settings that all processes must agree on. */
export const agreedSettingSchema = entitySchema('agreed_settings', {
  name: { ...column.text.options, primary: true },
  value: column.text.options,
  next_value: nullable(column.text).options,
  app: column.text.options,
  changed_at: column.timestamp.options,
  refused: { type: 'jsonb', default: {} },
});

/** The releases that work with the schema; migrations write it. */
export const schemaCompatibilitySchema = entitySchema('schema_compatibility', {
  id: { ...column.integer.options, primary: true },
  release: column.text.options,
  oldest_release: column.text.options,
  migrated_at: column.timestamp.options,
});

export const sandboxClocks = defineRelation('sandbox_clocks', {
  offset_ms: column.bigint,
  standing_at: nullable(column.timestamp),
  advance_leased_until: nullable(column.timestamp),
  advance_fence: column.bigint,
});

export const idCounters = defineRelation('id_counters', { kind: column.key, last: column.bigint });

export const apiKeys = defineRelation('api_keys', {
  pepper_id: column.bytes,
  id: column.key,
  hash: column.bytes,
  prefix: column.text,
  last4: column.text,
  label: column.text,
  permissions: enumArrayColumn<Permission>(),
  strict: column.booleanDefaultFalse,
  created_at: column.timestamp,
  deleted_at: nullable(column.timestamp),
  last_used_at: nullable(column.timestamp),
});
export type ApiKeyRow = RowOf<typeof apiKeys>;

export const idempotencyKeys = defineRelation('idempotency_keys', {
  method: column.key,
  path: column.key,
  key: column.key,
  fingerprint: column.bytes,
  state: enumColumn<'Running' | 'Finished'>(),
  recovery_point: column.text,
  leased_until: nullable(column.timestamp),
  answer_status: nullable(column.integer),
  answer_ciphertext: nullable(column.bytes),
  created_at: column.timestamp,
  keep_until: column.timestamp,
});

/** A capability as it was sent, with the time. */
export interface StoredCapability {
  readonly name: string;
  readonly version: CapabilityVersion;
  readonly updatedAt: string;
}

export const eposIntegrations = defineRelation('epos_integrations', {
  kind: enumKeyColumn<'grpc' | 'rest' | 'ws' | 'service'>(),
  url: nullable(column.text),
  username: nullable(column.text),
  password_ciphertext: nullable(column.bytes),
  capabilities: jsonColumn<readonly StoredCapability[]>(),
  created_at: column.timestamp,
});
export type EposIntegrationRow = RowOf<typeof eposIntegrations>;

export const testerRuns = defineRelation('tester_runs', {
  id: column.key,
  flow: column.text,
  status: enumColumn<'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'TIMED_OUT'>(),
  started_at: column.timestamp,
  finished_at: nullable(column.timestamp),
  steps: jsonColumn<readonly unknown[]>(),
  params: jsonColumn<Readonly<Record<string, unknown>>>(),
});
export type TesterRunRow = RowOf<typeof testerRuns>;
