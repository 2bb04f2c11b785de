import type { EventKind } from '@pos/core/event-kind';
import type { SecretId, SubscriptionId } from '@pos/core/identity';
import { subscriptionKinds, subscriptions, webhookSecrets } from './queue-rows.js';
import { statement } from './statement.js';
import { findRows, insertRow, insertRows } from './table.js';
import type { Reader, Tx } from './transaction.js';

/** Where an account wants which kinds of events. */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly url: string;
  readonly description: string | null;
  readonly isPaused: boolean;
  readonly events: readonly EventKind[];
  readonly secrets: readonly SubscriptionSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A signing secret; exactly one of a subscription is active. */
export interface SubscriptionSecret {
  readonly id: SecretId;
  readonly value: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const TAKEN = statement(
  'kinds_taken',
  `select kind from webhook_subscription_kinds where account_id = $1 and environment = $2 and kind = any($3)`,
);

/** Writes a subscription with its kinds and secrets. A kind that another one has is refused by the database (23505). */
export async function insertSubscription(tx: Tx, subscription: Subscription): Promise<void> {
  const { id, url, description, isPaused, createdAt, updatedAt } = subscription;
  insertRow(tx, subscriptions, {
    id,
    url,
    description,
    paused: isPaused,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: null,
  });
  const kinds = [...subscription.events].sort();
  insertRows(
    tx,
    subscriptionKinds,
    kinds.map((kind) => ({ kind, subscription_id: id })),
  );
  insertRows(
    tx,
    webhookSecrets,
    subscription.secrets.map((secret) => ({
      subscription_id: id,
      id: secret.id,
      value_ciphertext: tx.seal(secret.value),
      is_active: secret.isActive,
      created_at: secret.createdAt,
      last_used_at: secret.lastUsedAt,
    })),
  );
  await tx.settle();
}

/** Which of these kinds a subscription of the scope already has. */
export async function kindsTaken(reader: Reader, kinds: readonly EventKind[]): Promise<EventKind[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ kind: EventKind }>(TAKEN, [accountId, environment, [...kinds]]);
  return rows.map(({ kind }) => kind);
}

/** The subscriptions that are not deleted, oldest first, with their secrets opened. */
export async function subscriptionsOf(reader: Reader): Promise<Subscription[]> {
  const rows = await findRows(reader, subscriptions, { where: {}, orderBy: 'created_at, id' });
  const living = rows.filter(({ deleted_at }) => deleted_at === null);
  return Promise.all(living.map((row) => completed(reader, row)));
}

async function completed(
  reader: Reader,
  row: { id: string; url: string; description: string | null; paused: boolean; created_at: Date; updated_at: Date },
): Promise<Subscription> {
  const kinds = await findRows(reader, subscriptionKinds, { where: { subscription_id: row.id }, orderBy: 'kind' });
  const secrets = await findRows(reader, webhookSecrets, {
    where: { subscription_id: row.id },
    orderBy: 'created_at, id',
  });
  return {
    id: row.id as SubscriptionId,
    url: row.url,
    description: row.description,
    isPaused: row.paused,
    events: kinds.map(({ kind }) => kind as EventKind),
    secrets: secrets.map((secret) => ({
      id: secret.id as SecretId,
      value: reader.open(secret.value_ciphertext),
      isActive: secret.is_active,
      createdAt: secret.created_at,
      lastUsedAt: secret.last_used_at,
    })),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
