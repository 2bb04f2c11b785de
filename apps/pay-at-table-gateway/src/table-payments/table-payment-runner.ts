import {
  type Bill,
  checkBill,
  type Lease,
  type OrderPayment,
  type Requestor,
  type TablePayment,
  type TablePaymentInput,
} from '@pos/core/tables';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import type { GiveBack } from '@pos/payments/captures-refunds';
import type { PaymentSettings } from '@pos/payments/accounts';
import {
  type AcquirerProof,
  findNextCall,
  isTransactionKnown,
  isUnlockedByUs,
  isUnsuccessfulReport,
  readRecordClaim,
  type RelayedPayment,
  type TablePaymentCall,
  type TablePaymentResult,
  type TablePayments,
} from '@pos/payments/tables';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database, Tx } from '@pos/store/database';
import { findJourney, findLease, findTablePayment } from '@pos/store/tables';
import { type ClaimedTimer, claimTimer, LeaseLost, type TimerQueue } from '@pos/store/queues';
import { storeAnswer } from '../epos-calls/answer-storing.js';
import type { EposResolver } from '../session-locks/epos-resolver.js';
import type { LeaseCache } from '../session-locks/lease-cache.js';
import type { SessionLockService } from '../session-locks/session-lock-service.js';
import type { TablePaymentEvents } from './table-payment-events.js';
import type { UnsuccessfulAttemptReporter } from './unsuccessful-attempt-reporter.js';
import { observeStep } from './record-metrics.js';

/** The lease of a runner on a payment, and the time limit of one call; the next runner waits for both. */
export interface RunnerTimeouts {
  readonly leaseMs: number;
  readonly callLimitMs: number;
}

/** A claimed payment, with the data for its calls. */
interface PaymentRun {
  readonly claimed: ClaimedTimer;
  readonly requestor: Requestor;
  /** The lease as it was stored with the payment, before its first call. */
  readonly initialLease: Lease | null;
  /** On the process's monotonic clock. */
  renewedAtMs: number;
}

/** A payment that was stored together with its claim; the runner continues it after the commit. */
export interface ClaimedPayment extends RelayedPayment {
  /** Before the start of the claim, on the process's monotonic clock. */
  readonly claimedAtMs: number;
}

const PAYMENT_CALLS_MAX = 30;
const PAYMENT_RUNS_MAX = 10;

/**
 * Advances payments. Each step is stored before its call, and each answer before the next step. After a crash another runner
 * continues from the row, once the lease and the longest call have ended.
 */
