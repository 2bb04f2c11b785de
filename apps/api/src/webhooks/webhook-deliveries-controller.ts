import { Controller } from '@nestjs/common';
import { listDeliveries, replayDelivery, replayRange } from '@pos/payments/webhooks/deliveries';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import * as rest from '@pos/rest-contracts/webhooks/webhook-deliveries';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import type { Delivery } from '@pos/store/webhooks/deliveries';
import { ApiDatabase } from '../database/api-database.js';
import { present } from '@pos/rest-contracts/shapes/present';

/** Lists the deliveries of events and replays them. */
@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly database: ApiDatabase) {}

  @Serve(rest.listDeliveries)
  async list({ caller, params, query }: OperationCall<typeof rest.listDeliveries>) {
    const { state = null, ...position } = query;
    const { deliveries, before, after } = await this.database.read(caller.scope, (reader) =>
      listDeliveries(reader, params.subscriptionId, { state, ...position }),
    );
    return { data: deliveries.map(presentDelivery), before, after };
  }

  @Serve(rest.replayDelivery)
  async replayOne(call: OperationCall<typeof rest.replayDelivery>) {
    const { subscriptionId, deliveryId: id } = call.params;
    return this.database.runOnce<typeof rest.replayDelivery>(call, async (tx) =>
      presentDelivery(await replayDelivery(tx, { id, subscriptionId })),
    );
  }

  @Serve(rest.replayEvents)
  async replayRange(call: OperationCall<typeof rest.replayEvents>) {
    const { from = null, to = null, states } = call.body;
    return this.database.runOnce<typeof rest.replayEvents>(call, async (tx) => ({
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
