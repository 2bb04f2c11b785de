import {
  acquireLease,
  closePayment,
  expireLease,
  forceLease,
  lockGivenUp,
  lockLost,
  lockTaken,
  openPayment,
  releaseLease,
  renewByCommand,
} from './lease.js';

/** The decisions about a lease; a test may replace each with a wrong one. */
export const LEASE_MACHINE = {
  acquire: acquireLease,
  command: renewByCommand,
  lockTaken,
  lockLost,
  lockGivenUp,
  openPayment,
  closePayment,
  expire: expireLease,
  release: releaseLease,
  force: forceLease,
};
export type LeaseMachine = typeof LEASE_MACHINE;
