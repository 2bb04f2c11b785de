// The activity log for readers: timeline of a payment, requests of an account, and groups of errors.
export { groupErrorsOfPeriod, listAccountRequests, listActivitiesOfPayment } from './activity-listing.js';
