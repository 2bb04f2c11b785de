// The reference EPOS of the pay-at-table contract: its sessions, locks, recorded payments and refusals.
export { EposRefusal, type RecordedPayment, type RecordPaymentRequest, ReferenceEpos } from './reference-epos.js';
export type { LockRequestor } from './epos-locks.js';
