// REST operations that list the activities of a payment, the requests of an account, and its errors.
export {
  groupErrors,
  listPaymentActivities,
  listRequests,
  type PaymentActivity,
  type RequestActivity,
} from './activities.js';
