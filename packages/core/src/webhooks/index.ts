// Webhook events: kinds and payloads, the retry schedule of deliveries, and recorded answers.
export {
  createBookingEvent,
  createPaymentAmountEvent,
  createPaymentIntentEvent,
  createTerminalSessionEvent,
  encodeEvent,
  type Envelope,
  getEventSubjectId,
  listAmountMovements,
} from './event.js';
export {
  ANSWER_BYTES_MAX,
  ATTEMPT_DEADLINE_MS,
  computeNextAttemptAt,
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryState,
  EPOS_LANES,
  EPOS_LOOK_AGAIN_MS,
  EPOS_WAIT_MAX_MS,
  EVENTS_KEPT_MS,
  formatLaneKey,
  formatReplayLaneKey,
  isDeliveredBy,
  isEposLane,
  isLetGo,
  REPLAY_STATES,
  type ReplayState,
  SECRETS_MAX,
  type UnreachableReason,
  URL_LENGTH_MAX,
} from './delivery-schedule.js';
export { recordAnswer } from './recorded-answer.js';
export { createTestEvent } from './test-event.js';
