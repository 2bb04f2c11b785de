import type { Bill, Lease, Requestor, UncheckedBill } from '@pos/core/tables';
import type { Caller, Partners } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import { requireFree } from '@pos/core/journeys';
import { Refusal } from '@pos/core/refusals';
import {
  findRunningJourney,
  getJourneyView,
  isLeaseOver,
  type Journeys,
  type JourneyView,
  type Leases,
  requireRunning,
  type TakePartRequest,
} from '@pos/payments/tables';
import type { PartnerDirectory, PaymentSettings } from '@pos/payments/accounts';
import type { Database, Tx } from '@pos/store/database';
import { findJourney, findTablePayment, listTablePaymentsOfJourney, lockLease } from '@pos/store/tables';
import { runOnce } from '@pos/store/idempotency';
import { hasTimer } from '@pos/store/queues';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeviceAccess } from '../devices/device-access.js';
import { toGrpcFailure } from '../epos-calls/epos-failure.js';
import type { JourneyBillReader } from './journey-bill-reader.js';
import type { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import {
  type LockOutcome,
  type SessionLockService,
  UNLOCK_POLL_MS,
  UNLOCK_WAIT_MAX_MS,
} from '../session-locks/session-lock-service.js';
import type { TableTimerWorker } from '../table-payments/table-timer-worker.js';

/** The session of a new journey, as its EPOS describes it. */
export interface JourneyStartRequest {
  readonly sessionId: string;
  readonly sessionName: string;
  readonly tableName: string | null;
  readonly isPayable: boolean;
  readonly owner: string;
  readonly requestor: Requestor;
}

/** TakePayment as it was requested; the text contains every member, so that a repeat is recognised. */
export interface TakePaymentCommand {
  readonly fingerprint: string;
  readonly buildRequest: (currencyCode: string) => TakePartRequest;
  readonly journeyId: string;
  readonly paymentId: string;
}

/** The caller of TakePayment; its partners are stored with the payment. */
type PaymentCaller = Pick<Caller, 'scope' | 'permissions'> & Partial<Partners>;

/** The operations of a device on a journey. Calls to the EPOS are made between transactions, never inside one. */
export class JourneyService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: DeviceAccess;
      readonly journeys: Journeys;
      readonly leases: Leases;
      readonly locks: SessionLockService;
      readonly leaseWorker: LeaseTimerWorker;
      readonly timerWorker: TableTimerWorker;
      readonly bills: JourneyBillReader;
      readonly partners: PartnerDirectory;
      readonly settings: Pick<PaymentSettings, 'fault'>;
    },
  ) {}

  /** Our lease first, then the EPOS's lock, then the journey. A step that fails is undone before the refusal is returned. */
  async startJourney(scope: Scope, startRequest: JourneyStartRequest): Promise<JourneyView> {
    const { database, leases, journeys, locks, settings } = this.parts;
    const { held } = await locks.acquireLease(scope, startRequest, () => Promise.resolve());
    const running = held.isNew ? null : await database.read(scope, (reader) => findRunningJourney(reader, held.lease));
    if (running !== null) return database.readSnapshot(scope, (reader) => getJourneyView(reader, running.id));
    if (!startRequest.isPayable) {
      await this.#releaseLease(scope, held.lease.leaseId, !held.isNew || held.isLockDoubtful);
      throw new Refusal('bill_paid', 'the EPOS reports the session as not payable');
    }
    const { requestor, sessionName: name, tableName } = startRequest;
    const lease = held.isNew
      ? held.lease
      : await database.transact(scope, async (tx) =>
          leases.markLockRequested(tx, await requireOpenLease(tx, held.lease)),
        );
    const outcome = await locks.lockSession(scope, lease, {
      requestor,
      mayBeOurs: !held.isNew && held.lease.eposLocked,
      isDoubtful: held.isLockDoubtful,
    });
    if (outcome.outcome !== 'locked') throw await this.#releaseAfterFailedLock(scope, lease, outcome);
    settings.fault('after-lock');
    try {
      const bill = await this.#getCheckedBill(scope, lease, { unchecked: outcome.bill, requestor });
      if (bill.paid.value >= bill.total.value) throw new Refusal('bill_paid', 'nothing is outstanding on this bill');
      return await database.transact(scope, (tx) => journeys.start(tx, { lease, name, tableName, bill, requestor }));
    } catch (error) {
      await this.#releaseLease(scope, lease.leaseId);
      throw error;
    }
  }

  /** Locks again if the last part has unlocked, reads the bill, then starts the payment; a repeat changes nothing. */
  async takePayment(caller: PaymentCaller, command: TakePaymentCommand): Promise<JourneyView> {
    const { database, journeys, timerWorker } = this.parts;
    const { scope } = caller;
    const { journeyId, paymentId } = command;
    const { request, bill } = (await this.#prepareIfNew(caller, command)) ?? { request: null, bill: null };
    const idempotency = {
      method: 'TakePayment',
      path: '/table-payments',
      key: paymentId,
      fingerprintInput: command.fingerprint,
    };
    await runOnce(database, { scope, idempotency, partners: caller }, async (tx) => {
      // The payment exists, but not under this key: a device has recorded it with RecordPayment.
      if (request === null) throw new Refusal('table_payment_id_reused', 'a payment with this id exists');
      await journeys.take(tx, caller, { ...request, bill });
      return { status: 0, body: null };
    });
    const view = await database.readSnapshot(scope, (reader) => getJourneyView(reader, journeyId));
    for (const { payment } of view.payments) if (payment.id === paymentId) timerWorker.watchPayment(scope, payment);
    return view;
  }

  async cancelPayment(scope: Scope, paymentId: string): Promise<JourneyView> {
    return this.parts.database.transact(scope, (tx) => this.parts.journeys.cancelPayment(tx, paymentId));
  }

  async decideSignature(scope: Scope, paymentId: string, isAccepted: boolean): Promise<JourneyView> {
    return this.parts.database.transact(scope, (tx) => this.parts.journeys.decideSignature(tx, paymentId, isAccepted));
  }

  /** Moves the journey to another card machine; a payment on the first one is stopped, then continues there. */
  async moveJourney(
    { scope, keyId }: Pick<Caller, 'scope' | 'keyId'>,
    journeyId: string,
    tid: string,
  ): Promise<JourneyView> {
    const { database, journeys, timerWorker } = this.parts;
    const view = await database.transact(scope, (tx) => journeys.move(tx, { keyId }, { journeyId, tid }));
    for (const { payment } of view.payments) if (payment.movingTo !== null) timerWorker.watchPayment(scope, payment);
    return view;
  }

  async getJourney(scope: Scope, journeyId: string): Promise<JourneyView> {
    return this.parts.bills.getFreshView(scope, journeyId);
  }

  /** Ends the journey. The session is unlocked at the EPOS before this returns if possible, else by the lease's timer. */
  async finishJourney(scope: Scope, journeyId: string): Promise<JourneyView> {
    const { database, journeys, leaseWorker } = this.parts;
    await this.#waitUntilUnlocked(scope, journeyId);
    const view = await database.transact(scope, (tx) => journeys.finish(tx, journeyId));
    await leaseWorker.unlockEndedLease(scope, view.journey.leaseId);
    return this.getJourney(scope, journeyId);
  }

  /** Null: a payment with this id exists, or a concurrent call has just created it. */
  async #prepareIfNew(
    caller: PaymentCaller,
    command: TakePaymentCommand,
  ): Promise<{ request: TakePartRequest; bill: Bill } | null> {
    const { database, partners } = this.parts;
    const { scope } = caller;
    const isKnown = async (): Promise<boolean> =>
      (await database.read(scope, (reader) => findTablePayment(reader, command.paymentId))) !== null;
    if (await isKnown()) return null;
    await partners.requireRegistered(caller);
    try {
      return await this.#preparePayment(scope, command);
    } catch (error) {
      // The conflict may be this payment, which a concurrent repeat of the call has started.
      if (error instanceof Refusal && error.code === 'journey_busy' && (await isKnown())) return null;
      throw error;
    }
  }

  async #preparePayment(scope: Scope, command: TakePaymentCommand): Promise<{ request: TakePartRequest; bill: Bill }> {
    const { access, database, leases, locks, settings } = this.parts;
    const { journeyId } = command;
    // A stored payment continues under any settings, so only a new one is checked.
    await access.requireEnabled(scope);
    if (!(await this.#waitUntilUnlocked(scope, journeyId))) {
      throw new Refusal('journey_busy', 'the last part is still being unlocked at the EPOS');
    }
    const { journey, lease } = await database.transact(scope, async (tx) => {
      const current = await findJourney(tx, journeyId);
      if (current === null) throw new Refusal('journey_not_found', 'there is no such journey');
      requireRunning(current);
      const commanded = await leases.renewForJourney(tx, current.leaseId);
      // Checked again under the journey's lock; here it saves a call to the EPOS.
      requireFree(current, command.buildRequest(current.currencyCode).part);
      return { journey: current, lease: commanded };
    });
    const request = command.buildRequest(journey.currencyCode);
    await access.requireTipAllowed(scope, request);
    const { requestor } = journey;
    let unchecked: UncheckedBill | null = null;
    if (!lease.eposLocked || lease.state === 'Lost') {
      const lockingLease = await database.transact(scope, async (tx) =>
        leases.markLockRequested(tx, await requireOpenLease(tx, lease), journey.requestor),
      );
      const { requestor } = lockingLease;
      const outcome = await locks.lockSession(scope, lockingLease, { requestor, mayBeOurs: lease.eposLocked });
      if (outcome.outcome !== 'locked') throw await this.#keepLeaseAfterFailedLock(scope, lockingLease, outcome);
      unchecked = outcome.bill;
      settings.fault('after-lock');
    }
    const bill = await this.#getCheckedBill(scope, lease, { unchecked, requestor, currencyCode: journey.currencyCode });
    return { request, bill };
  }

  /** Waits until the runner has unlocked after the last part: its unlock would remove a new lock. False: it takes too long. */
  async #waitUntilUnlocked(scope: Scope, journeyId: string): Promise<boolean> {
    const { database } = this.parts;
    const untilMs = performance.now() + UNLOCK_WAIT_MAX_MS;
    for (;;) {
      const isHeld = await database.read(scope, async (reader) => {
        const recorded = (await listTablePaymentsOfJourney(reader, journeyId)).filter(
          ({ state }) => state === 'Recorded',
        );
        const lastRecorded = recorded.at(-1);
        return (
          lastRecorded !== undefined && (await hasTimer(reader, { kind: 'table-payment', subject: lastRecorded.id }))
        );
      });
      if (!isHeld) return true;
      if (performance.now() >= untilMs) return false;
      await pause(UNLOCK_POLL_MS);
    }
  }

  /** The bill, read if it did not come with the lock. */
  #getCheckedBill(
    scope: Scope,
    { sessionId }: Lease,
    billSource: {
      readonly unchecked: UncheckedBill | null;
      readonly requestor: Requestor;
      readonly currencyCode?: string;
    },
  ): Promise<Bill> {
    const { unchecked, ...more } = billSource;
    const { bills } = this.parts;
    return unchecked === null
      ? bills.readBill(scope, { sessionId, ...more })
      : bills.validateBill(scope, { sessionId, ...more }, unchecked);
  }

  /** The session could not be locked: our lease ends, and the session is unlocked at the EPOS if it may be locked. */
  async #releaseAfterFailedLock(
    scope: Scope,
    lease: Lease,
    outcome: Exclude<LockOutcome, { outcome: 'locked' }>,
  ): Promise<Error> {
    await this.#releaseLease(scope, lease.leaseId, outcome.outcome === 'noAnswer');
    return toGrpcFailure(outcome);
  }

  /** The session could not be locked for the next part: the lease stays, and no payment starts on it until it is locked. */
  async #keepLeaseAfterFailedLock(
    scope: Scope,
    lease: Lease,
    outcome: Exclude<LockOutcome, { outcome: 'locked' }>,
  ): Promise<Error> {
    if (outcome.outcome !== 'noAnswer') {
      await this.parts.database.transact(scope, (tx) => this.parts.leases.markUnlocked(tx, lease.leaseId));
    }
    return toGrpcFailure(outcome);
  }

  async #releaseLease(scope: Scope, leaseId: string, isLocked = true): Promise<void> {
    const { database, leases, leaseWorker } = this.parts;
    const isReleased = await database.transact(scope, async (tx) => {
      const lease = await lockLease(tx, leaseId);
      // An open payment keeps the lease: another command of the same device was faster.
      if (lease === null || isLeaseOver(lease) || lease.openPayments > 0) return false;
      await leases.release(tx, lease, { isLocked });
      return true;
    });
    if (isReleased && isLocked) await leaseWorker.unlockEndedLease(scope, leaseId);
  }
}

async function requireOpenLease(tx: Tx, lease: Lease): Promise<Lease> {
  const current = await lockLease(tx, lease.leaseId);
  if (current === null || isLeaseOver(current))
    throw new Refusal('lease_over', 'the session is no longer held for this device');
  return current;
}
