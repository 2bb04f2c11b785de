import { formatScope, type PaymentIntentId, type Scope } from '@pos/core/identity';
import { money } from '@pos/core/money';
import {
  type Bill,
  isProofOver,
  isTablePaymentFinal,
  type RecordReply,
  type Requestor,
  type TablePayment,
} from '@pos/core/tables';
import { type Payment, RecordPaymentRequest, type RecordPaymentResponse } from '@pos/grpc-contracts/tables';
import type { AccountCache } from '@pos/payments/accounts';
import { type Leases, readPaymentClaim, type TablePayments } from '@pos/payments/tables';
import { createTablesFailure } from '@pos/service-kit/grpc';
import type { Database, Tx } from '@pos/store/database';
import { findIntentIdByTransaction } from '@pos/store/payments';
import { findTablePayment, lockRelayTarget, type RelayTarget } from '@pos/store/tables';
import { isUniqueViolation } from '@pos/postgres/statements';
import { getLeaseOwner, requireSessionId, createParseRefusal } from '../devices/device-request.js';
import { AccountConcurrencyLimiter } from '@pos/service-kit/lifecycle';
import { acquireCallSlot } from '../table-payments/call-slots.js';
import { readUsableBill } from '../devices/device-bill.js';
import type { DeviceCall } from './device-lock-service.js';
import { createOpenFailure, NO_REPLY, toRecordResponse, toReplyFailure } from './record-response.js';
import type { EposResolver } from '../session-locks/epos-resolver.js';
import type { LeaseCache } from '../session-locks/lease-cache.js';
import type { TablePaymentEvents } from '../table-payments/table-payment-events.js';
import type { TablePaymentRunner } from '../table-payments/table-payment-runner.js';
import type { TableTimerWorker } from '../table-payments/table-timer-worker.js';

/** A waiting RecordPayment call: its last known reply and payment, and the callback for changes. */
interface PendingDeviceCall {
  reply: RecordReply;
  payment: TablePayment | null;
  notify: () => void;
}

