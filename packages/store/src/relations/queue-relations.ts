import type { EventKind } from '@pos/core/events';
import type { PaymentIntentId, SecretId, SubscriptionId } from '@pos/core/identity';
import type { DeliveryState, ReplayState } from '@pos/core/webhooks';
import {
  column,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
  enumArrayColumn,
  enumKeyColumn,
  definePartnerRelation,
} from './relation.js';

export const subscriptions = definePartnerRelation('webhook_subscriptions', {
  id: enumKeyColumn<SubscriptionId>(),
  url: column.text,
  description: nullable(column.text),
  paused: column.boolean,
  created_at: column.timestamp,
  updated_at: column.timestamp,
  deleted_at: nullable(column.timestamp),
});

export const subscriptionKinds = defineRelation('webhook_subscription_kinds', {
  kind: enumKeyColumn<EventKind>(),
  subscription_id: column.text,
});

export const webhookSecrets = defineRelation('webhook_secrets', {
  subscription_id: column.key,
  id: enumKeyColumn<SecretId>(),
  value_ciphertext: column.bytes,
  is_active: column.boolean,
  created_at: column.timestamp,
  last_used_at: nullable(column.timestamp),
});

export const events = defineRelation('events', {
  id: column.key,
  kind: enumColumn<EventKind>(),
  subject_id: column.text,
  subscription_id: nullable(column.text),
  body: column.bytes,
  number: column.bigint,
  created_at: column.timestamp,
  recorded_at: column.timestamp,
  traceparent: nullable(column.text),
});

export const replays = defineRelation('webhook_replays', {
  id: column.key,
  subscription_id: column.text,
  from_at: nullable(column.timestamp),
  to_at: column.timestamp,
  states: enumArrayColumn<ReplayState>(),
  after_subject: column.text,
  created_at: column.timestamp,
});

/** Without `ready_at`, which the database generates. */
export const lanes = defineRelation('lanes', {
  key: column.key,
  last_number: column.bigint,
  pending: column.bigint,
  due_at: column.timestamp,
  leased_until: nullable(column.timestamp),
  fence: column.bigint,
  failures: column.integer,
  is_replay: column.booleanDefaultFalse,
  is_epos: column.booleanDefaultFalse,
});

export const deliveries = defineRelation('deliveries', {
  lane_key: column.key,
  number: column.bigintKey,
  id: column.text,
  event_id: column.text,
  /** Null: a delivery to the account's EPOS. */
  subscription_id: nullable(column.text),
  state: enumColumn<DeliveryState>(),
  attempts: column.integer,
  last_status: nullable(column.integer),
  last_error: nullable(column.text),
  next_attempt_at: nullable(column.timestamp),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type DeliveryRow = RowOf<typeof deliveries>;

/** Without `ready_at`, which the database generates. */
/** Every change of a timer names its kind and its subject behind the scope; one statement changes no timer twice. */
export const TIMER_ROWS = { name: 'timers', rowParameters: [3, 4] } as const;

export const timers = defineRelation('timers', {
  kind: column.key,
  subject: column.key,
  due_at: column.timestamp,
  leased_until: nullable(column.timestamp),
  fence: column.bigint,
  revision: column.bigint,
  attempts: column.integer,
  is_repeat: column.boolean,
  account_due_at: nullable(column.timestamp),
});

/** `Mailbox`: a sandbox's, which is never sent. */
export type MailState = 'Waiting' | 'Sent' | 'GivenUp' | 'Mailbox';

export const mails = defineRelation('mails', {
  id: column.key,
  state: enumColumn<MailState>(),
  /** Null: a mail to a user of the portal. */
  intent_id: nullable(enumColumn<PaymentIntentId>()),
  recipient: column.text,
  subject: column.text,
  text: column.text,
  html: column.text,
  attempts: column.integer,
  last_error: nullable(column.text),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
