import { status } from '@grpc/grpc-js';
import type { Account } from '@pos/core/account';
import { checkBill, type Bill, type UncheckedBill } from '@pos/core/bill';
import { isEposErrorCode } from '@pos/core/epos-error';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import { money } from '@pos/core/money';
import type { RecordAnswer } from '@pos/core/record-answer';
import { Refusal } from '@pos/core/refusal';
import { isFinal, type TablePayment } from '@pos/core/table-payment';
import {
  type LockSessionResponse,
  type Payment,
  RecordPaymentRequest,
  type RecordPaymentResponse,
  type UnlockSessionResponse,
} from '@pos/grpc-contracts/tables';
import type { Accounts } from '@pos/payments/accounts';
import { runningJourney } from '@pos/payments/journeys';
import { LeaseRace, type Leases } from '@pos/payments/leases';
import type { TablePayments } from '@pos/payments/table-payments';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure, tablesFailure } from '@pos/service-kit/grpc-errors';
import type { Database, Tx } from '@pos/store/database';
import { lockLease } from '@pos/store/leases';
import { findRelayPlace, findTablePayment } from '@pos/store/table-payments';
import { setTimeout as pause } from 'node:timers/promises';
import { ownerOf, requireSessionId, unreadable } from '../devices/device-request.js';
import { failureOf } from './epos-failure.js';
import { presentBill } from './journey-wire.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { type EposOf, type SessionLocks, SHORT_CALL_SHARE } from './session-locks.js';
import type { TablePaymentRunner } from './table-payment-runner.js';
import type { TableWork } from './table-work.js';

/** Who calls, and how long they wait. */
export interface DeviceCall {
  readonly requestor: Requestor;
  readonly call: GrpcCall;
}

/** Whose bill it has to be, and in what it may be. */
interface ExpectedBill {
  readonly sessionId: string;
  readonly currencies: Account['currencies'];
}

interface Heard {
  readonly answer: RecordAnswer;
  readonly reason: string;
}

/** A device that waits here for its payment: what was heard of it, and how to be called when there is more. */
interface Waiting {
  heard: Heard;
  payment: TablePayment | null;
  call: () => void;
}

const RACES_MAX = 5;
const LOOK_EVERY_MS = 200;
const ANSWER_MARGIN_MS = 200;
const WAITING_MAX = 1_000;
const WAITING_AT_ONE_MAX = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * What a device that pays step by step changes at its EPOS: the same leases as a journey, and a payment that is stored
 * before it is relayed, so that it is recorded or given back whatever becomes of the device.
 */