const DEVICE_POLL_INTERVAL_MS = 200;
const RECORD_ANSWER_MARGIN_MS = 200;
const DEVICE_CALL_SLOTS = { total: 1_000, perAccount: 128 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Records the payments of devices that pay step by step. Each payment is stored before it is relayed, so that it is recorded
 * or returned in any case.
 */
export class DevicePaymentService {
  /** By account, environment and payment, where ids are unique. A device may repeat a call while the first one runs. */
  readonly #pendingCalls = new Map<string, Set<PendingDeviceCall>>();
  readonly #callLimiter = new AccountConcurrencyLimiter(DEVICE_CALL_SLOTS);

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly leases: Leases;
      readonly leaseCache: LeaseCache;
      readonly tablePayments: TablePayments;
      readonly runner: TablePaymentRunner;
      readonly events: Pick<TablePaymentEvents, 'addListener'>;
      readonly timerWorker: TableTimerWorker;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
    },
  ) {
    parts.events.addListener({
      onRecordReply: (scope, paymentId, recordReply) => {
        for (const pendingCall of this.#listPendingCalls(scope, paymentId)) pendingCall.reply = recordReply;
      },
      onStep: (scope, payment) => {
        for (const pendingCall of this.#listPendingCalls(scope, payment.id)) {
          pendingCall.payment = payment;
          pendingCall.notify();
        }
      },
    });
  }

  /** Stores the payment, then records it. Returns the answer of the EPOS, or throws when there is none in time. */
  async recordPayment(request: RecordPaymentRequest, { requestor, call }: DeviceCall): Promise<RecordPaymentResponse> {
    const { payment } = request;
    if (payment === undefined) throw createParseRefusal('payment', 'is missing');
    requireValidPayment(payment);
    const { scope } = call.caller;
    if (!payment.paymentSuccessful) return this.#reportAttempt(scope, request);
    const owner = getLeaseOwner(requestor, call.caller);
    const message = RecordPaymentRequest.encode(request).finish();
    const paymentId = payment.id.toLowerCase();
    const releaseSlot = acquireCallSlot(this.#callLimiter, scope);
    const pendingCall: PendingDeviceCall = { reply: NO_REPLY, payment: null, notify: () => undefined };
    const removePendingCall = this.#addPendingCall(buildPendingKey(scope, paymentId), pendingCall);
    try {
      const mayGiveBack = call.caller.permissions.has('payments.refund');
      const { isRepeat } = await this.#storePayment(scope, { payment, message, owner, requestor, mayGiveBack });
      const untilMs = performance.now() + call.getRemainingMs() - RECORD_ANSWER_MARGIN_MS;
      return await this.#awaitOutcome(scope, { paymentId, isRepeat, pendingCall, untilMs });
    } finally {
      removePendingCall();
      releaseSlot();
    }
  }

  #listPendingCalls(scope: Scope, paymentId: string): Iterable<PendingDeviceCall> {
    return this.#pendingCalls.get(buildPendingKey(scope, paymentId)) ?? [];
  }

  /** Notifies the call until the returned function is called. */
  #addPendingCall(target: string, pendingCall: PendingDeviceCall): () => void {
    const pendingCalls = this.#pendingCalls.get(target) ?? new Set<PendingDeviceCall>();
    this.#pendingCalls.set(target, pendingCalls.add(pendingCall));
    return () => {
      pendingCalls.delete(pendingCall);
      if (pendingCalls.size === 0) this.#pendingCalls.delete(target);
    };
  }

  async #storePayment(
    scope: Scope,
    relayInput: {
      readonly payment: Payment;
      readonly message: Uint8Array;
      readonly owner: string;
      readonly requestor: Requestor;
      readonly mayGiveBack: boolean;
    },
  ): Promise<{ readonly isRepeat: boolean }> {
    const { leases, leaseCache, tablePayments, runner, timerWorker, getEpos, callLimitMs } = this.parts;
    const { payment, message, owner, requestor, mayGiveBack } = relayInput;
    const paymentId = payment.id.toLowerCase();
    leaseCache.take(scope, { sessionId: payment.sessionId, owner });
    const { storedPayment, target, currencies } = await this.#pollDelay(scope, payment);
    if (storedPayment !== null) {
      await this.#repeatPayment(scope, storedPayment, payment);
      return { isRepeat: true };
    }
    // Refused before the EPOS is called; checked again in the transaction that writes.
    if (target.lease?.owner !== owner) throw createTablesFailure('SESSION_NOT_LOCKED', 'lock the session first');
    const releaseSlot = timerWorker.acquireFollowSlot(scope);
    try {
      const expected = { sessionId: payment.sessionId, currencies };
      const bill = await readUsableBill(getEpos(scope), expected, { requestor, deadlineMs: callLimitMs });
      requireCurrencyOf(bill, payment);
      const toPaymentMoney = (amount: bigint) => money(Number(amount), payment.currency);
      const begunAtMs = performance.now();
      const relayedPayment = await this.#relayPayment(
        scope,
        payment,
        async (tx, { lease: found, orderId }, provingIntentId) => {
          const lease = await leases.openPayment(tx, leases.extendLease(tx, found, owner));
          return tablePayments.relayPayment(tx, {
            ...{ paymentId, lease, message, provingIntentId, claimMs: runner.claimMs, orderId, mayGiveBack },
            base: toPaymentMoney(payment.baseAmount),
            gratuity: toPaymentMoney(payment.gratuityAmount),
            cashback: toPaymentMoney(payment.cashbackAmount),
            paidBefore: bill.paid,
          });
        },
      );
      if (relayedPayment === null) {
        releaseSlot();
        return { isRepeat: true };
      }
      timerWorker.followRun(
        () => runner.continuePayment({ ...relayedPayment, claimedAtMs: begunAtMs }, requestor),
        releaseSlot,
      );
      return { isRepeat: false };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  async #pollDelay(scope: Scope, payment: Payment) {
    const { database, accounts } = this.parts;
    const { sessionId } = payment;
    return database.read(scope, async (reader) => {
      const id = payment.id.toLowerCase();
      const target = await lockRelayTarget(reader, { id, sessionId });
      const storedPayment = target.isKnown ? await findTablePayment(reader, id) : null;
      return { storedPayment, target, currencies: (await accounts.get(reader)).currencies };
    });
  }

  /** Null: a concurrent call has stored the same payment. */
  async #relayPayment<T>(
    scope: Scope,
    payment: Payment,
    relay: (tx: Tx, target: RelayTarget, provingIntentId: PaymentIntentId | null) => Promise<T>,
  ): Promise<T | null> {
    const { database, timerWorker } = this.parts;
    const id = payment.id.toLowerCase();
    try {
      // The intent that proves the payment is checked under its row lock.
      return await database.transact(scope, async (tx) => {
        // Sent together.
        const [target, provingIntentId] = await Promise.all([
          lockRelayTarget(tx, { id, sessionId: payment.sessionId }),
          findIntentIdByTransaction(tx, readPaymentClaim(payment, undefined).transactionId),
        ]);
        return relay(tx, target, provingIntentId);
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const storedPayment = await database.read(scope, (reader) => findTablePayment(reader, id));
      if (storedPayment === null) throw error;
      requireSamePayment(storedPayment, payment);
      timerWorker.wakePayment(scope, id);
      return null;
    }
  }

  /** A device that repeats a payment without a proof has it looked for again. */
  async #repeatPayment(scope: Scope, storedPayment: TablePayment, payment: Payment): Promise<void> {
    const { database, tablePayments, timerWorker } = this.parts;
    requireSamePayment(storedPayment, payment);
    if (isProofOver(storedPayment))
      await database.transact(scope, (tx) => tablePayments.repeatProof(tx, storedPayment));
    timerWorker.wakePayment(scope, storedPayment.id);
  }

  /** Waits for the outcome of the payment. The runner of this process notifies; for any other runner it polls. */
  async #awaitOutcome(
    scope: Scope,
    waitInput: {
      readonly paymentId: string;
      readonly isRepeat: boolean;
      readonly pendingCall: PendingDeviceCall;
      readonly untilMs: number;
    },
  ): Promise<RecordPaymentResponse> {
    const { paymentId, isRepeat, pendingCall, untilMs } = waitInput;
    for (;;) {
      const notified = new Promise<void>((resolve) => (pendingCall.notify = resolve));
      const notifiedPayment = pendingCall.payment;
      const payment =
        notifiedPayment ?? (await this.parts.database.read(scope, (reader) => findTablePayment(reader, paymentId)));
      const response = payment === null ? null : toRecordResponse(payment, pendingCall.reply, isRepeat);
      if (response !== null) return response;
      pendingCall.payment = null;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw createOpenFailure(payment);
      let timer: NodeJS.Timeout | undefined;
      const pollDelay = new Promise<void>(
        (resolve) => (timer = setTimeout(resolve, Math.min(DEVICE_POLL_INTERVAL_MS, leftMs))),
      );
      await Promise.race([notified, pollDelay]);
      clearTimeout(timer);
    }
  }

  /** An unsuccessful attempt: reported to the EPOS only if the account has switched that on, and never repeated. */
  async #reportAttempt(scope: Scope, request: RecordPaymentRequest): Promise<RecordPaymentResponse> {
    const { database, accounts, getEpos, callLimitMs } = this.parts;
    const { settings } = await database.read(scope, (reader) => accounts.get(reader));
    if (!settings.payAtTable.reportUnsuccessful) return {};
    const message = RecordPaymentRequest.encode(request).finish();
    const unfencedCall = { requestor: { type: 'consumerDevice' }, paymentId: '', fence: 0n } as const;
    const reply = await getEpos(scope).recordPayment(message, { ...unfencedCall, deadlineMs: callLimitMs });
    if (reply.answer === 'Success' || reply.answer === 'PAYMENT_ALREADY_RECORDED') return {};
    throw toReplyFailure(reply);
  }
}

