// REST operations for webhook subscriptions and deliveries, and the events that webhooks carry.
export { WebhookEvent } from './events.js';
export { EVENT_CAUSES } from './event-causes.js';
export { EVENT_USE_CASES } from './event-use-cases.js';
export {
  activateSecret,
  changeSubscription,
  createSecret,
  createSubscription,
  deleteSecret,
  deleteSubscription,
  listEventKinds,
  listSecrets,
  listSubscriptions,
  readSubscription,
  Subscription,
} from './webhooks.js';
export {
  Delivery,
  type DeliveryDetails,
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayEvents,
  sendTestEvent,
} from './webhook-deliveries.js';
export { createDeliveryLink, DELIVERY_LINK_MS, DELIVERY_PAGE_PATH } from './delivery-links.js';
