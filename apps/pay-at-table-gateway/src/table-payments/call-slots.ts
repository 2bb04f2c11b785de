import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { GrpcFailure } from '@pos/service-kit/grpc';
import type { AccountConcurrencyLimiter, ReleaseSlot } from '@pos/service-kit/lifecycle';

/** Takes a slot for a device's call; without one the call ends with RESOURCE_EXHAUSTED, nothing is done, and the device retries. */
export function acquireCallSlot(limiter: AccountConcurrencyLimiter, scope: Scope): ReleaseSlot {
  const releaseSlot = limiter.tryAcquire(scope);
  if (releaseSlot !== null) return releaseSlot;
  throw new GrpcFailure(status.RESOURCE_EXHAUSTED, 'too many payments of this account are being recorded: try again');
}