const AMOUNT_MAX = 999_999_999_999n;

function requireValidPayment(payment: Payment): void {
  if (!UUID.test(payment.id)) throw createParseRefusal('payment.id', 'must be a UUID');
  requireSessionId(payment.sessionId);
  if (!/^[A-Z]{3}$/.test(payment.currency))
    throw createParseRefusal('payment.currency', 'must be three capital letters');
  for (const member of ['baseAmount', 'gratuityAmount', 'cashbackAmount'] as const) {
    const amount = payment[member];
    if (amount < 0n || amount > AMOUNT_MAX) throw createParseRefusal(`payment.${member}`, `must be 0 to ${AMOUNT_MAX}`);
  }
  if (payment.attemptedAt === undefined) throw createParseRefusal('payment.attempted_at', 'is missing');
  if (payment.methodDetails === undefined) throw createParseRefusal('payment.method_details', 'is missing');
}

/** A payment in another currency than the bill can never be recorded on it. */
function requireCurrencyOf({ total }: Bill, { currency }: Payment): void {
  if (currency === total.currencyCode) return;
  throw createParseRefusal('payment.currency', `must be ${total.currencyCode}, as the bill is`);
}

/** The same id with other values is another payment. It is refused, because both could not be distinguished. */
function requireSamePayment(storedPayment: TablePayment, payment: Payment): void {
  const stored =
    storedPayment.message === null ? undefined : RecordPaymentRequest.decode(storedPayment.message).payment;
  const isSame =
    stored !== undefined &&
    storedPayment.sessionId === payment.sessionId &&
    stored.currency === payment.currency &&
    stored.baseAmount === payment.baseAmount &&
    stored.gratuityAmount === payment.gratuityAmount &&
    stored.cashbackAmount === payment.cashbackAmount &&
    (storedPayment.origin !== 'device' || isSameTransaction(stored, payment)) &&
    stored.attemptedAt?.getTime() === payment.attemptedAt?.getTime();
  if (
    !isSame ||
    (isTablePaymentFinal(storedPayment) && storedPayment.origin === 'journey' && storedPayment.state !== 'Recorded')
  ) {
    throw createTablesFailure('PAYMENT_NOT_RECORDED', 'another payment with this id is known');
  }
}

function isSameTransaction(one: Payment, other: Payment): boolean {
  return getTransactionId(one) === getTransactionId(other);
}

function getTransactionId({ methodDetails }: Payment): string {
  const info = methodDetails?.cardPresentPaymentInfo ?? methodDetails?.remotePaymentInfo;
  return (info?.acquirerTransactionId ?? '').toLowerCase();
}

function buildPendingKey(scope: Scope, paymentId: string): string {
  return `${formatScope(scope)}/${paymentId}`;
}
