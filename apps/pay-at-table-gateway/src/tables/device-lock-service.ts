import type { Requestor } from '@pos/core/tables';
import { Refusal } from '@pos/core/refusals';
import type { LockSessionResponse, UnlockSessionResponse } from '@pos/grpc-contracts/tables';
import type { AccountCache } from '@pos/payments/accounts';
import type { Leases } from '@pos/payments/tables';
import type { GrpcCall } from '@pos/service-kit/grpc';
import type { Database } from '@pos/store/database';
import { lockLease, lockLeaseToEnd } from '@pos/store/tables';
import { getLeaseOwner } from '../devices/device-request.js';
import { readUsableBill, requireUsableBill } from '../devices/device-bill.js';
import { toGrpcFailure } from '../epos-calls/epos-failure.js';
import { presentBill } from '../journeys/journey-wire.js';
import type { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import type { EposResolver } from '../session-locks/epos-resolver.js';
import type { LeaseCache } from '../session-locks/lease-cache.js';
import type { SessionLockService } from '../session-locks/session-lock-service.js';

/** The requestor of a call, and the call with its deadline. */
export interface DeviceCall {
  readonly requestor: Requestor;
  readonly call: GrpcCall;
}

/** The locks of a device that pays step by step. It uses the same leases as journeys. */
export class DeviceLockService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly leases: Leases;
      readonly leaseCache: LeaseCache;
      readonly locks: SessionLockService;
      readonly leaseWorker: LeaseTimerWorker;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
    },
  ) {}

  /** Leases and locks the session. The same device may repeat it. */
  async lockSession({
    requestor,
    call,
    sessionId,
  }: DeviceCall & { readonly sessionId: string }): Promise<LockSessionResponse> {
    const { scope } = call.caller;
    const { database, accounts, leases, leaseCache, locks, leaseWorker, getEpos, callLimitMs } = this.parts;
    const leaseRequest = { sessionId, owner: getLeaseOwner(requestor, call.caller), requestor };
    const acquired = await locks.acquireLease(scope, leaseRequest, (reader) => accounts.get(reader));
    const { held, also: account, orderId } = acquired;
    const { isNew, isLockDoubtful } = held;
    const lease = isNew ? held.lease : await database.transact(scope, (tx) => leases.markLockRequested(tx, held.lease));
    const mayBeOurs = !isNew && held.lease.eposLocked;
    const outcome = await locks.lockSession(scope, lease, { requestor, mayBeOurs, isDoubtful: isLockDoubtful });
    if (outcome.outcome === 'locked') {
      if (isNew) leaseCache.put(scope, { lease, orderId, isPaid: false });
      const expected = { sessionId, currencies: account.currencies };
      const bill =
        outcome.bill === null
          ? await readUsableBill(getEpos(scope), expected, { requestor, deadlineMs: callLimitMs })
          : requireUsableBill(outcome.bill, expected);
      return { billItems: presentBill(bill) };
    }
    const isLocked = outcome.outcome === 'noAnswer';
    await database.transact(scope, async (tx) => {
      const found = await lockLease(tx, lease.leaseId);
      if (found === null || found.openPayments > 0) return;
      if (isNew) await leases.release(tx, found, { isLocked });
      else if (!isLocked) await leases.markUnlocked(tx, lease.leaseId);
    });
    if (isNew && isLocked) await leaseWorker.unlockEndedLease(scope, lease.leaseId);
    throw toGrpcFailure(outcome);
  }

  /** Ends the device's lease and unlocks. Refuses while money is open or a journey runs on it. */
  async unlockSession(deviceCall: DeviceCall & { readonly sessionId: string }): Promise<UnlockSessionResponse> {
    const { requestor, call, sessionId } = deviceCall;
    const { scope } = call.caller;
    const { leases, leaseCache, leaseWorker } = this.parts;
    const owner = getLeaseOwner(requestor, call.caller);
    const cached = leaseCache.take(scope, { sessionId, owner });
    const answer = await leaseWorker.endLease(scope, requestor, {
      read: (looking) => lockLeaseToEnd(looking, sessionId),
      decide: (tx, found) => {
        const extended = leases.extendLease(tx, found.lease, owner);
        if (!found.isRunning) return extended;
        throw new Refusal('journey_busy', 'a journey runs on this session: finish it');
      },
      // A journey changes the version of its lease, and this process has stored every version of a cached one.
      ...(cached !== null && { known: { lease: cached.lease, isRunning: false } }),
    });
    if (answer.outcome !== 'answered') throw toGrpcFailure(answer);
    return {};
  }
}
