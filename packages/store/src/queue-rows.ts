import type { PaymentIntentId } from '@pos/core/identity';
import type { DeliveryState, ReplayState } from '@pos/core/webhook';
import { column, nullable, type RowOf, table, word, words, tableOfRequests } from './table.js';

export const subscriptions = tableOfRequests('webhook_subscriptions', {
  id: column.key,
  url: column.text,
  description: nullable(column.text),
  paused: column.flag,
  created_at: column.time,
  updated_at: column.time,
  deleted_at: nullable(column.time),
});

export const subscriptionKinds = table('webhook_subscription_kinds', {
  kind: column.key,
  subscription_id: column.text,
});

export const webhookSecrets = table('webhook_secrets', {
  subscription_id: column.key,
  id: column.key,
  value_ciphertext: column.bytes,
  is_active: column.flag,
  created_at: column.time,
  last_used_at: nullable(column.time),
});

export const events = table('events', {
  id: column.key,
  kind: column.text,
  subject_id: column.text,
  subscription_id: nullable(column.text),
  body: column.bytes,
  number: column.exact,
  created_at: column.time,
  recorded_at: column.time,
});

export const replays = table('webhook_replays', {
  id: column.key,
  subscription_id: column.text,
  from_at: nullable(column.time),
  to_at: column.time,
  states: words<ReplayState>(),
  after_subject: column.text,
  created_at: column.time,
});

/** Without `ready_at`, which the database generates. */
export const lanes = table('lanes', {
  key: column.key,
  last_number: column.exact,
  pending: column.exact,
  due_at: column.time,
  leased_until: nullable(column.time),
  fence: column.exact,
  failures: column.integer,
  is_replay: column.flagOrNo,
  is_epos: column.flagOrNo,
});

export const deliveries = table('deliveries', {
  lane_key: column.key,
  number: column.bigKey,
  id: column.text,
  event_id: column.text,
  /** Null: it goes to the account's EPOS. */
  subscription_id: nullable(column.text),
  state: word<DeliveryState>(),
  attempts: column.integer,
  last_status: nullable(column.integer),
  last_error: nullable(column.text),
  next_attempt_at: nullable(column.time),
  created_at: column.time,
  updated_at: column.time,
});
export type DeliveryRow = RowOf<typeof deliveries>;

/** Without `ready_at`, which the database generates. */
export const timers = table('timers', {
  kind: column.key,
  subject: column.key,
  due_at: column.time,
  leased_until: nullable(column.time),
  fence: column.exact,
  revision: column.exact,
  attempts: column.integer,
  is_repeat: column.flag,
  account_due_at: nullable(column.time),
});

/** `Mailbox`: a sandbox's, which is never sent. */
export type MailState = 'Waiting' | 'Sent' | 'GivenUp' | 'Mailbox';

export const mails = table('mails', {
  id: column.key,
  state: word<MailState>(),
  intent_id: word<PaymentIntentId>(),
  recipient: column.text,
  subject: column.text,
  text: column.text,
  html: column.text,
  attempts: column.integer,
  last_error: nullable(column.text),
  created_at: column.time,
  updated_at: column.time,
});
