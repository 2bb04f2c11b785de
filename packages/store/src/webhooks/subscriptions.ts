import { type EventKind, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events/event-kind';
import { isId, type SecretId, type SubscriptionId } from '@pos/core/identity/identity';
import { subscriptionKinds, subscriptions, webhookSecrets } from '../relations/queue-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import { defineStatement } from '../postgres/statement.js';
import { insertRow, insertRows, updateRows } from '../relations/relation.js';
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

const TAKEN_KINDS = defineStatement(
  'kinds_taken',
  `select kind from webhook_subscription_kinds where account_id = $1 and environment = $2 and kind = any($3)`,
);

/**
 * Serialises changes of an account's subscriptions: kinds move between them, and changes in different orders would
 * deadlock. Workers do not wait for it; they retry later.
 */
const LOCK = defineStatement(
  'subscriptions_lock',
  `select id from webhook_subscriptions where account_id = $1 and environment = $2 and deleted_at is null
   order by id for no key update`,
);

const DELETE_KINDS = defineStatement(
  'subscription_leave_kinds',
  `delete from webhook_subscription_kinds
   where account_id = $1 and environment = $2 and subscription_id = $3 and kind <> all ($4::text[]) returning kind`,
);

const DELETE_SECRETS = defineStatement(
  'subscription_forget_secrets',
  `delete from webhook_secrets
   where account_id = $1 and environment = $2 and subscription_id = $3 and ($4::text is null or id = $4) returning id`,
);

/** Prevents other changes of the scope's subscriptions until the transaction ends. */
export async function lockSubscriptions(tx: Tx): Promise<void> {
  await tx.query(LOCK, [tx.scope.accountId, tx.scope.environment]);
}

/** Writes a subscription with its kinds and secrets. The database refuses a kind that another one has (23505). */
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
  insertEventKinds(tx, id, subscription.events);
  for (const secret of subscription.secrets) insertWebhookSecret(tx, id, secret);
  await tx.flush();
}

/** Writes what has changed in a subscription; the database refuses a kind that another one has (23505). */
export async function updateSubscription(tx: Tx, before: Subscription, after: Subscription): Promise<void> {
  const { id, url, description, isPaused, updatedAt } = after;
  await updateRows(tx, subscriptions, {
    where: { id },
    set: { url, description, paused: isPaused, updated_at: updatedAt },
  });
  tx.enqueue(DELETE_KINDS, [tx.scope.accountId, tx.scope.environment, id, [...after.events]]);
  insertEventKinds(
    tx,
    id,
    after.events.filter((kind) => !before.events.includes(kind)),
  );
  await tx.flush();
}

/** Frees the kinds; the row stays for its past deliveries, its secrets are deleted. */
export async function deleteSubscription(tx: Tx, id: SubscriptionId): Promise<void> {
  const subscriptionValues = [tx.scope.accountId, tx.scope.environment, id] as const;
  tx.enqueue(DELETE_KINDS, [...subscriptionValues, []]);
  tx.enqueue(DELETE_SECRETS, [...subscriptionValues, null]);
  await updateRows(tx, subscriptions, { where: { id }, set: { deleted_at: tx.now, updated_at: tx.now } });
}

/**
 * In the order of their names, so that two transactions with the same kinds wait for each other without a deadlock.
 */
function insertEventKinds(tx: Tx, id: SubscriptionId, kinds: readonly EventKind[]): void {
  const rows = [...kinds].sort().map((kind) => ({ kind, subscription_id: id }));
  insertRows(tx, subscriptionKinds, rows);
}

/** The place at which the value of a webhook secret is sealed. */
export function webhookSecretContext(subscriptionId: string, secretId: string): SealContext {
  return { relation: 'webhook_secrets', column: 'value_ciphertext', row: `${subscriptionId}/${secretId}` };
}

