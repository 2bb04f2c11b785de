import { status } from '@grpc/grpc-js';
import type { Bill } from '@pos/core/bill';
import { isEposErrorCode } from '@pos/core/epos-error';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import { money } from '@pos/core/money';
import type { RecordReply } from '@pos/core/ports';
import { Refusal } from '@pos/core/refusal';
import { isFinal, type TablePayment } from '@pos/core/table-payment';
import { type Payment, RecordPaymentRequest, type RecordPaymentResponse } from '@pos/grpc-contracts/tables';
import type { AccountCache } from '@pos/payments/accounts';
import type { Leases } from '@pos/payments/leases';
import { createUnusableRefusal } from '@pos/payments/device-money';
import type { TablePayments } from '@pos/payments/table-payments';
import { GrpcFailure, tablesFailure } from '@pos/service-kit/grpc-errors';
import type { Database, DecisionReader, Tx } from '@pos/store/database';
import { lockRelayTarget, type RelayTarget } from '@pos/store/leases';
import { isUniqueViolation } from '@pos/store/sql-error';
import { findTablePayment } from '@pos/store/table-payments';
import { ownerOf, requireSessionId, unreadable } from '../devices/device-request.js';
import { AccountSeats } from './account-seats.js';
import { readUsableBill } from './device-bill.js';
import type { DeviceCall } from './device-locks.js';
import { refusalFailure } from './epos-failure.js';
import { type EposOf } from './session-locks.js';
import type { TablePaymentRunner } from './table-payment-runner.js';
import type { TableWork } from './table-work.js';

/** A device that waits here for its payment: what was heard of it, and how to be called when there is more. */
interface Waiting {
  heard: RecordReply;
  payment: TablePayment | null;
  call: () => void;
}