export class DeviceDesk {
  /** By account, environment and payment: ids are unique only there, and a device may ask twice at once. */
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: Accounts;
      readonly leases: Leases;
      readonly locks: SessionLocks;
      readonly keeper: LeaseKeeper;
      readonly tablePayments: TablePayments;
      readonly runner: TablePaymentRunner;
      readonly work: TableWork;
      readonly eposOf: EposOf;
      readonly callLimitMs: number;
    },
  ) {
    parts.runner.onRecordAnswer = (scope, paymentId, heard) => {
      for (const waiting of this.#waiting.get(placeOf(scope, paymentId)) ?? []) waiting.heard = heard;
    };
    parts.runner.onStep = (scope, payment) => {
      for (const waiting of this.#waiting.get(placeOf(scope, payment.id)) ?? []) {
        waiting.payment = payment;
        waiting.call();
      }
    };
  }

  /** Leases and locks the session. The same device may lock again after it has unlocked, or to be sure. */
  async lock({
    requestor,
    call,
    sessionId,
  }: DeviceCall & { readonly sessionId: string }): Promise<LockSessionResponse> {
    const { scope } = call.caller;
    const held = await this.#lease(scope, { sessionId, owner: ownerOf(requestor, call.caller), requestor });
    const { database, leases, locks, keeper } = this.parts;
    const { isNew, isLockDoubtful } = held;
    const lease = isNew ? held.lease : await database.transact(scope, (tx) => leases.lockComing(tx, held.lease));
    const mayBeOurs = !isNew && held.lease.eposLocked;
    const outcome = await locks.take(scope, lease, { requestor, mayBeOurs, isDoubtful: isLockDoubtful });
    if (outcome.outcome === 'locked') {
      const { currencies } = held;
      const bill = outcome.bill === null ? null : usable(outcome.bill, { sessionId, currencies });
      return { billItems: presentBill(bill ?? (await this.#read(scope, { sessionId, currencies, requestor }))) };
    }
    const isLocked = outcome.outcome === 'noAnswer';
    await database.transact(scope, async (tx) => {
      const found = await lockLease(tx, lease.leaseId);
      if (found === null || found.openPayments > 0) return;
      if (isNew) await leases.release(tx, found, { isLocked });
      else if (!isLocked) await leases.lockGone(tx, lease.leaseId);
    });
    if (isNew && isLocked) await keeper.unlockNow(scope, lease.leaseId);
    throw failureOf(outcome);
  }

  /** Ends the device's lease and unlocks. Refuses while money is open or a journey runs on it. */
  async unlock(on: DeviceCall & { readonly sessionId: string }): Promise<UnlockSessionResponse> {
    const { requestor, call, sessionId } = on;
    const { scope } = call.caller;
    const { leases, keeper } = this.parts;
    const owner = ownerOf(requestor, call.caller);
    const answer = await keeper.endNow(scope, requestor, async (tx) => {
      const lease = await leases.lockFor(tx, sessionId, owner);
      if ((await runningJourney(tx, lease)) !== null) {
        throw new Refusal('journey_busy', 'a journey runs on this session: finish it');
      }
      return lease;
    });
    if (answer.outcome !== 'answered') throw failureOf(answer);
    return {};
  }

  /** Stores the payment, then has it recorded. The device hears the EPOS's answer, or that there was none in time. */
  async record(request: RecordPaymentRequest, { requestor, call }: DeviceCall): Promise<RecordPaymentResponse> {
    const { payment } = request;
    if (payment === undefined) throw unreadable('payment', 'is missing');
    requirePayment(payment);
    const { scope } = call.caller;
    if (!payment.paymentSuccessful) return this.#recordAttempt(scope, request);
    const owner = ownerOf(requestor, call.caller);
    const message = RecordPaymentRequest.encode(request).finish();
    const paymentId = payment.id.toLowerCase();
    const waiting: Waiting = { heard: NOTHING_HEARD, payment: null, call: () => undefined };
    const leave = this.#wait(placeOf(scope, paymentId), waiting);
    try {
      const { isRepeat } = await this.#store(scope, { payment, message, owner, requestor });
      const untilMs = performance.now() + call.remainingMs() - ANSWER_MARGIN_MS;
      return await this.#outcome(scope, { paymentId, isRepeat, waiting, untilMs });
    } finally {
      leave();
    }
  }

  /** Has the waiting called from now on; at the limit it is not, and sees the payment's end by looking. */
  #wait(place: string, waiting: Waiting): () => void {
    const others = this.#waiting.get(place) ?? new Set<Waiting>();
    if (this.#waiting.size >= WAITING_MAX || others.size >= WAITING_AT_ONE_MAX) return () => undefined;
    this.#waiting.set(place, others.add(waiting));
    return () => {
      others.delete(waiting);
      if (others.size === 0) this.#waiting.delete(place);
    };
  }

  async #store(
    scope: Scope,
    given: {
      readonly payment: Payment;
      readonly message: Uint8Array;
      readonly owner: string;
      readonly requestor: Requestor;
    },
  ): Promise<{ readonly isRepeat: boolean }> {
    const { database, accounts, leases, tablePayments, runner, work } = this.parts;
    const { payment, message, owner, requestor } = given;
    const paymentId = payment.id.toLowerCase();
    const { known, holder, currencies } = await database.read(scope, async (reader) => {
      const place = await findRelayPlace(reader, { id: paymentId, sessionId: payment.sessionId });
      return {
        known: place.isKnown ? await findTablePayment(reader, paymentId) : null,
        holder: place.holder,
        currencies: (await accounts.get(reader)).currencies,
      };
    });
    if (known !== null) {
      requireSame(known, payment);
      work.wake(scope, paymentId);
      return { isRepeat: true };
    }
    // Refused before the EPOS is asked for anything; judged again in the transaction that counts.
    if (holder !== owner) throw tablesFailure('SESSION_NOT_LOCKED', 'lock the session first');
    const bill = await this.#read(scope, { sessionId: payment.sessionId, currencies, requestor });
    const of = (amount: bigint) => money(Number(amount), payment.currency);
    const begunAtMs = performance.now();
    const relayed = await this.#relayed(scope, payment, async (tx) => {
      const lease = await leases.open(tx, await leases.lockFor(tx, payment.sessionId, owner));
      return tablePayments.relay(tx, {
        ...{ paymentId, lease, message, transactionId: transactionOf(payment), claimMs: runner.claimMs },
        base: of(payment.baseAmount),
        gratuity: of(payment.gratuityAmount),
        cashback: of(payment.cashbackAmount),
        paidBefore: bill.paid,
      });
    });
    if (relayed === null) return { isRepeat: true };
    work.follow(() => runner.goOn({ ...relayed, begunAtMs }, requestor));
    return { isRepeat: false };
  }

  /** Null: the same payment was stored by a call that was faster. */
  async #relayed<T>(scope: Scope, payment: Payment, relay: (tx: Tx) => Promise<T>): Promise<T | null> {
    const { database, work } = this.parts;
    try {
      return await database.transact(scope, relay);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'card_transaction_unusable') throw error;
      const id = payment.id.toLowerCase();
      const known = await database.read(scope, (reader) => findTablePayment(reader, id));
      if (known === null) throw error;
      requireSame(known, payment);
      work.wake(scope, id);
      return null;
    }
  }

  /** Waits until the payment says how it ended: its runner here calls, any other is seen by looking. */
  async #outcome(
    scope: Scope,
    on: {
      readonly paymentId: string;
      readonly isRepeat: boolean;
      readonly waiting: Waiting;
      readonly untilMs: number;
    },
  ): Promise<RecordPaymentResponse> {
    const { paymentId, isRepeat, waiting, untilMs } = on;
    for (;;) {
      const called = new Promise<void>((resolve) => (waiting.call = resolve));
      const told = waiting.payment;
      const payment = told ?? (await this.parts.database.read(scope, (reader) => findTablePayment(reader, paymentId)));
      const said = payment === null ? null : saidOf(payment, waiting.heard, isRepeat);
      if (said !== null) return said;
      waiting.payment = null;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) {
        throw new GrpcFailure(status.DEADLINE_EXCEEDED, 'the EPOS has not answered yet; it goes on being asked');
      }
      const looking = new AbortController();
      const look = pause(Math.min(LOOK_EVERY_MS, leftMs), undefined, { signal: looking.signal }).catch(() => undefined);
      await Promise.race([called, look]);
      looking.abort();
    }
  }

  /** An attempt that took no money: told to the EPOS only where the account wants that, and never repeated. */
  async #recordAttempt(scope: Scope, request: RecordPaymentRequest): Promise<RecordPaymentResponse> {
    const { database, accounts, eposOf, callLimitMs } = this.parts;
    const { settings } = await database.read(scope, (reader) => accounts.get(reader));
    if (!settings.payAtTable.reportsUnsuccessful) return {};
    const message = RecordPaymentRequest.encode(request).finish();
    const nobody = { requestor: { type: 'consumerDevice' }, paymentId: '', fence: 0n } as const;
    const { answer, reason } = await eposOf(scope).recordPayment(message, { ...nobody, deadlineMs: callLimitMs });
    if (answer === 'Success' || answer === 'PAYMENT_ALREADY_RECORDED') return {};
    throw failureOfAnswer({ answer, reason });
  }

  async #lease(
    scope: Scope,
    wish: { readonly sessionId: string; readonly owner: string; readonly requestor: Requestor },
  ) {
    const { database, accounts, leases } = this.parts;
    for (let races = 0; ; races += 1) {
      try {
        const { answer, currencies } = await database.transact(scope, async (tx) => ({
          answer: await leases.acquire(tx, wish),
          currencies: (await accounts.get(tx)).currencies,
        }));
        if (answer.outcome === 'refused') throw tablesFailure(answer.code, answer.reason);
        return { ...answer, currencies };
      } catch (error) {
        if (!(error instanceof LeaseRace) || races >= RACES_MAX) throw error;
      }
    }
  }

  async #read(
    scope: Scope,
    { requestor, ...expected }: ExpectedBill & { readonly requestor: Requestor },
  ): Promise<Bill> {
    const answer = await this.parts.eposOf(scope).getBill(expected.sessionId, this.#call(requestor));
    if (answer.outcome !== 'answered') throw failureOf(answer);
    return usable(answer.value, expected);
  }

  #call(requestor: Requestor) {
    return { requestor, deadlineMs: this.parts.callLimitMs * SHORT_CALL_SHARE };
  }
}

