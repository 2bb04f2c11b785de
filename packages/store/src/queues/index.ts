// Queues in PostgreSQL: the outbox, delivery lanes, timers that workers claim, and retention of old rows.
export { emit, emitAll } from './outbox.js';
export { EposLaneQueue, LaneQueue } from './lanes.js';
export type { AttemptRecord, ClaimedDelivery, ClaimedLane, EposDelivery, PendingDelivery } from './claimed-lane.js';
export { wakeEposLane } from './epos-lanes.js';
export { replayEventsToEpos } from './epos-replays.js';
export { type EposCallRecord, listLastEposCalls } from './last-epos-calls.js';
export {
  assertFence,
  cancelTimer,
  type ClaimedTimer,
  LeaseLost,
  schedule,
  type TimerKind,
  type TimerName,
  TimerQueue,
} from './timers.js';
export {
  claimTimer,
  completeClaim,
  completeClaimOrFail,
  hasClaimedTimer,
  hasTimer,
  insertClaimedTimer,
  scheduleAndClaim,
} from './timer-claim.js';
export {
  deleteExpiredActivities,
  deleteExpiredCustomerSecrets,
  deleteExpiredEvents,
  deleteExpiredIdempotencyKeys,
  deleteExpiredMails,
  deleteExpiredSubscriptions,
  findNextRetentionInMs,
} from './retention.js';
export { computeBookingKeptUntil, deleteExpiredBookings, deleteSettledDepositClaims } from './booking-retention.js';
export { readServiceBacklog, type ServiceBacklog } from './service-backlog.js';
