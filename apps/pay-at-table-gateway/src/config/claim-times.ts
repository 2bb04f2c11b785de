import { Leases } from '@pos/payments/tables';
import type { Config } from './config.js';

type TimeSettings = Pick<Config, 'RUNNER_LEASE_MS' | 'LOCK_LEASE_MS' | 'EPOS_CALL_LIMIT_MS'>;

/** The time of an unlock beside its call to the EPOS. */
const UNLOCK_MARGIN_MS = 2_000;

/** The time that a runner has a payment or a lease to itself: its lease, and a call that it began before the end. */
export function computeClaimMs({
  RUNNER_LEASE_MS: leaseMs,
  EPOS_CALL_LIMIT_MS: callLimitMs,
}: Omit<TimeSettings, 'LOCK_LEASE_MS'>): number {
  return leaseMs + callLimitMs;
}

/** The leases of devices. After a crash a session is free as soon as an unlock call of the crashed process has ended. */
export function createLeases(settings: TimeSettings): Leases {
  const unlockMs = settings.EPOS_CALL_LIMIT_MS + UNLOCK_MARGIN_MS;
  return new Leases(settings.LOCK_LEASE_MS, Math.max(0, computeClaimMs(settings) - unlockMs));
}
