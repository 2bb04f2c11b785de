import { createWebhookSecretText } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import { SECRETS_MAX } from '@pos/core/webhooks';
import type { Tx } from '@pos/store/database';
import {
  activateWebhookSecret,
  deleteWebhookSecret,
  insertWebhookSecret,
  type Subscription,
  type SubscriptionSecret,
} from '@pos/store/webhooks';

const SECRET_BYTES = 32;

/** A new random signing secret. */
export async function createSigningSecret(
  tx: Tx,
  { isActive }: { readonly isActive: boolean },
): Promise<SubscriptionSecret> {
  return {
    id: await tx.newId('secret'),
    value: createWebhookSecretText(await tx.randomBytes('webhookSecret', SECRET_BYTES)),
    isActive,
    createdAt: tx.now,
    lastUsedAt: null,
  };
}

/** Adds an inactive secret to a locked subscription, so that receivers can store it before it signs. */
export async function addSigningSecret(tx: Tx, { id, secrets }: Subscription): Promise<readonly SubscriptionSecret[]> {
  if (secrets.length >= SECRETS_MAX) {
    throw new Refusal('secrets_exhausted', `a subscription has ${SECRETS_MAX} secrets at most: delete one first`);
  }
  const secret = await createSigningSecret(tx, { isActive: false });
  await insertWebhookSecret(tx, id, secret);
  return [...secrets, secret];
}

/** Makes this secret sign from the next attempt on. It may be the active one. */
export async function activateSigningSecret(tx: Tx, subscription: Subscription, secretId: string): Promise<void> {
  const secret = getSecret(subscription, secretId);
  if (!secret.isActive) await activateWebhookSecret(tx, subscription.id, secret.id);
}

/** Deletes an inactive secret. */
export async function removeSigningSecret(tx: Tx, subscription: Subscription, secretId: string): Promise<void> {
  const secret = getSecret(subscription, secretId);
  if (secret.isActive) {
    throw new Refusal('secret_is_active', 'deliveries are signed with this secret: activate another one first');
  }
  await deleteWebhookSecret(tx, subscription.id, secret.id);
}

function getSecret({ secrets }: Subscription, secretId: string): SubscriptionSecret {
  const secret = secrets.find(({ id }) => id === secretId);
  if (secret === undefined) throw new Refusal('secret_not_found', 'the subscription has no such secret');
  return secret;
}
