// Stored webhook subscriptions, deliveries with their attempts, dead letters and replays.
export {
  activateWebhookSecret,
  deleteSubscription,
  deleteWebhookSecret,
  findSubscription,
  findSubscriptions,
  findTakenKinds,
  insertSubscription,
  insertWebhookSecret,
  lockSubscriptions,
  type Subscription,
  type SubscriptionSecret,
  updateSubscription,
} from './subscriptions.js';
export { type Delivery, findDelivery, findDeliveryOfEvent, getEventBody, searchDeliveries } from './deliveries.js';
export { type DeliveryAttemptEntry, listAttemptsOf, listDeliveryAttempts } from './attempts.js';
export { countDeadLetters, type DeadLetter, findDeadLetter, listDeadLetters } from './dead-letters.js';
export { countReplayEvents, enqueueReplay, insertReplay, replayDeadLetter } from './replays.js';
export { applyStateToSubscriptionLanes } from './held-deliveries.js';
