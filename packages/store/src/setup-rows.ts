import type { AttemptDetails, PaymentEventType } from '@pos/core/payment-event';
import type { PaymentMethod, PaymentSource } from '@pos/core/payment-intent';
import type { MerchantInitiatedType, SetupDetails, SetupIntentStatus, SetupOutcome } from '@pos/core/setup-intent';
import { column, json, nullable, type RowOf, table, word, words, wordKey, tableOfRequests } from './table.js';

export const setupIntents = tableOfRequests('setup_intents', {
  id: wordKey<`si_${string}`>(),
  version: column.integer,
  status: word<SetupIntentStatus>(),
  merchant_initiated_transaction_type: word<MerchantInitiatedType>(),
  terms: column.text,
  intended_amount: nullable(column.exact),
  intended_currency: nullable(column.text),
  reference: column.text,
  description: nullable(column.text),
  payment_methods: words<PaymentMethod>(),
  payment_source: word<PaymentSource>(),
  expire_at: column.time,
  card_expire_at: nullable(column.time),
  secret_hash: nullable(column.bytes),
  secret_ciphertext: nullable(column.bytes),
  secret_expire_at: nullable(column.time),
  metadata: json<Readonly<Record<string, unknown>>>(),
  details: json<SetupDetails>(),
  payment_details: nullable(json<SetupOutcome>()),
  chain_head: column.bytes,
  chain_length: column.integer,
  created_at: column.time,
  updated_at: column.time,
});
export type SetupIntentRow = RowOf<typeof setupIntents>;

export const setupEvents = table('setup_events', {
  setup_intent_id: wordKey<`si_${string}`>(),
  number: column.numberKey,
  event_type: word<PaymentEventType>(),
  occurred_at: column.time,
  details: json<AttemptDetails>(),
  previous_hash: column.bytes,
  hash: column.bytes,
});
