import type {
  AutoExpireAction,
  CaptureMode,
  IntentDetails,
  PaymentDetails,
  PaymentEventDetails,
  PaymentEventType,
  PaymentIntentStatus,
  PaymentMethod,
  PaymentSource,
} from '@pos/core/payment-intents';
import type { LedgerAccount, LedgerEntryKind } from '@pos/core/ledger';
import type { ColumnGroups } from './changed-columns.js';
import {
  column,
  jsonColumn,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
  enumArrayColumn,
  enumKeyColumn,
  definePartnerRelation,
} from './relation.js';

export const paymentIntents = definePartnerRelation('payment_intents', {
  id: enumKeyColumn<`pi_${string}`>(),
  version: column.integer,
  status: enumColumn<PaymentIntentStatus>(),
  capture_mode: enumColumn<CaptureMode>(),
  currency: column.text,
  amount: column.bigint,
  requested_amount: nullable(column.bigint),
  tips_amount: nullable(column.bigint),
  cashback_amount: nullable(column.bigint),
  service_charge_amount: nullable(column.bigint),
  authorized: column.bigint,
  pending_capture: column.bigint,
  captured: column.bigint,
  pending_refund: column.bigint,
  refunded: column.bigint,
  authorized_at: nullable(column.timestamp),
  captured_at: nullable(column.timestamp),
  reference: column.text,
  description: nullable(column.text),
  card_holder_not_present: column.boolean,
  payment_methods: enumArrayColumn<PaymentMethod>(),
  payment_source: enumColumn<PaymentSource>(),
  setup_intent_id: nullable(enumColumn<`si_${string}`>()),
  auto_expire_action: nullable(enumColumn<AutoExpireAction>()),
  auto_expire_in_ms: nullable(column.bigint),
  expire_at: column.timestamp,
  secret_hash: nullable(column.bytes),
  secret_ciphertext: nullable(column.bytes),
  secret_expire_at: nullable(column.timestamp),
  metadata: jsonColumn<Readonly<Record<string, unknown>>>(),
  details: jsonColumn<IntentDetails>(),
  payment_details: nullable(jsonColumn<PaymentDetails>()),
  chain_head: column.bytes,
  chain_length: column.integer,
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type PaymentIntentRow = RowOf<typeof paymentIntents>;

/** What never changes, what is paid and how, its texts, what the account stores with it, and how it was paid. */
export const paymentIntentColumnGroups = [
  ['id', 'currency', 'created_at'],
  ['amount', 'requested_amount', 'tips_amount', 'cashback_amount', 'service_charge_amount'],
  ['capture_mode', 'card_holder_not_present', 'payment_methods', 'payment_source', 'setup_intent_id'],
  ['auto_expire_action', 'auto_expire_in_ms'],
  ['reference', 'description'],
  ['metadata'],
  ['details'],
  ['payment_details'],
] as const satisfies ColumnGroups<PaymentIntentRow>;

export const paymentEvents = defineRelation('payment_events', {
  intent_id: column.key,
  number: column.integerKey,
  event_type: enumColumn<PaymentEventType>(),
  occurred_at: column.timestamp,
  details: jsonColumn<PaymentEventDetails>(),
  previous_hash: column.bytes,
  hash: column.bytes,
  trace_id: nullable(column.text),
});

export const ledgerEntries = defineRelation('ledger_entries', {
  subject_id: column.key,
  number: column.integerKey,
  kind: enumColumn<LedgerEntryKind>(),
  reference: column.text,
  currency: column.text,
  posted_at: column.timestamp,
  previous_hash: column.bytes,
  hash: column.bytes,
});

export const ledgerPostings = defineRelation('ledger_postings', {
  subject_id: column.key,
  entry_number: column.integerKey,
  line: column.integerKey,
  ledger_account: enumColumn<LedgerAccount>(),
  amount: column.bigint,
});