/** Adds a secret to a subscription. */
export function insertWebhookSecret(tx: Tx, id: SubscriptionId, secret: SubscriptionSecret): void {
  insertRow(tx, webhookSecrets, {
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
  await updateRows(tx, webhookSecrets, { where: active, set: { is_active: false } });
  await updateRows(tx, webhookSecrets, {
    where: { subscription_id: id, id: secretId },
    set: { is_active: true },
  });
}

/** Deletes a secret. */
export function deleteWebhookSecret(tx: Tx, id: SubscriptionId, secretId: SecretId): void {
  tx.enqueue(DELETE_SECRETS, [tx.scope.accountId, tx.scope.environment, id, secretId]);
}

/** Which of these kinds a subscription of the scope already has. */
export async function findTakenKinds(reader: Reader, kinds: readonly EventKind[]): Promise<EventKind[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ kind: EventKind }>(TAKEN_KINDS, [accountId, environment, [...kinds]]);
  return rows.map(({ kind }) => kind);
}

/** The subscriptions that are not deleted, oldest first, with their secrets opened. */
export async function findSubscriptions(reader: Reader): Promise<Subscription[]> {
  return toSubscriptions(reader, await findSecretRows(reader, null));
}

/** The subscription, or null: an unknown, foreign, malformed or deleted id. */
export async function findSubscription(reader: Reader, id: string): Promise<Subscription | null> {
  if (!isId('subscription', id)) return null;
  const [subscription = null] = toSubscriptions(reader, await findSecretRows(reader, id));
  return subscription;
}

/** A subscription together with one of its secrets. */
interface SecretRow {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly paused: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly kinds: readonly string[];
  readonly secret_id: string | null;
  readonly value_ciphertext: Buffer;
  readonly is_active: boolean;
  readonly secret_created_at: Date;
  readonly last_used_at: Date | null;
}

/**
 * Reads a subscription, its kinds and its secrets with one statement. Separate reads would be of different moments:
 * if the subscription were deleted between them, only its row would be left.
 */
const SUBSCRIPTIONS = defineStatement(
  'subscriptions_with_secrets',
  `select s.id, s.url, s.description, s.paused, s.created_at, s.updated_at,
     array(select k.kind from webhook_subscription_kinds k
           where k.account_id = $1 and k.environment = $2 and k.subscription_id = s.id) as kinds,
     w.id as secret_id, w.value_ciphertext, w.is_active, w.created_at as secret_created_at, w.last_used_at
   from webhook_subscriptions s
   left join webhook_secrets w
     on w.account_id = s.account_id and w.environment = s.environment and w.subscription_id = s.id
   where s.account_id = $1 and s.environment = $2 and s.deleted_at is null and ($3::text is null or s.id = $3)
   order by s.created_at, s.id, w.created_at, w.id`,
);

function findSecretRows(reader: Reader, id: string | null): Promise<SecretRow[]> {
  const { scope } = reader;
  return reader.query<SecretRow>(SUBSCRIPTIONS, [scope.accountId, scope.environment, id]);
}

function toSubscriptions(reader: Reader, rows: readonly SecretRow[]): Subscription[] {
  const first = rows.filter(({ id }, subscriptionValues) => rows[subscriptionValues - 1]?.id !== id);
  return first.map((row) => {
    const rowsOfSubscription = rows.filter(({ id }) => id === row.id);
    return {
      id: row.id as SubscriptionId,
      url: row.url,
      description: row.description,
      isPaused: row.paused,
      events: SUBSCRIBABLE_EVENT_KINDS.filter((kind) => row.kinds.includes(kind)),
      secrets: rowsOfSubscription.flatMap((secret) => toSecret(reader, secret)),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  });
}

function toSecret(reader: Reader, row: SecretRow): SubscriptionSecret[] {
  if (row.secret_id === null) return [];
  return [
    {
      id: row.secret_id as SecretId,
      value: reader.open(webhookSecretContext(row.id, row.secret_id), row.value_ciphertext),
      isActive: row.is_active,
      createdAt: row.secret_created_at,
      lastUsedAt: row.last_used_at,
    },
  ];
}
