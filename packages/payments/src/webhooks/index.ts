// Webhook subscriptions, signing secrets, deliveries and replays.
export {
  changeSubscription,
  createSubscription,
  getLockedSubscription,
  getSubscription,
  listSubscriptions,
  unsubscribe,
} from './subscriptions.js';
export { activateSigningSecret, addSigningSecret, removeSigningSecret } from './signing-secrets.js';
export { type DeliveryDetails, listDeliveries, readDelivery, replayDelivery, replayRange } from './deliveries.js';
export { type LinkedDeliveries, readLinkedDeliveries } from './linked-deliveries.js';
export { sendTestEvent } from './test-events.js';
