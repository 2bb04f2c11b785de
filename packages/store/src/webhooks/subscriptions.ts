import { type EventKind, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { isId, type SecretId, type SubscriptionId } from '@pos/core/identity';
import { In, Not } from 'typeorm';
import { subscriptionKinds, subscriptions, webhookSecrets } from '../relations/queue-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import type { RowOf } from '../relations/relation.js';
import {
  deleteScopedRows,
  insertScopedRow,
  insertScopedRows,
  joinInScope,
  ROW_LOCK,
  selectRows,
  updateScopedRows,
} from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** The endpoint of an account for some kinds of events. */
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

/**
 * Prevents other changes of the scope's subscriptions until the transaction ends: kinds move between them, and changes
 * in different orders would deadlock. Workers do not wait for it; they retry later.
 */
export async function lockSubscriptions(tx: Tx): Promise<void> {
  await selectRows(tx, subscriptions, (select) =>
    select.andWhere('row.deleted_at is null').orderBy('row.id').setLock(ROW_LOCK),
  );
}

/** Writes a subscription with its kinds and secrets. The database refuses a kind that another one has (23505). */
export async function insertSubscription(tx: Tx, subscription: Subscription): Promise<void> {
  const { id, url, description, isPaused, createdAt, updatedAt } = subscription;
  await insertScopedRow(tx, subscriptions, {
    id,
    url,
    description,
    paused: isPaused,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: null,
  });
  await insertEventKinds(tx, id, subscription.events);
  for (const secret of subscription.secrets) await insertWebhookSecret(tx, id, secret);
}

/** Writes what has changed in a subscription; the database refuses a kind that another one has (23505). */
export async function updateSubscription(tx: Tx, before: Subscription, after: Subscription): Promise<void> {
  const { id, url, description, isPaused, updatedAt } = after;
  await updateScopedRows(tx, subscriptions, {
    where: { id },
    set: { url, description, paused: isPaused, updated_at: updatedAt },
  });
  await deleteScopedRows(tx, subscriptionKinds, { subscription_id: id, kind: Not(In([...after.events])) });
  const added = after.events.filter((kind) => !before.events.includes(kind));
  await insertEventKinds(tx, id, added);
}

/** Frees the kinds; the row stays for its past deliveries, its secrets are deleted. */
export async function deleteSubscription(tx: Tx, id: SubscriptionId): Promise<void> {
  await deleteScopedRows(tx, subscriptionKinds, { subscription_id: id });
  await deleteScopedRows(tx, webhookSecrets, { subscription_id: id });
  await updateScopedRows(tx, subscriptions, { where: { id }, set: { deleted_at: tx.now, updated_at: tx.now } });
}

/**
 * In the order of their names, so that two transactions with the same kinds wait for each other without a deadlock.
 */
async function insertEventKinds(tx: Tx, id: SubscriptionId, kinds: readonly EventKind[]): Promise<void> {
  const rows = [...kinds].sort().map((kind) => ({ kind, subscription_id: id }));
  await insertScopedRows(tx, subscriptionKinds, rows);
}

/** The place at which the value of a webhook secret is sealed. */
export function webhookSecretContext(subscriptionId: string, secretId: string): SealContext {
  return { relation: 'webhook_secrets', column: 'value_ciphertext', row: `${subscriptionId}/${secretId}` };
}

/** Adds a secret to a subscription. */
export async function insertWebhookSecret(tx: Tx, id: SubscriptionId, secret: SubscriptionSecret): Promise<void> {
  await insertScopedRow(tx, webhookSecrets, {
    subscription_id: id,
    id: secret.id,
    value_ciphertext: tx.seal(webhookSecretContext(id, secret.id), secret.value),
    is_active: secret.isActive,
    created_at: secret.createdAt,
    last_used_at: secret.lastUsedAt,
  });
}

/** Makes one secret the active one; the database never allows two. */
export async function activateWebhookSecret(tx: Tx, id: SubscriptionId, secretId: SecretId): Promise<void> {
  const active = { subscription_id: id, is_active: true };
  await updateScopedRows(tx, webhookSecrets, { where: active, set: { is_active: false } });
  const activated = { subscription_id: id, id: secretId };
  await updateScopedRows(tx, webhookSecrets, { where: activated, set: { is_active: true } });
}

/** Deletes a secret. */
export async function deleteWebhookSecret(tx: Tx, id: SubscriptionId, secretId: SecretId): Promise<void> {
  await deleteScopedRows(tx, webhookSecrets, { subscription_id: id, id: secretId });
}

/** Which of these kinds a subscription of the scope already has. */
export async function findTakenKinds(reader: Reader, kinds: readonly EventKind[]): Promise<EventKind[]> {
  const rows = await selectRows(reader, subscriptionKinds, (select) =>
    select.andWhere('row.kind = any (:kinds)', { kinds: [...kinds] }),
  );
  return rows.map(({ kind }) => kind);
}

/** The subscriptions that are not deleted, oldest first, with their secrets opened. */
export async function findSubscriptions(reader: Reader): Promise<Subscription[]> {
  return (await selectSubscriptions(reader, {})).map((row) => toSubscription(reader, row));
}

/** The subscription, or null: an unknown, foreign, malformed or deleted id. */
export async function findSubscription(reader: Reader, id: string): Promise<Subscription | null> {
  if (!isId('subscription', id)) return null;
  const [row] = await selectSubscriptions(reader, { id });
  return row === undefined ? null : toSubscription(reader, row);
}

/** The rows of other relations that belong to a subscription. */
interface SubscriptionParts {
  readonly kinds: readonly RowOf<typeof subscriptionKinds>[];
  readonly secrets: readonly RowOf<typeof webhookSecrets>[];
}
type SubscriptionRow = RowOf<typeof subscriptions> & SubscriptionParts;

/**
 * Reads subscriptions, their kinds and their secrets with one statement. Separate reads would be of different moments:
 * if a subscription were deleted between them, only its row would be left.
 */
function selectSubscriptions(reader: Reader, where: { readonly id?: SubscriptionId }): Promise<SubscriptionRow[]> {
  const ofRow = (alias: string): string => joinInScope(alias, `${alias}.subscription_id = row.id`);
  return selectRows<RowOf<typeof subscriptions>, SubscriptionParts>(reader, subscriptions, (select) => {
    if (where.id !== undefined) select.andWhere('row.id = :id', where);
    return select
      .andWhere('row.deleted_at is null')
      .leftJoinAndMapMany('row.kinds', subscriptionKinds.name, 'kind', ofRow('kind'))
      .leftJoinAndMapMany('row.secrets', webhookSecrets.name, 'secret', ofRow('secret'))
      .orderBy('row.created_at')
      .addOrderBy('row.id')
      .addOrderBy('secret.created_at')
      .addOrderBy('secret.id');
  });
}

function toSubscription(reader: Reader, row: SubscriptionRow): Subscription {
  const kinds = new Set<string>(row.kinds.map(({ kind }) => kind));
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    isPaused: row.paused,
    events: SUBSCRIBABLE_EVENT_KINDS.filter((kind) => kinds.has(kind)),
    secrets: row.secrets.map((secret) => ({
      id: secret.id,
      value: reader.open(webhookSecretContext(row.id, secret.id), secret.value_ciphertext),
      isActive: secret.is_active,
      createdAt: secret.created_at,
      lastUsedAt: secret.last_used_at,
    })),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
