import { Module } from '@nestjs/common';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { DeliveryLinksController } from './delivery-links-controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries-controller.js';
import { WebhooksController } from './webhooks-controller.js';

/** Webhook subscriptions and their deliveries. */
@Module({
  imports: [AddressPolicyModule],
  controllers: [WebhooksController, WebhookDeliveriesController, DeliveryLinksController],
})
export class WebhooksModule {}
