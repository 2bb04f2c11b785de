import { Controller, Inject } from '@nestjs/common';
import { isId } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { getSubscription } from '@pos/payments/webhooks';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { createDeliveryLink, DELIVERY_LINK_MS, DELIVERY_PAGE_PATH } from '@pos/rest-contracts/webhooks';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { CONFIG } from '@pos/service-kit/nest';
import { formatDeliveryLinkToken } from '@pos/service-kit/portal';
import type { Tx } from '@pos/store/database';
import { findIntent } from '@pos/store/payments';
import type { Config } from '../config/config.js';
import { ApiDatabase } from '../database/api-database.js';

/** Creates links to the page of deliveries, which the portal serves. */
@Controller()
export class DeliveryLinksController {
  constructor(
    private readonly database: ApiDatabase,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Serve(createDeliveryLink)
  async create(call: OperationCall<typeof createDeliveryLink>) {
    const { PORTAL_KEY: key } = this.config;
    if (key === undefined)
      throw new Refusal('service_unavailable', 'This service has no portal, which shows the page.');
    const { scope } = call.caller;
    const { paymentIntentId = null, frameAncestors, expiresIn = DELIVERY_LINK_MS } = call.body;
    return this.database.runOnce<typeof createDeliveryLink>(call, async (tx) => {
      const { id: subscriptionId } = await getSubscription(tx, call.params.subscriptionId);
      if (paymentIntentId !== null) await requireIntent(tx, paymentIntentId);
      const expiresAtMs = Date.now() + expiresIn;
      const subject = { scope, subscriptionId, paymentIntentId, frameAncestors, expiresAtMs };
      const path = `${DELIVERY_PAGE_PATH}/${formatDeliveryLinkToken(subject, key)}`;
      return { path, expiresAt: presentMoment(new Date(expiresAtMs)) };
    });
  }
}

async function requireIntent(tx: Tx, id: string): Promise<void> {
  const isKnown = isId('paymentIntent', id, tx.scope.environment) && (await findIntent(tx, id)) !== null;
  if (!isKnown) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
}
