// Pay at table: leases, journeys and table payments, until the EPOS records them or they are given back.
export {
  type HeldLease,
  isLeaseOver,
  type LeaseChange,
  type LeaseRequest,
  Leases,
  UnlockInProgress,
} from './leases.js';
export {
  findRunningJourney,
  getJourneyView,
  type JourneyPaymentView,
  Journeys,
  type JourneyView,
  requireRunning,
  type TakePartRequest,
} from './journeys.js';
export { TablePayments } from './table-payments.js';
export type { RelayedPayment, TablePaymentResult } from './table-payment-requests.js';
export { findNextCall, isUnlockedByUs, isUnsuccessfulReport, type TablePaymentCall } from './table-payment-calls.js';
export { listPendingPayments, type PendingTablePayment } from './open-table-payments.js';
export { encodeRecordMessage, toRequestorInfo } from './record-message.js';
export { isTransactionKnown, proveByIntent, readPaymentClaim, readRecordClaim } from './device-payments.js';
export { AcquirerProof } from './acquirer-proof.js';
export { buildUnsuccessfulReport } from './unsuccessful-attempt.js';
