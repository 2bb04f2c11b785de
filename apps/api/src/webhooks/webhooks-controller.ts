import { Controller } from '@nestjs/common';
import type { AccountId } from '@pos/core/identity';
import { EVENT_MODELS } from '@pos/core/event-kind';
import { listSubscriptions, subscribe } from '@pos/payments/webhooks';
import { presentMoment } from '@pos/rest-contracts/moment';
import * as rest from '@pos/rest-contracts/webhooks';
import { type Call, Serve } from '@pos/service-kit/serve';
import type { Subscription, SubscriptionSecret } from '@pos/store/subscriptions';
import { ApiDatabase } from '../api-database.js';
import { present } from '../present.js';

@Controller()
export class WebhooksController {
  constructor(private readonly database: ApiDatabase) {}

  @Serve(rest.listEventKinds)
  async listKinds(_: Call<typeof rest.listEventKinds>) {
    return Promise.resolve(EVENT_MODELS.map(({ model, events }) => ({ model, events: [...events] })));
  }

  @Serve(rest.createSubscription)
  async create(call: Call<typeof rest.createSubscription>) {
    const { events, url, description = null } = call.body;
    return this.database.once<typeof rest.createSubscription>(call, async (tx) =>
      presentSubscription(await subscribe(tx, { events, url, description }), call.caller.scope.accountId),
    );
  }

  @Serve(rest.listSubscriptions)
  async list({ caller }: Call<typeof rest.listSubscriptions>) {
    const subscriptions = await this.database.read(caller.scope, listSubscriptions);
    return subscriptions.map((subscription) => presentSubscription(subscription, caller.scope.accountId));
  }
}

function presentSubscription(subscription: Subscription, accountId: AccountId): rest.Subscription {
  const { id, url, events, description, createdAt, updatedAt } = subscription;
  const secrets = subscription.secrets.map(presentSecret);
  const active = secrets.find(({ isActive }) => isActive);
  if (active === undefined) throw new Error(`subscription ${id} has no active secret`);
  return {
    ...{ id, accountId, url, secrets },
    events: [...events],
    secret: active,
    ...present({ description }),
    createdAt: presentMoment(createdAt),
    updatedAt: presentMoment(updatedAt),
  };
}

function presentSecret({ id, value, isActive, createdAt, lastUsedAt }: SubscriptionSecret) {
  return {
    ...{ id, value, isActive },
    createdAt: presentMoment(createdAt),
    ...(lastUsedAt !== null && { lastUsedAt: presentMoment(lastUsedAt) }),
  };
}
