import { formatScope, type Scope } from '@pos/core/identity';
import type { Lease } from '@pos/core/tables';

/** A lease of a device as this process stored it last. */
export interface CachedLease {
  readonly lease: Lease;
  /** The order of the session; null if the EPOS keeps sessions. It never changes. */
  readonly orderId: string | null;
  /** A payment was made under the lease, so that a repeat of it has to be looked up. */
  readonly isPaid: boolean;
}

const CACHED_MAX = 10_000;

/**
 * Caches the leases of devices, so that the next call of a device needs no read before its write. An entry may be
 * outdated: the write that depends on it names its version, and a refusal is never decided by it (ADR 0109).
 */
export class LeaseCache {
  readonly #cached = new Map<string, CachedLease>();

  /** Keeps a lease that was stored without row locks, each version of it by this process. */
  put(scope: Scope, cached: CachedLease): void {
    const { state, eposLocked, openPayments, sessionId } = cached.lease;
    if (state !== 'Held' || !eposLocked || openPayments > 0) return;
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
    this.#cached.set(buildKey(scope, sessionId), cached);
  }

  /** The lease of the session if this device has it. It is used once: after a failure the next call reads. */
  take(scope: Scope, { sessionId, owner }: Pick<Lease, 'sessionId' | 'owner'>): CachedLease | null {
    const key = buildKey(scope, sessionId);
    const cached = this.#cached.get(key);
    if (cached?.lease.owner !== owner) return null;
    this.#cached.delete(key);
    return cached;
  }
}

function buildKey(scope: Scope, sessionId: string): string {
  return `${formatScope(scope)}/${sessionId}`;
}
