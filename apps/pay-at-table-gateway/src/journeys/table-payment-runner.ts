import { type Bill, checkBill } from '@pos/core/bill';
import { required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import type { Lease, Requestor } from '@pos/core/lease';
import type { OrderedPayment, RecordReply } from '@pos/core/ports';
import { Refusal } from '@pos/core/refusal';
import type { TablePayment, TablePaymentInput } from '@pos/core/table-payment';
import type { GiveBack } from '@pos/payments/give-back';
import type { PaymentSettings } from '@pos/payments/settings';
import {
  findNextCall,
  isUnsuccessfulReport,
  isUnlockedByUs,
  type RelayedPayment,
  type TablePaymentCall,
  type TablePayments,
  type TablePaymentResult,
} from '@pos/payments/table-payments';
import type { Log } from '@pos/service-kit/log';
import type { Database, Tx } from '@pos/store/database';
import { findJourney } from '@pos/store/journeys';
import { findLease } from '@pos/store/leases';
import { findTablePayment } from '@pos/store/table-payments';
import { claimTimer } from '@pos/store/timer-claim';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/timers';
import { storeAnswer } from '../epos/answer-storing.js';
import { type EposOf, type SessionLocks } from './session-locks.js';
import type { UnsuccessfulAttempts } from './unsuccessful-attempts.js';

/** How long a runner has a payment to itself, and how long one call may take: its successor waits for both. */
export interface RunnerTimes {
  readonly leaseMs: number;
  readonly callLimitMs: number;
}

/** A payment in a runner's hands: claimed, with what its calls need to know. */
interface Run {
  readonly claimed: ClaimedTimer;
  readonly requestor: Requestor;
  /** Of a payment whose first call comes next: its lease as it was written with it. */
  readonly begunUnder: Lease | null;
  /** On the process's monotonic clock. */
  renewedAtMs: number;
}

/** A payment that was stored in a runner's hands; after that commit the runner goes on with it. */
export interface BegunRun extends RelayedPayment {
  /** On the process's monotonic clock, before the lease began. */
  readonly begunAtMs: number;
}

/** Hears what an EPOS answered to a record call. */
export type RecordListener = (scope: Scope, paymentId: string, heard: RecordReply) => void;

const CALLS_IN_A_ROW_MAX = 30;
const RUNS_IN_A_ROW_MAX = 10;

/**
 * Steps payments: each step is stored before the call that it asks for, and each answer before the next step. Killed
 * anywhere, another runner goes on from the row once lease and longest call are over.
 */
export class TablePaymentRunner {
  onRecordAnswer: RecordListener = () => undefined;
  /** Hears of each step that was stored. */
  onStep: (scope: Scope, payment: TablePayment) => void = () => undefined;
  /** Hears of each payment that still waits for its card. */
  onWait: (scope: Scope, payment: TablePayment) => void = () => undefined;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly tablePayments: TablePayments;
      readonly giveBack: GiveBack;
      readonly locks: SessionLocks;
      readonly attempts: UnsuccessfulAttempts;
      readonly eposOf: EposOf;
      readonly settings: Pick<PaymentSettings, 'fault'>;
      readonly times: RunnerTimes;
      readonly log: Log;
    },
  ) {}

  /** How long a claim lasts: the runner's lease and, after its end, a call that it has begun. */
  get claimMs(): number {
    const { leaseMs, callLimitMs } = this.parts.times;
    return leaseMs + callLimitMs;
  }

  /** Takes the payment now, due or not, and steps it until it has to wait. False: another runner has it, or it is done. */
  async run(scope: Scope, paymentId: string): Promise<boolean> {
    let isTaken = false;
    for (let runs = 0; runs < RUNS_IN_A_ROW_MAX; runs += 1) {
      const timer = { kind: 'table-payment', subject: paymentId } as const;
      const claimed = await this.parts.database.transact(scope, (tx) => claimTimer(tx, timer, this.claimMs));
      if (claimed === null) return isTaken;
      isTaken = true;
      if (!(await this.work(claimed))) return true;
    }
    return isTaken;
  }

  /** Goes on with a begun payment after its commit, until it has to wait. */
  async goOn({ claimed, result: stepped, lease, begunAtMs }: BegunRun, requestor: Requestor): Promise<void> {
    const run = { claimed, requestor, begunUnder: lease, renewedAtMs: begunAtMs };
    const again = await this.#kept(() => this.#walk(run, stepped));
    if (again) await this.run(claimed.scope, claimed.subject);
  }

  /** Steps a claimed payment until it has to wait. True: it may be taken up again at once. Rejects only on trouble of our own. */
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
    return this.#kept(async () => {
      const stepped = await this.#advance(payment, claimed);
      return this.#walk({ claimed, requestor, begunUnder: null, renewedAtMs }, stepped);
    });
  }

  /** A machine that a payment moves to may be taken in the same moment: then it is seen to be, and the payment ends. */
  async #advance(payment: TablePayment, claimed: ClaimedTimer): Promise<TablePaymentResult> {
    const { database, tablePayments } = this.parts;
    const advance = () => database.transact(claimed.scope, (tx) => tablePayments.advancePayment(tx, payment, claimed));
    try {
      return await advance();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'terminal_unavailable') throw error;
      return advance();
    }
  }

  /** A payment that was lost to another runner is that one's now. */
  async #kept(walk: () => Promise<boolean>): Promise<boolean> {
    try {
      return await walk();
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }

  async #walk(run: Run, first: TablePaymentResult): Promise<boolean> {
    const { scope } = run.claimed;
    let stepped = first;
    for (let calls = 0; calls < CALLS_IN_A_ROW_MAX; calls += 1) {
      this.#tell(scope, stepped);
      if (stepped.payment.state === 'Started') this.onWait(scope, stepped.payment);
      const isReported = stepped.outputs.some(isUnsuccessfulReport);
      if (!stepped.isHeld) return isReported;
      if (isReported) {
        await this.parts.attempts.tell(run.claimed, stepped.payment);
        return false;
      }
      if (isUnlockedByUs(stepped)) {
        await this.#unlock(run, stepped.payment);
        return false;
      }
      const call = findNextCall(stepped.outputs);
      if (call === null) return isDueNow(stepped.payment);
      const input = await this.#make(run, stepped.payment, call);
      stepped = await this.#hear(run, stepped.payment, input);
    }
    return false;
  }

  #hear(run: Run, payment: TablePayment, input: TablePaymentInput): Promise<TablePaymentResult> {
    return storeAnswer(input, (storable) => this.#store(run, payment, storable), this.parts.log);
  }

  /** Stores an answer. A lease lost in the same moment undoes the step; then it is told once more without it. */
  async #store(
    { claimed, begunUnder }: Run,
    payment: TablePayment,
    input: TablePaymentInput,
  ): Promise<TablePaymentResult> {
    const { database, tablePayments } = this.parts;
    const { scope } = claimed;
    const tell = (tx: Tx, by: ClaimedTimer | null) =>
      tablePayments.applyCallResult(tx, payment, { input, claimed: by, lease: begunUnder });
    try {
      // Only the first answer finds payment and lease as they were written, and most are the last.
      const isFirst = begunUnder !== null && payment.recordCalls === 1;
      if (!isFirst) return await database.transact(scope, (tx) => tell(tx, claimed));
      return await database.transactOptimistically(scope, {
        read: () => Promise.resolve(),
        decide: (tx) => tell(tx, claimed),
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return database.transact(scope, (tx) => tell(tx, null));
    }
  }

  async #make(run: Run, payment: TablePayment, call: TablePaymentCall): Promise<TablePaymentInput> {
    await this.#keep(run);
    const { scope } = run.claimed;
    switch (call.do) {
      case 'record':
        return this.#record(run, payment);
      case 'lock':
        return this.parts.locks.retake(scope, payment, run.requestor);
      case 'readBill': {
        const bill = await this.#bill(run, payment);
        return bill === null ? { kind: 'billUnreadable' } : { kind: 'billRead', paid: bill.paid };
      }
      case 'readOrder':
        return this.#look(run, payment);
      case 'giveBack':
        return this.#return(scope, payment, call.reference);
    }
  }

  async #record(run: Run, payment: TablePayment): Promise<TablePaymentInput> {
    const { eposOf, settings, times } = this.parts;
    const { claimed, requestor } = run;
    settings.fault('after-commit-before-record');
    const message = required(payment.message, 'the message of an approved payment');
    const call = { requestor, deadlineMs: times.callLimitMs, paymentId: payment.id, fence: BigInt(claimed.fence) };
    const epos = eposOf(claimed.scope);
    const order = orderOf(payment);
    // What was begun in one family of transports is repeated in that one: the other would know nothing of the first call.
    const reply = await (order === null ? epos.recordPayment(message, call) : epos.recordOnOrder(message, order, call));
    settings.fault('after-record-before-stored');
    this.onRecordAnswer(claimed.scope, payment.id, reply);
    const { answer, reason } = reply;
    return { kind: 'recordAnswered', answer, ...(reason !== '' && { note: reason }) };
  }

  async #look({ claimed, requestor }: Run, payment: TablePayment): Promise<TablePaymentInput> {
    const order = orderOf(payment);
    const call = { requestor, deadlineMs: this.parts.times.callLimitMs };
    const isThere = order === null ? null : await this.parts.eposOf(claimed.scope).isOnOrder(order, call);
    if (isThere === null) return { kind: 'orderUnreadable' };
    return { kind: isThere ? 'orderHoldsIntent' : 'orderLacksIntent' };
  }

  async #return(scope: Scope, payment: TablePayment, reference: string): Promise<TablePaymentInput> {
    const intentId = required(payment.intentId, 'the intent of money that goes back');
    try {
      const outcome = await this.parts.giveBack.giveBackPayment(scope, { intentId, reference });
      switch (outcome) {
        case 'givenBack':
          return { kind: 'givenBack' };
        case 'refused':
          return { kind: 'giveBackRefused', note: 'the acquirer refused to give it back' };
        case 'unanswered':
          return { kind: 'giveBackUnanswered', note: 'the acquirer has not answered' };
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // What stands in the way now, another operation on the payment for one, may be gone next time.
      return { kind: 'giveBackUnanswered', note: error.detail };
    }
  }

  /** The part is booked: the bill is read anew for the device, then the session is unlocked before the next part. */
  async #unlock(run: Run, payment: TablePayment): Promise<void> {
    const { database, tablePayments, locks, settings } = this.parts;
    const { claimed, requestor } = run;
    await this.#keep(run);
    const bill = await this.#bill(run, payment);
    settings.fault('before-unlock');
    await this.#keep(run);
    // An order stays locked until the journey ends.
    const isUnlocked = payment.orderId === null && (await locks.letGoAfter(claimed.scope, payment, requestor));
    await database.transact(claimed.scope, (tx) =>
      tablePayments.completePayment(tx, payment, { isUnlocked, bill, claimed }),
    );
  }

  /** The bill as the EPOS has it now, or null when there is none that can be used. */
  async #bill({ claimed: { scope }, requestor }: Run, payment: TablePayment): Promise<Bill | null> {
    const { eposOf, times, database } = this.parts;
    const call = { requestor, deadlineMs: times.callLimitMs };
    const answer = await eposOf(scope).getBill(payment.sessionId, call);
    if (answer.outcome !== 'answered') return null;
    const { journeyId } = payment;
    const journey = journeyId === null ? null : await database.read(scope, (reader) => findJourney(reader, journeyId));
    const currencyCode = journey?.currencyCode ?? payment.base.currencyCode;
    const { sessionId } = payment;
    const checked = checkBill(answer.value, { sessionId, currencies: [currencyCode], currencyCode });
    return checked.outcome === 'sound' ? checked.bill : null;
  }

  /** A call begins only while the lease runs, so that it has ended before a successor may begin. */
  async #keep(run: Run): Promise<void> {
    if (performance.now() - run.renewedAtMs < this.parts.times.leaseMs / 2) return;
    const startedAtMs = performance.now();
    await this.parts.queue.renew(run.claimed, this.claimMs);
    run.renewedAtMs = startedAtMs;
  }

  #tell(scope: Scope, { payment, outputs }: TablePaymentResult): void {
    const { log } = this.parts;
    this.onStep(scope, payment);
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
function orderOf({ orderId, intentId }: TablePayment): OrderedPayment | null {
  return orderId === null || intentId === null ? null : { orderId, intentId };
}

/** What became due by the step itself is not left to the next look at the queue. */
function isDueNow({ dueAt, updatedAt }: TablePayment): boolean {
  return dueAt !== null && dueAt <= updatedAt;
}
