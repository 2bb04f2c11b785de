import { Controller } from '@nestjs/common';
import {
  type DeliveryDetails,
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayRange,
  sendTestEvent,
} from '@pos/payments/webhooks';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import type { WebhookEvent } from '@pos/rest-contracts/webhooks';
import * as rest from '@pos/rest-contracts/webhooks';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { Delivery, DeliveryAttemptEntry } from '@pos/store/webhooks';
import { ApiDatabase } from '../database/api-database.js';

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

  @Serve(rest.readDelivery)
  async read({ caller, params }: OperationCall<typeof rest.readDelivery>) {
    const { subscriptionId, deliveryId: id } = params;
    return presentDetails(
      await this.database.read(caller.scope, (reader) => readDelivery(reader, { id, subscriptionId })),
    );
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

  @Serve(rest.sendTestEvent)
  async sendTest(call: OperationCall<typeof rest.sendTestEvent>) {
    const event = { subscriptionId: call.params.subscriptionId, kind: call.body.event };
    return this.database.runOnce<typeof rest.sendTestEvent>(call, async (tx) =>
      presentDelivery(await sendTestEvent(tx, event)),
    );
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

function presentDetails({ delivery, body, attempts }: DeliveryDetails): rest.DeliveryDetails {
  return {
    ...presentDelivery(delivery),
    // Made once by the service, with a schema of its contract.
    body: JSON.parse(body.toString('utf8')) as WebhookEvent,
    history: attempts.map(presentAttempt),
  };
}

function presentAttempt(entry: DeliveryAttemptEntry): rest.DeliveryDetails['history'][number] {
  const { traceId, outcome, status, error, tookMs, createdAt, details } = entry;
  return {
    ...{ number: details.attempt ?? 1, at: presentMoment(createdAt), outcome, tookMs, traceId },
    ...present({ status, error, answer: readAnswer(details.answer) }),
  };
}

function readAnswer(answer: DeliveryAttemptEntry['details']['answer']): string | null {
  return typeof answer === 'object' && answer !== null && 'text' in answer && typeof answer['text'] === 'string'
    ? answer['text']
    : null;
}