const LOOK_EVERY_MS = 200;
const ANSWER_MARGIN_MS = 200;
const CALLS_MAX = { all: 1_000, ofOne: 128 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * What a device that pays step by step records at its EPOS: each payment is stored before it is relayed, so that it is
 * recorded or given back whatever becomes of the device.
 */
export class DeviceRecords {
  /** By account, environment and payment: ids are unique only there, and a device may ask twice at once. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #calls = new AccountSeats(CALLS_MAX);

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly leases: Leases;
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
    const leaveSeat = this.#calls.require(scope);
    const waiting: Waiting = { heard: NOTHING_HEARD, payment: null, call: () => undefined };
    const leave = this.#wait(placeOf(scope, paymentId), waiting);
    try {
      const { isRepeat } = await this.#store(scope, { payment, message, owner, requestor });
      const untilMs = performance.now() + call.remainingMs() - ANSWER_MARGIN_MS;
      return await this.#outcome(scope, { paymentId, isRepeat, waiting, untilMs });
    } finally {
      leave();
      leaveSeat();
    }
  }

  /** Has the waiting called from now on. */
  #wait(place: string, waiting: Waiting): () => void {
    const others = this.#waiting.get(place) ?? new Set<Waiting>();
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
    const { database, accounts, leases, tablePayments, runner, work, eposOf, callLimitMs } = this.parts;
    const { payment, message, owner, requestor } = given;
    const paymentId = payment.id.toLowerCase();
    const { known, place, currencies } = await database.read(scope, async (reader) => {
      const found = await lockRelayTarget(reader, { id: paymentId, sessionId: payment.sessionId });
      return {
        known: found.isKnown ? await findTablePayment(reader, paymentId) : null,
        place: found,
        currencies: (await accounts.get(reader)).currencies,
      };
    });
    if (known !== null) {
      requireSame(known, payment);
      work.wake(scope, paymentId);
      return { isRepeat: true };
    }
    // Refused before the EPOS is asked for anything; judged again in the transaction that counts.
    if (place.lease?.owner !== owner) throw tablesFailure('SESSION_NOT_LOCKED', 'lock the session first');
    const leaveSeat = work.requireSeat(scope);
    try {
      const expected = { sessionId: payment.sessionId, currencies };
      const bill = await readUsableBill(eposOf(scope), expected, { requestor, deadlineMs: callLimitMs });
      requireCurrencyOf(bill, payment);
      const of = (amount: bigint) => money(Number(amount), payment.currency);
      const begunAtMs = performance.now();
      const transactionId = transactionOf(payment);
      const relayed = await this.#relayed(scope, { payment, place }, async (tx, { lease: found, orderId }) => {
        const lease = await leases.openPayment(tx, leases.extendLease(tx, found, owner));
        return tablePayments.relayPayment(tx, {
          ...{ paymentId, lease, message, transactionId, claimMs: runner.claimMs, orderId },
          base: of(payment.baseAmount),
          gratuity: of(payment.gratuityAmount),
          cashback: of(payment.cashbackAmount),
          paidBefore: bill.paid,
        });
      });
      if (relayed === null) {
        leaveSeat();
        return { isRepeat: true };
      }
      work.follow(() => runner.goOn({ ...relayed, begunAtMs }, requestor), leaveSeat);
      return { isRepeat: false };
    } catch (error) {
      leaveSeat();
      throw error;
    }
  }

  /** Null: the same payment was stored by a call that was faster. */
  async #relayed<T>(
    scope: Scope,
    { payment, place: seen }: { readonly payment: Payment; readonly place: RelayTarget },
    relay: (tx: Tx, place: RelayTarget) => Promise<T>,
  ): Promise<T | null> {
    const { database, work } = this.parts;
    const { sessionId } = payment;
    const look = (looking: DecisionReader) => lockRelayTarget(looking, { id: payment.id.toLowerCase(), sessionId });
    try {
      // Money of ours that a payment adopts is looked at under its lock.
      if (transactionOf(payment) !== '') return await database.transact(scope, async (tx) => relay(tx, await look(tx)));
      return await database.transactOptimistically(scope, { read: look, decide: relay, known: seen });
    } catch (error) {
      const isKnown = isUniqueViolation(error);
      if (!isKnown && !(error instanceof Refusal && error.code === 'card_transaction_unusable')) throw error;
      const id = payment.id.toLowerCase();
      const known = await database.read(scope, (reader) => findTablePayment(reader, id));
      if (known === null) throw isKnown ? createUnusableRefusal('another payment has it') : error;
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
      let timer: NodeJS.Timeout | undefined;
      const look = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(LOOK_EVERY_MS, leftMs))));
      await Promise.race([called, look]);
      clearTimeout(timer);
    }
  }

  /** An attempt that took no money: told to the EPOS only where the account wants that, and never repeated. */
  async #recordAttempt(scope: Scope, request: RecordPaymentRequest): Promise<RecordPaymentResponse> {
    const { database, accounts, eposOf, callLimitMs } = this.parts;
    const { settings } = await database.read(scope, (reader) => accounts.get(reader));
    if (!settings.payAtTable.reportUnsuccessful) return {};
    const message = RecordPaymentRequest.encode(request).finish();
    const nobody = { requestor: { type: 'consumerDevice' }, paymentId: '', fence: 0n } as const;
    const reply = await eposOf(scope).recordPayment(message, { ...nobody, deadlineMs: callLimitMs });
    if (reply.answer === 'Success' || reply.answer === 'PAYMENT_ALREADY_RECORDED') return {};
    throw failureOfAnswer(reply);
  }
}

const NOTHING_HEARD: RecordReply = { answer: 'NotSent', reason: '' };

/** What the device is told, or null while that is open. Recorded by an earlier call of its own is said as the contract says it. */
function saidOf(payment: TablePayment, heard: RecordReply, isRepeat: boolean): RecordPaymentResponse | null {
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

function failureOfAnswer({ answer, reason, ...more }: RecordReply): GrpcFailure {
  if (isEposErrorCode(answer)) return refusalFailure({ code: answer, reason, ...more });
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

/** The bill's total says what the EPOS keeps its books in; money in another currency can never be recorded on it. */
function requireCurrencyOf({ total }: Bill, { currency }: Payment): void {
  if (currency === total.currencyCode) return;
  throw unreadable('payment.currency', `must be ${total.currencyCode}, as the bill is`);
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