function usable(unchecked: UncheckedBill, expected: ExpectedBill): Bill {
  const checked = checkBill(unchecked, expected);
  if (checked.outcome === 'sound') return checked.bill;
  throw new Refusal('bill_unusable', `the EPOS sent a bill that cannot be used: ${checked.fault}`);
}

const NOTHING_HEARD: Heard = { answer: 'NotSent', reason: '' };

/** What the device is told, or null while that is open. Recorded by an earlier call of its own is said as the contract says it. */
function saidOf(payment: TablePayment, heard: Heard, isRepeat: boolean): RecordPaymentResponse | null {
  switch (payment.state) {
    case 'Recorded':
      if (isRepeat) throw tablesFailure('PAYMENT_ALREADY_RECORDED', 'this payment is recorded');
      return {};
    case 'Refused':
    case 'GivingBack':
    case 'GivenBack':
    case 'Ended':
      throw heard === NOTHING_HEARD
        ? tablesFailure('PAYMENT_NOT_RECORDED', payment.lastError ?? 'the EPOS refused it')
        : failureOfAnswer(heard);
    case 'Started':
    case 'Approved':
    case 'Recording':
    case 'RecordUnknown':
    case 'NeedsOperator':
      return null;
  }
}

function failureOfAnswer({ answer, reason }: Heard): GrpcFailure {
  if (isEposErrorCode(answer)) return tablesFailure(answer, reason);
  if (answer === 'NoAnswer') return new GrpcFailure(status.DEADLINE_EXCEEDED, reason);
  return new GrpcFailure(status.UNAVAILABLE, reason);
}

