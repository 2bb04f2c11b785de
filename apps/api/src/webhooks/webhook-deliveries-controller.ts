import { Controller } from '@nestjs/common';
import { listDeliveries, replayDelivery, replayRange } from '@pos/payments/webhook-deliveries';
import { presentMoment } from '@pos/rest-contracts/moment';
import * as rest from '@pos/rest-contracts/webhook-deliveries';
import { type Call, Serve } from '@pos/service-kit/serve';
import type { Delivery } from '@pos/store/deliveries';
import { ApiDatabase } from '../api-database.js';
import { present } from '@pos/rest-contracts/present';

/** What became of events on their way, and sending them again. */
@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly database: ApiDatabase) {}

  @Serve(rest.listDeliveries)
  async list({ caller, params, query }: Call<typeof rest.listDeliveries>) {
    const { state = null, ...place } = query;
    const { deliveries, before, after } = await this.database.read(caller.scope, (reader) =>
      listDeliveries(reader, params.subscriptionId, { state, ...place }),
    );
    return { data: deliveries.map(presentDelivery), before, after };
  }

  @Serve(rest.replayDelivery)
  async replayOne(call: Call<typeof rest.replayDelivery>) {
    const { subscriptionId, deliveryId: id } = call.params;
    return this.database.once<typeof rest.replayDelivery>(call, async (tx) =>
      presentDelivery(await replayDelivery(tx, { id, subscriptionId })),
    );
  }

  @Serve(rest.replayEvents)
  async replayRange(call: Call<typeof rest.replayEvents>) {
    const { from = null, to = null, states } = call.body;
    return this.database.once<typeof rest.replayEvents>(call, async (tx) => ({
      queued: await replayRange(tx, call.params.subscriptionId, { from, to, states }),
    }));
  }
}

function presentDelivery(delivery: Delivery): rest.Delivery {
  const { id, eventId, event, state, attempts, nextAttemptAt, lastStatus, lastError } = delivery;
  return {
    ...{ id, eventId, event, state, attempts },
    ...(nextAttemptAt !== null && { nextAttemptAt: presentMoment(nextAttemptAt) }),
    ...present({ lastStatus, lastError }),
    createdAt: presentMoment(delivery.createdAt),
    updatedAt: presentMoment(delivery.updatedAt),
  };
}
