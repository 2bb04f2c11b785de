// The activity log in PostgreSQL: batched inserts, and lists by payment, request, EPOS call and error.
export { ACTIVITY_DROP_REASONS, ActivityLog, type ActivityLogObserver } from './activity-log.js';
export { isPaymentActivityId, listPaymentActivities, type PaymentActivity } from './payment-activities.js';
export { type RequestActivity, searchRequests } from './request-listing.js';
export { type EposCallActivity, listNewestEposCalls } from './epos-call-listing.js';
export { type ErrorGroups, groupErrors } from './error-groups.js';