const AMOUNT_MAX = 999_999_999_999n;

function requirePayment(payment: Payment): void {
  if (!UUID.test(payment.id)) throw unreadable('payment.id', 'must be a UUID');
  requireSessionId(payment.sessionId);
  if (!/^[A-Z]{3}$/.test(payment.currency)) throw unreadable('payment.currency', 'must be three capital letters');
  for (const member of ['baseAmount', 'gratuityAmount', 'cashbackAmount'] as const) {
    const amount = payment[member];
    if (amount < 0n || amount > AMOUNT_MAX) throw unreadable(`payment.${member}`, `must be 0 to ${AMOUNT_MAX}`);
  }
  if (payment.attemptedAt === undefined) throw unreadable('payment.attempted_at', 'is missing');
  if (payment.methodDetails === undefined) throw unreadable('payment.method_details', 'is missing');
}

/** The same id with other values is another payment, whose money nobody could tell apart. */
function requireSame(known: TablePayment, payment: Payment): void {
  const stored = known.message === null ? undefined : RecordPaymentRequest.decode(known.message).payment;
  const isSame =
    stored !== undefined &&
    known.sessionId === payment.sessionId &&
    stored.currency === payment.currency &&
    stored.baseAmount === payment.baseAmount &&
    stored.gratuityAmount === payment.gratuityAmount &&
    stored.cashbackAmount === payment.cashbackAmount &&
    stored.attemptedAt?.getTime() === payment.attemptedAt?.getTime();
  if (!isSame || (isFinal(known) && known.origin === 'journey' && known.state !== 'Recorded')) {
    throw tablesFailure('PAYMENT_NOT_RECORDED', 'another payment with this id is known');
  }
}

function transactionOf({ methodDetails }: Payment): string {
  const info = methodDetails?.cardPresentPaymentInfo ?? methodDetails?.remotePaymentInfo;
  return info?.acquirerTransactionId ?? '';
}

function placeOf({ accountId, environment }: Scope, paymentId: string): string {
  return `${accountId}/${environment}/${paymentId}`;
}
