import type { AttemptDetails, PaymentEventType, PaymentMethod, PaymentSource } from '@pos/core/payment-intents';
import type { MerchantInitiatedType, SetupDetails, SetupIntentStatus, SetupOutcome } from '@pos/core/setup-intents';
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

export const setupIntents = definePartnerRelation('setup_intents', {
  id: enumKeyColumn<`si_${string}`>(),
  version: column.integer,
  status: enumColumn<SetupIntentStatus>(),
  merchant_initiated_transaction_type: enumColumn<MerchantInitiatedType>(),
  terms: column.text,
  intended_amount: nullable(column.bigint),
  intended_currency: nullable(column.text),
  reference: column.text,
  description: nullable(column.text),
  payment_methods: enumArrayColumn<PaymentMethod>(),
  payment_source: enumColumn<PaymentSource>(),
  expire_at: column.timestamp,
  card_expire_at: nullable(column.timestamp),
  secret_hash: nullable(column.bytes),
  secret_ciphertext: nullable(column.bytes),
  secret_expire_at: nullable(column.timestamp),
  metadata: jsonColumn<Readonly<Record<string, unknown>>>(),
  details: jsonColumn<SetupDetails>(),
  payment_details: nullable(jsonColumn<SetupOutcome>()),
  chain_head: column.bytes,
  chain_length: column.integer,
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type SetupIntentRow = RowOf<typeof setupIntents>;

export const setupEvents = defineRelation('setup_events', {
  setup_intent_id: enumKeyColumn<`si_${string}`>(),
  number: column.integerKey,
  event_type: enumColumn<PaymentEventType>(),
  occurred_at: column.timestamp,
  details: jsonColumn<AttemptDetails>(),
  previous_hash: column.bytes,
  hash: column.bytes,
});
