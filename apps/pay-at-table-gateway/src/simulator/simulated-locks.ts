import { formatScope, type Scope } from '@pos/core/identity';
import { LEASE_LENGTH_MS, type Requestor } from '@pos/core/tables';
import type { Database } from '@pos/store/database';
import { findLeaseOfSession, findOrderLock } from '@pos/store/tables';

/** A simulated device: its name among the devices of the account, and what it says about itself. */
export interface SimulatedDevice {
  readonly owner: string;
  readonly requestor: Requestor;
}

interface SimulatedLock {
  readonly owner: string;
  readonly expiresAtMs: number;
}

const SIMULATED_LOCKS_MAX = 10_000;

/**
 * The devices that hold sessions, as the simulator respects them: a real device by its lease, else the device that locked
 * the order, else the simulated device that locked here. An EPOS without locks, and one with a lock for all callers, cannot
 * tell devices apart. A simulated lock ends with the session's unlock, and like a lease after ten minutes without a command.
 */
export class SimulatedLocks {
  readonly #locks = new Map<string, SimulatedLock>();

  constructor(private readonly database: Database) {}

  /** Why this device must not lock, pay or unlock the session; null if no other device holds it. */
  async findObjection(scope: Scope, sessionId: string, device: SimulatedDevice): Promise<string | null> {
    const stored = await this.database.transact(scope, async (tx) => {
      const lease = await findLeaseOfSession(tx, sessionId);
      if (lease !== null && (lease.openPayments > 0 || lease.expiresAt > tx.databaseNow))
        return { holder: lease.owner, isSame: lease.owner === device.owner };
      const lock = await findOrderLock(tx, sessionId);
      if (lock === null || lock.state === 'Lost' || lock.expiresAt <= tx.databaseNow) return null;
      return { holder: describeDevice(lock.requestor), isSame: isSameDevice(lock.requestor, device.requestor) };
    });
    if (stored !== null) return stored.isSame ? null : `${stored.holder} holds the session`;
    const lock = this.#locks.get(buildLockKey(scope, sessionId));
    if (lock === undefined || lock.expiresAtMs <= performance.now() || lock.owner === device.owner) return null;
    return `${lock.owner} holds the session`;
  }

  /** The device has paid on a session: a lock of its own begins to age again. */
  extendLock(scope: Scope, sessionId: string, device: SimulatedDevice): void {
    if (this.#locks.has(buildLockKey(scope, sessionId))) this.recordLock(scope, sessionId, device);
  }

  recordLock(scope: Scope, sessionId: string, { owner }: SimulatedDevice): void {
    if (this.#locks.size >= SIMULATED_LOCKS_MAX) this.#locks.clear();
    this.#locks.set(buildLockKey(scope, sessionId), { owner, expiresAtMs: performance.now() + LEASE_LENGTH_MS });
  }

  recordUnlock(scope: Scope, sessionId: string): void {
    this.#locks.delete(buildLockKey(scope, sessionId));
  }
}

function buildLockKey(scope: Scope, sessionId: string): string {
  return `${formatScope(scope)} ${sessionId}`;
}

function isSameDevice(one: Requestor, other: Requestor): boolean {
  return describeDevice(one) === describeDevice(other);
}

function describeDevice(requestor: Requestor): string {
  return requestor.type === 'cardMachine' ? `card machine ${requestor.terminalId}` : 'the device of a payer';
}
