import { Controller } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import { EVENT_MODELS } from '@pos/core/events';
import { encodeStandardSecret } from '@pos/core/webhook-signatures';
import {
  activateSigningSecret,
  addSigningSecret,
  changeSubscription,
  createSubscription,
  getLockedSubscription,
  getSubscription,
  listSubscriptions,
  removeSigningSecret,
  unsubscribe,
} from '@pos/payments/webhooks';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/webhooks';
import { RegistrableAddressPolicy } from '@pos/service-kit/egress';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { Subscription, SubscriptionSecret } from '@pos/store/webhooks';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class WebhooksController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly addresses: RegistrableAddressPolicy,
  ) {}

  @Serve(rest.listEventKinds)
  async listKinds({ query }: OperationCall<typeof rest.listEventKinds>) {
    const models = EVENT_MODELS.map(({ model, events, optIn }) => ({
      model,
      events: [...events, ...(query.optIn ? optIn : [])],
    }));
    // Only a request for optional kinds lists a model that has no other ones.
    return Promise.resolve(models.filter(({ events }) => events.length > 0));
  }

  @Serve(rest.createSubscription)
  async create(call: OperationCall<typeof rest.createSubscription>) {
    const { events, url, description = null } = call.body;
    this.addresses.requireWebhookUrl(call.caller.scope, url);
    return this.database.runOnce<typeof rest.createSubscription>(call, async (tx) =>
      presentSubscription(await createSubscription(tx, { events, url, description }), call.caller),
    );
  }

  @Serve(rest.listSubscriptions)
  async list({ caller }: OperationCall<typeof rest.listSubscriptions>) {
    const subscriptions = await this.database.readSingle(caller.scope, listSubscriptions);
    return subscriptions.map((subscription) => presentSubscription(subscription, caller));
  }

  @Serve(rest.readSubscription)
  async read({ caller, params }: OperationCall<typeof rest.readSubscription>) {
    const subscription = await this.database.readSingle(caller.scope, (reader) =>
      getSubscription(reader, params.subscriptionId),
    );
    return presentSubscription(subscription, caller);
  }

  @Serve(rest.changeSubscription)
  async change(call: OperationCall<typeof rest.changeSubscription>) {
    if (call.body.url !== undefined) {
      this.addresses.requireWebhookUrl(call.caller.scope, call.body.url);
    }
    return this.database.runOnce<typeof rest.changeSubscription>(call, async (tx) =>
      presentSubscription(await changeSubscription(tx, call.params.subscriptionId, call.body), call.caller),
    );
  }

  @Serve(rest.deleteSubscription)
  async delete(call: OperationCall<typeof rest.deleteSubscription>) {
    return this.database.runOnce<typeof rest.deleteSubscription>(call, async (tx) => {
      await unsubscribe(tx, call.params.subscriptionId);
    });
  }

  @Serve(rest.listSecrets)
  async listSecrets({ caller, params }: OperationCall<typeof rest.listSecrets>) {
    const { id, secrets } = await this.database.readSingle(caller.scope, (reader) =>
      getSubscription(reader, params.subscriptionId),
    );
    return { id, secrets: secrets.map((secret) => presentVisible(secret, caller)) };
  }

  @Serve(rest.createSecret)
  async createSecret(call: OperationCall<typeof rest.createSecret>) {
    return this.database.runOnce<typeof rest.createSecret>(call, async (tx) => {
      const subscription = await getLockedSubscription(tx, call.params.subscriptionId);
      return { id: subscription.id, secrets: (await addSigningSecret(tx, subscription)).map(presentSecret) };
    });
  }

  @Serve(rest.activateSecret)
  async activateSecret(call: OperationCall<typeof rest.activateSecret>) {
    const { subscriptionId, secretId } = call.params;
    return this.database.runOnce<typeof rest.activateSecret>(call, async (tx) => {
      await activateSigningSecret(tx, await getLockedSubscription(tx, subscriptionId), secretId);
    });
  }

  @Serve(rest.deleteSecret)
  async deleteSecret(call: OperationCall<typeof rest.deleteSecret>) {
    const { subscriptionId, secretId } = call.params;
    return this.database.runOnce<typeof rest.deleteSecret>(call, async (tx) => {
      await removeSigningSecret(tx, await getLockedSubscription(tx, subscriptionId), secretId);
    });
  }
}

function presentSubscription(subscription: Subscription, caller: Caller): rest.Subscription {
  const { id, url, events, description, isPaused, createdAt, updatedAt } = subscription;
  const { accountId } = caller.scope;
  const secrets = subscription.secrets.map((secret) => presentVisible(secret, caller));
  const active = secrets.find(({ isActive }) => isActive);
  if (active === undefined) throw new Error(`subscription ${id} has no active secret`);
  return {
    ...{ id, accountId, url, secrets },
    events: [...events],
    secret: active,
    ...present({ description }),
    ...(isPaused && { paused: true as const }),
    createdAt: presentMoment(createdAt),
    updatedAt: presentMoment(updatedAt),
  };
}

/** What a user of the portal sees of a secret that only its owner's programs need. */
const HIDDEN_SECRET = '(hidden)';

/** With a secret, everybody can sign events. Users who may only read webhooks do not see it; programs get it by their key. */
function presentVisible(secret: SubscriptionSecret, { actor, permissions }: Caller): rest.Subscription['secret'] {
  const isVisible = actor === undefined || permissions.has('webhooks.write');
  return isVisible ? presentSecret(secret) : { ...presentSecretState(secret), value: HIDDEN_SECRET };
}

function presentSecret(secret: SubscriptionSecret) {
  const { value } = secret;
  return { ...presentSecretState(secret), value, standardValue: encodeStandardSecret(value) };
}

function presentSecretState({ id, isActive, createdAt, lastUsedAt }: SubscriptionSecret) {
  return {
    ...{ id, isActive },
    createdAt: presentMoment(createdAt),
    ...(lastUsedAt !== null && { lastUsedAt: presentMoment(lastUsedAt) }),
  };
}
