import type { CapabilityVersion } from '@pos/core/epos-capability';
import type { Permission } from '@pos/core/permissions';
import { column, entitySchema, json, nullable, type RowOf, table, word, wordKey, words } from './table.js';

/** The one table whose rows belong to both environments. */
export interface AccountRow {
  readonly account_id: string;
  readonly name: string;
  readonly trading_name: string;
  readonly location_id: string;
  readonly merchant_id: string;
  readonly settings: unknown;
  readonly currencies: readonly string[];
  readonly created_at: Date;
  readonly saq_d_valid_until: Date | null;
}

export const accountSchema = entitySchema<AccountRow>('accounts', {
  account_id: column.key.options,
  name: column.text.options,
  trading_name: column.text.options,
  location_id: column.text.options,
  merchant_id: column.text.options,
  settings: { type: 'jsonb' },
  currencies: column.texts.options,
  created_at: column.time.options,
  saq_d_valid_until: nullable(column.time).options,
});

/** Which keys the database as a whole is used with. */
export const keyCheckSchema = entitySchema('key_checks', {
  purpose: { ...column.text.options, primary: true },
  hash: { ...column.bytes.options, primary: true },
  state: column.text.options,
  changed_at: column.time.options,
});

export const sandboxClocks = table('sandbox_clocks', {
  offset_ms: column.exact,
  standing_at: nullable(column.time),
  advance_leased_until: nullable(column.time),
  advance_fence: column.exact,
});

export const idCounters = table('id_counters', { kind: column.key, last: column.exact });

export const apiKeys = table('api_keys', {
  pepper_id: column.bytes,
  id: column.key,
  hash: column.bytes,
  prefix: column.text,
  last4: column.text,
  label: column.text,
  permissions: words<Permission>(),
  created_at: column.time,
  deleted_at: nullable(column.time),
  last_used_at: nullable(column.time),
});
export type ApiKeyRow = RowOf<typeof apiKeys>;

export const idempotencyKeys = table('idempotency_keys', {
  method: column.key,
  path: column.key,
  key: column.key,
  fingerprint: column.bytes,
  state: word<'Running' | 'Finished'>(),
  recovery_point: column.text,
  leased_until: nullable(column.time),
  answer_status: nullable(column.integer),
  answer_ciphertext: nullable(column.bytes),
  created_at: column.time,
  keep_until: column.time,
});

/** As it was sent, with the moment of that. */
export interface StoredCapability {
  readonly name: string;
  readonly version: CapabilityVersion;
  readonly updatedAt: string;
}

export const eposIntegrations = table('epos_integrations', {
  kind: wordKey<'grpc' | 'rest' | 'ws' | 'service'>(),
  url: nullable(column.text),
  username: nullable(column.text),
  password_ciphertext: nullable(column.bytes),
  capabilities: json<readonly StoredCapability[]>(),
  created_at: column.time,
});
export type EposIntegrationRow = RowOf<typeof eposIntegrations>;

export const testerRuns = table('tester_runs', {
  id: column.key,
  flow: column.text,
  status: word<'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'TIMED_OUT'>(),
  started_at: column.time,
  finished_at: nullable(column.time),
  steps: json<readonly unknown[]>(),
  params: json<Readonly<Record<string, unknown>>>(),
});
export type TesterRunRow = RowOf<typeof testerRuns>;