export class TablePaymentRunner {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly tablePayments: TablePayments;
      readonly giveBack: GiveBack;
      readonly acquirerProof: Pick<AcquirerProof, 'inquire'>;
      readonly locks: SessionLockService;
      readonly leaseCache: LeaseCache;
      readonly attempts: UnsuccessfulAttemptReporter;
      readonly events: TablePaymentEvents;
      readonly getEpos: EposResolver;
      readonly settings: Pick<PaymentSettings, 'fault'>;
      readonly times: RunnerTimeouts;
      readonly log: Log;
    },
  ) {}

  /** The length of a claim: the lease of the runner, and a call that it began before the end. */
  get claimMs(): number {
    const { leaseMs, callLimitMs } = this.parts.times;
    return leaseMs + callLimitMs;
  }

  /** Claims the payment, due or not, and advances it until it has to wait. False: another runner has it, or it has ended. */
  async runPayment(scope: Scope, paymentId: string): Promise<boolean> {
    let isTaken = false;
    for (let runs = 0; runs < PAYMENT_RUNS_MAX; runs += 1) {
      const timer = { kind: 'table-payment', subject: paymentId } as const;
      const claimed = await this.parts.database.transact(scope, (tx) => claimTimer(tx, timer, this.claimMs));
      if (claimed === null) return isTaken;
      isTaken = true;
      if (!(await this.work(claimed))) return true;
    }
    return isTaken;
  }

  /** Continues a started payment after its commit, until it has to wait. */
  async continuePayment({ claimed, step, lease, claimedAtMs }: ClaimedPayment, requestor: Requestor): Promise<void> {
    const run = { claimed, requestor, initialLease: lease, renewedAtMs: claimedAtMs };
    const isRunnable = await this.#stopOnLostLease(() => this.#runSteps(run, step));
    if (isRunnable) await this.runPayment(claimed.scope, claimed.subject);
  }

  /** Advances a claimed payment until it has to wait. True: it may be claimed again at once. Rejects only on our own failures. */
  async work(claimed: ClaimedTimer): Promise<boolean> {
    const renewedAtMs = performance.now();
    const { database, queue } = this.parts;
    const { payment, requestor } = await database.read(claimed.scope, async (reader) => {
      const found = await findTablePayment(reader, claimed.subject);
      const leaseId = found?.leaseId ?? null;
      const lease = leaseId === null ? null : await findLease(reader, leaseId);
      return { payment: found, requestor: lease?.requestor ?? ({ type: 'consumerDevice' } as const) };
    });
    if (payment === null) {
      await database.transact(claimed.scope, (tx) => queue.complete(tx, claimed, null));
      return false;
    }
    return this.#stopOnLostLease(async () => {
      const step = await this.#advancePayment(payment, claimed);
      return this.#runSteps({ claimed, requestor, initialLease: null, renewedAtMs }, step);
    });
  }

  /** The target machine of a move may become busy in the meantime. The second attempt reads that, and the payment ends. */
  async #advancePayment(payment: TablePayment, claimed: ClaimedTimer): Promise<TablePaymentResult> {
    const { database, tablePayments } = this.parts;
    const advance = () => database.transact(claimed.scope, (tx) => tablePayments.advancePayment(tx, payment, claimed));
    try {
      return await advance();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'terminal_unavailable') throw error;
      return advance();
    }
  }

  /** False: another runner has the payment now. */
  async #stopOnLostLease(runSteps: () => Promise<boolean>): Promise<boolean> {
    try {
      return await runSteps();
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }

  async #runSteps(run: PaymentRun, first: TablePaymentResult): Promise<boolean> {
    const { scope } = run.claimed;
    let step = first;
    for (let calls = 0; calls < PAYMENT_CALLS_MAX; calls += 1) {
      this.#logStep(scope, step);
      if (step.payment.state === 'Started') this.parts.events.publishCardAwaited(scope, step.payment);
      const isReported = step.outputs.some(isUnsuccessfulReport);
      if (!step.isHeld) return isReported;
      if (isReported) {
        await this.parts.attempts.reportAttempt(run.claimed, step.payment);
        return false;
      }
      if (isUnlockedByUs(step)) {
        await this.#completePayment(run, step.payment);
        return false;
      }
      const call = findNextCall(step.outputs);
      if (call === null) return isDueNow(step.payment);
      step =
        call.do === 'prove'
          ? await this.#provePayment(run, step.payment)
          : await this.#storeInput(run, step.payment, await this.#makeCall(run, step.payment, call));
    }
    return false;
  }

  #storeInput(run: PaymentRun, payment: TablePayment, input: TablePaymentInput): Promise<TablePaymentResult> {
    return storeAnswer(input, (storable) => this.#tryStore(run, payment, storable), this.parts.log);
  }

  /** Stores an answer. If the lease was lost in the meantime, the transaction is rolled back and the answer is applied without it. */
  async #tryStore(
    { claimed, initialLease }: PaymentRun,
    payment: TablePayment,
    input: TablePaymentInput,
  ): Promise<TablePaymentResult> {
    const { database, leaseCache, tablePayments } = this.parts;
    const { scope } = claimed;
    const applyInput = (tx: Tx, claim: ClaimedTimer | null) =>
      tablePayments.applyCallResult(tx, payment, { input, claimed: claim, lease: initialLease });
    try {
      // Only the first answer finds payment and lease unchanged, and most payments have only one.
      const isFirst = initialLease !== null && payment.recordCalls === 1;
      if (!isFirst) return await database.transact(scope, (tx) => applyInput(tx, claimed));
      const result = await database.transactOptimistically(scope, {
        read: () => Promise.resolve(),
        decide: (tx) => applyInput(tx, claimed),
      });
      if (result.lease !== undefined)
        leaseCache.put(scope, { lease: result.lease, orderId: payment.orderId, isPaid: true });
      return result;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return database.transact(scope, (tx) => applyInput(tx, null));
    }
  }

  /** Looks for the card transaction of a payment that a device reports, here and then at the acquirer. */
  async #provePayment(run: PaymentRun, payment: TablePayment): Promise<TablePaymentResult> {
    const { database, tablePayments, acquirerProof, settings, times } = this.parts;
    const { claimed } = run;
    settings.fault('after-commit-before-proof');
    await this.#renewClaim(run);
    const claim = readRecordClaim(requireValue(payment.message, 'the message of a payment of a device'));
    const isKnown = await database.read(claimed.scope, (reader) => isTransactionKnown(reader, claim));
    const verdict = isKnown ? null : await acquirerProof.inquire(claimed.scope, claim, times.callLimitMs);
    return database.transact(claimed.scope, (tx) => tablePayments.applyProof(tx, payment, { verdict, claimed }));
  }

  async #makeCall(
    run: PaymentRun,
    payment: TablePayment,
    call: Exclude<TablePaymentCall, { do: 'prove' }>,
  ): Promise<TablePaymentInput> {
    await this.#renewClaim(run);
    const { scope } = run.claimed;
    switch (call.do) {
      case 'record':
        return this.#recordPayment(run, payment);
      case 'lock':
        return this.parts.locks.relockSession(scope, payment, run.requestor);
      case 'readBill': {
        const bill = await this.#readBill(run, payment);
        return bill === null ? { kind: 'billUnreadable' } : { kind: 'billRead', paid: bill.paid };
      }
      case 'readOrder':
        return this.#checkOrder(run, payment);
      case 'giveBack':
        return this.#giveBack(scope, payment, call.reference);
    }
  }

  async #recordPayment(run: PaymentRun, payment: TablePayment): Promise<TablePaymentInput> {
    const { events, getEpos, settings, times } = this.parts;
    const { claimed, requestor } = run;
    settings.fault('after-commit-before-record');
    const message = requireValue(payment.message, 'the message of an approved payment');
    const call = { requestor, deadlineMs: times.callLimitMs, paymentId: payment.id, fence: BigInt(claimed.fence) };
    const epos = getEpos(claimed.scope);
    const order = toOrderedPayment(payment);
    // A repeat stays in the family of transports of the first call, because the other family would not detect the repeat.
    const reply = await (order === null ? epos.recordPayment(message, call) : epos.recordOnOrder(message, order, call));
    settings.fault('after-record-before-stored');
    events.publishRecordReply(claimed.scope, payment.id, reply);
    const { answer, reason } = reply;
    return { kind: 'recordAnswered', answer, ...(reason !== '' && { note: reason }) };
  }

  async #checkOrder({ claimed, requestor }: PaymentRun, payment: TablePayment): Promise<TablePaymentInput> {
    const order = toOrderedPayment(payment);
    const call = { requestor, deadlineMs: this.parts.times.callLimitMs };
    const isListed = order === null ? null : await this.parts.getEpos(claimed.scope).isOnOrder(order, call);
    if (isListed === null) return { kind: 'orderUnreadable' };
    return { kind: isListed ? 'orderHoldsIntent' : 'orderLacksIntent' };
  }

  async #giveBack(scope: Scope, payment: TablePayment, reference: string): Promise<TablePaymentInput> {
    const intentId = requireValue(payment.intentId, 'the intent of money that goes back');
    try {
      const outcome = await this.parts.giveBack.giveBackPayment(scope, { intentId, reference });
      switch (outcome) {
        case 'givenBack':
          return { kind: 'givenBack' };
        case 'refused':
          return { kind: 'giveBackRefused', note: 'the acquirer refused to return it' };
        case 'unanswered':
          return { kind: 'giveBackUnanswered', note: 'the acquirer has not answered' };
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The conflict, for example another operation on the payment, may be over at the next attempt.
      return { kind: 'giveBackUnanswered', note: error.detail };
    }
  }

  /** The part is booked: the bill is read again for the device, then the session is unlocked before the next part. */
  async #completePayment(run: PaymentRun, payment: TablePayment): Promise<void> {
    const { database, tablePayments, locks, settings } = this.parts;
    const { claimed, requestor } = run;
    await this.#renewClaim(run);
    const bill = await this.#readBill(run, payment);
    settings.fault('before-unlock');
    await this.#renewClaim(run);
    // An order stays locked until the journey ends.
    const isUnlocked = payment.orderId === null && (await locks.unlockAfterPart(claimed.scope, payment, requestor));
    await database.transact(claimed.scope, (tx) =>
      tablePayments.completePayment(tx, payment, { isUnlocked, bill, claimed }),
    );
  }

  /** The current bill of the EPOS, or null when there is no valid one. */
  async #readBill({ claimed: { scope }, requestor }: PaymentRun, payment: TablePayment): Promise<Bill | null> {
    const { getEpos, times, database } = this.parts;
    const call = { requestor, deadlineMs: times.callLimitMs };
    const answer = await getEpos(scope).getBill(payment.sessionId, call);
    if (answer.outcome !== 'answered') return null;
    const { journeyId } = payment;
    const journey = journeyId === null ? null : await database.read(scope, (reader) => findJourney(reader, journeyId));
    const currencyCode = journey?.currencyCode ?? payment.base.currencyCode;
    const { sessionId } = payment;
    const checked = checkBill(answer.value, { sessionId, currencies: [currencyCode], currencyCode });
    return checked.outcome === 'sound' ? checked.bill : null;
  }

  /** A call begins only while the lease runs, so that it has ended before a successor may begin. */
  async #renewClaim(run: PaymentRun): Promise<void> {
    if (performance.now() - run.renewedAtMs < this.parts.times.leaseMs / 2) return;
    const startedAtMs = performance.now();
    await this.parts.queue.renew(run.claimed, this.claimMs);
    run.renewedAtMs = startedAtMs;
  }

  #logStep(scope: Scope, { payment, outputs }: TablePaymentResult): void {
    const { events, log } = this.parts;
    events.publishStep(scope, payment);
    observeStep(payment);
    const fields = { payment_id: payment.id, session_id: payment.sessionId, intent_id: payment.intentId };
    for (const output of outputs) {
      if (output.do === 'alarm')
        log.error('table_payment.alarm', { ...fields, state: payment.state, reason: output.reason });
    }
    log.info('table_payment.stepped', {
      ...fields,
      state: payment.state,
      next: findNextCall(outputs)?.do ?? null,
      due_at: payment.dueAt,
      last_error: payment.lastError,
    });
  }
}

/** The order that a payment is recorded on; null where the EPOS keeps sessions. */
function toOrderedPayment({ orderId, intentId }: TablePayment): OrderPayment | null {
  return orderId === null || intentId === null ? null : { orderId, intentId };
}

/** Whether the step itself made the payment due: then it continues without the next poll. */
function isDueNow({ dueAt, updatedAt }: TablePayment): boolean {
  return dueAt !== null && dueAt <= updatedAt;
}
