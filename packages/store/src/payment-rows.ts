import type { IntentDetails } from '@pos/core/intent-details';
import type { LedgerAccount, LedgerEntryKind } from '@pos/core/ledger';
import type { PaymentDetails, PaymentEventDetails, PaymentEventType } from '@pos/core/payment-event';
import type {
  AutoExpireAction,
  CaptureMode,
  PaymentIntentStatus,
  PaymentMethod,
  PaymentSource,
} from '@pos/core/payment-intent';
import { column, json, nullable, type RowOf, table, word, words, wordKey, tableOfRequests } from './table.js';

export const paymentIntents = tableOfRequests('payment_intents', {
  id: wordKey<`pi_${string}`>(),
  version: column.integer,
  status: word<PaymentIntentStatus>(),
  capture_mode: word<CaptureMode>(),
  currency: column.text,
  amount: column.exact,
  requested_amount: nullable(column.exact),
  tips_amount: nullable(column.exact),
  cashback_amount: nullable(column.exact),
  service_charge_amount: nullable(column.exact),
  authorized: column.exact,
  pending_capture: column.exact,
  captured: column.exact,
  pending_refund: column.exact,
  refunded: column.exact,
  authorized_at: nullable(column.time),
  captured_at: nullable(column.time),
  reference: column.text,
  description: nullable(column.text),
  card_holder_not_present: column.flag,
  payment_methods: words<PaymentMethod>(),
  payment_source: word<PaymentSource>(),
  setup_intent_id: nullable(word<`si_${string}`>()),
  auto_expire_action: nullable(word<AutoExpireAction>()),
  auto_expire_in_ms: nullable(column.exact),
  expire_at: column.time,
  secret_hash: nullable(column.bytes),
  secret_ciphertext: nullable(column.bytes),
  secret_expire_at: nullable(column.time),
  metadata: json<Readonly<Record<string, unknown>>>(),
  details: json<IntentDetails>(),
  payment_details: nullable(json<PaymentDetails>()),
  chain_head: column.bytes,
  chain_length: column.integer,
  created_at: column.time,
  updated_at: column.time,
});
export type PaymentIntentRow = RowOf<typeof paymentIntents>;

export const paymentEvents = table('payment_events', {
  intent_id: column.key,
  number: column.numberKey,
  event_type: word<PaymentEventType>(),
  occurred_at: column.time,
  details: json<PaymentEventDetails>(),
  previous_hash: column.bytes,
  hash: column.bytes,
});

export const ledgerEntries = table('ledger_entries', {
  subject_id: column.key,
  number: column.numberKey,
  kind: word<LedgerEntryKind>(),
  reference: column.text,
  currency: column.text,
  posted_at: column.time,
  previous_hash: column.bytes,
  hash: column.bytes,
});

export const ledgerPostings = table('ledger_postings', {
  subject_id: column.key,
  entry_number: column.numberKey,
  line: column.numberKey,
  ledger_account: word<LedgerAccount>(),
  amount: column.exact,
});
