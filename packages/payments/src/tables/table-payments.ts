import { Refusal, requireValue } from '@pos/core/refusals';
import type { Caller } from '@pos/core/accounts';
import { updateBill, type Journey } from '@pos/core/journeys';
import {
  type Bill,
  createRelayedPayment,
  createUnprovedPayment,
  findRecordMeaning,
  isTablePaymentFinal,
  type Lease,
  movePayment,
  type OperatorAction,
  type ProofVerdict,
  type Requestor,
  startTablePayment,
  stepTablePayment,
  type TablePayment,
  type TablePaymentInput,
  type TablePaymentOutput,
} from '@pos/core/tables';
import type { Tx } from '@pos/store/database';
import {
  findOrderSession,
  findTablePayment,
  insertTablePayment,
  lockJourney,
  lockLease,
  lockTablePayment,
} from '@pos/store/tables';
import {
  assertFence,
  type ClaimedTimer,
  completeClaim,
  completeClaimOrFail,
  insertClaimedTimer,
  schedule,
  type TimerQueue,
} from '@pos/store/queues';
import { commitJourney } from './journey-commit.js';
import { commitTablePayment } from './table-payment-commit.js';
import type { AccountCache } from '../accounts/account-cache.js';
import { updateJourneyAfterPayment } from './journey-progress.js';
import { JourneyTransfers } from './journey-transfer.js';
import type { Leases } from './leases.js';
import type { PaymentIntents } from '../payment-intents/payment-intents.js';
import { buildIntentRequest, type PaymentPart } from './payment-part.js';
import { proveByIntent, readRecordClaim } from './device-payments.js';
import { proveRecord } from './unproved-records.js';
import { findNextCall, isUnlockedByUs, isUnsuccessfulReport } from './table-payment-calls.js';
import { buildApprovalInput, readCardOutcome } from './table-payment-outcome.js';
import type { TerminalSessions } from '../terminals/terminal-sessions.js';
import type { RelayPaymentRequest, RelayedPayment, TablePaymentResult } from './table-payment-requests.js';

/**
 * Payments at a table from the card until they are recorded or given back. Each method decides and stores within the
 * caller's transaction; the gateway makes the calls to the EPOS and the acquirer between two of them.
 */
export class TablePayments {
  readonly #transfers: JourneyTransfers;

  constructor(
    private readonly parts: {
      readonly accounts: AccountCache;
      readonly intents: PaymentIntents;
      readonly sessions: TerminalSessions;
      readonly leases: Leases;
      readonly queue: TimerQueue;
    },
  ) {
    this.#transfers = new JourneyTransfers(parts);
  }

  /** Writes payment, intent and terminal session at once, before a card is requested. Refuses `account_disabled`. */
  async startPayment(tx: Tx, caller: Pick<Caller, 'permissions'>, part: PaymentPart): Promise<TablePayment> {
    const { accounts, intents, sessions } = this.parts;
    await accounts.getEnabled(tx);
    const order = await findOrderSession(tx, part.journey.sessionId);
    const orderId = order?.orderId ?? null;
    const { intent } = await intents.create(tx, caller, buildIntentRequest(part, { orderId, now: tx.now }));
    const started = startTablePayment(
      {
        id: part.paymentId,
        origin: 'journey',
        journeyId: part.journey.id,
        leaseId: part.lease.leaseId,
        sessionId: part.journey.sessionId,
        orderId,
        base: part.base,
        gratuity: part.gratuity,
        cashback: part.cashback,
        paidBefore: part.journey.bill.paid,
        intentId: intent.id,
      },
      tx.databaseNow,
    );
    const { terminalId } = part;
    const sale = { sessionType: 'Sale', paymentIntentId: intent.id } as const;
    const view = terminalId === null ? null : await sessions.create(tx, caller, { ...sale, terminalId });
    const payment: TablePayment = { ...started.payment, terminalSessionId: view?.session.id ?? null };
    await insertTablePayment(tx, payment);
    await schedulePayment(tx, payment);
    return payment;
  }

  /**
   * Stores a device's own payment with its first step made; the caller is its runner and makes the call next. If its card
   * transaction is found in our own rows, that call records it. Otherwise that call looks for the transaction, and the
   * payment is not recorded before it is proved. Its lease is open until the payment has ended. Breaks a unique index
   * (23505) when there is a payment of this id.
   */
  async relayPayment(
    tx: Tx,
    { message, provingIntentId, lease, claimMs, orderId, ...part }: RelayPaymentRequest,
  ): Promise<RelayedPayment> {
    const { paymentId: id, ...amounts } = part;
    const proof = await proveByIntent(tx, readRecordClaim(message), provingIntentId);
    const intentId = proof.outcome === 'proved' ? proof.intentId : null;
    const { leaseId, sessionId } = lease;
    const relayed = {
      ...{ ...amounts, id, intentId, leaseId, sessionId, orderId },
      ...({ origin: 'device', journeyId: null } as const),
    };
    const create = intentId === null ? createUnprovedPayment : createRelayedPayment;
    const { payment: created } = create(relayed, message, tx.databaseNow);
    const { payment, outputs } = stepTablePayment(created, DUE, tx.databaseNow);
    await insertTablePayment(tx, payment);
    const timer = { kind: 'table-payment', subject: id } as const;
    return { claimed: insertClaimedTimer(tx, timer, claimMs), step: { payment, outputs, isHeld: true }, lease };
  }

  /**
   * Continues a payment that a runner has claimed. A started one reads the state of its card first, and a due step
   * follows in the same claim. A recorded one that is still locked is finished, and an ended one is reported to the
   * EPOS. Throws LeaseLost when another runner has the payment.
   */
  async advancePayment(tx: Tx, known: TablePayment, claimed: ClaimedTimer): Promise<TablePaymentResult> {
    const lockedPayment = await this.#lockPayment(tx, known);
    if (lockedPayment.payment.state === 'Recorded') return this.#finishRecorded(tx, lockedPayment, claimed);
    if (lockedPayment.payment.state === 'Ended') {
      await assertFence(tx, claimed);
      return { payment: lockedPayment.payment, outputs: [{ do: 'reportUnsuccessful' }], isHeld: true };
    }
    const due = claimed.dueAt <= tx.databaseNow ? [DUE] : [];
    const inputs = lockedPayment.payment.state === 'Started' ? await this.#cardInputs(tx, lockedPayment) : due;
    if (!Array.isArray(inputs)) return this.#continueOnNextTerminal(tx, { ...lockedPayment, payment: inputs }, claimed);
    return this.#applyInputs(tx, lockedPayment, { inputs, claimed });
  }

  /**
   * Applies the result of a call. Throws LeaseLost, which undoes it, when the runner has lost the payment. It is
   * then applied without a claim: it counts only if the payment is booked or given back, and leaves the timer
   * unchanged. Without locks, the payment and lease are used as this runner wrote them last.
   */
  async applyCallResult(
    tx: Tx,
    known: TablePayment,
    callResult: {
      readonly input: TablePaymentInput;
      readonly claimed: ClaimedTimer | null;
      readonly lease?: Lease | null;
    },
  ): Promise<TablePaymentResult> {
    const { claimed } = callResult;
    // For a replaced runner only a definite success counts; its successor finds out the rest.
    if (claimed === null && !isMoneySettled(callResult.input)) return { payment: known, outputs: [], isHeld: false };
    const lockedPayment = tx.isLocking
      ? await this.#lockPayment(tx, known)
      : {
          payment: known,
          journey: null,
          lease: requireValue(callResult.lease, 'the lease that the payment was stored with'),
        };
    return this.#applyInputs(tx, lockedPayment, { inputs: [callResult.input], claimed });
  }

  /**
   * Proves a payment of a device by its card transaction: by our own rows as they are now, or else by what the acquirer
   * says. Without a proof it is not recorded, and stands on the pending list with an alarm and a difference.
   */
  async applyProof(
    tx: Tx,
    known: TablePayment,
    { verdict, claimed }: { readonly verdict: ProofVerdict | null; readonly claimed: ClaimedTimer },
  ): Promise<TablePaymentResult> {
    const lockedPayment = await this.#lockPayment(tx, known);
    const input = await proveRecord(tx, lockedPayment.payment, verdict);
    const proof: TablePaymentInput[] = input.kind === 'proved' ? [input, DUE] : [input];
    return this.#applyInputs(tx, lockedPayment, { inputs: proof, claimed });
  }

  /** The device has repeated its call: a payment whose proof has ended without a result is due again. */
  async repeatProof(tx: Tx, known: TablePayment): Promise<void> {
    const lockedPayment = await this.#lockPayment(tx, known);
    await this.#applyInputs(tx, lockedPayment, { inputs: [{ kind: 'repeated' }], claimed: null });
  }

  /** Completes a recorded part after its session was unlocked at the EPOS, or that was tried. */
  async completePayment(
    tx: Tx,
    known: TablePayment,
    after: { readonly isUnlocked: boolean; readonly bill: Bill | null; readonly claimed: ClaimedTimer },
  ): Promise<void> {
    if (after.isUnlocked && known.leaseId !== null) await this.parts.leases.markUnlocked(tx, known.leaseId);
    if (after.bill !== null && known.journeyId !== null) {
      const journey = await lockJourney(tx, known.journeyId);
      if (journey !== null) await commitJourney(tx, journey, updateBill(journey, after.bill, tx.now));
    }
    await this.parts.queue.complete(tx, after.claimed, null);
  }

  /**
   * Applies an operator's decision; returns the payment before and after. Refuses `pending_payment_not_found`,
   * `pending_payment_not_decidable`.
   */
  async resolvePayment(tx: Tx, id: string, action: OperatorAction): Promise<readonly [TablePayment, TablePayment]> {
    const known = await findTablePayment(tx, id);
    if (known === null) throw new Refusal('pending_payment_not_found', 'there is no such payment');
    const lockedPayment = await this.#lockPayment(tx, known);
    return [
      lockedPayment.payment,
      (await this.#applyInputs(tx, lockedPayment, { inputs: [{ kind: action }], claimed: null })).payment,
    ];
  }

  /** The EPOS has reconnected: this payment, which waits for it, is due at once. */
  async resumeAfterReconnect(tx: Tx, known: TablePayment): Promise<void> {
    await this.#applyInputs(tx, await this.#lockPayment(tx, known), {
      inputs: [{ kind: 'reconnected' }],
      claimed: null,
    });
  }

  async #lockPayment(tx: Tx, known: TablePayment): Promise<LockedPayment> {
    // Sent together, and locked in this order all the same.
    const [lease, journey, payment] = await Promise.all([
      known.leaseId === null ? null : lockLease(tx, known.leaseId),
      known.journeyId === null ? null : lockJourney(tx, known.journeyId),
      lockTablePayment(tx, known.id),
    ]);
    return { lease, journey, payment: requireValue(payment, `table payment ${known.id}`) };
  }

  /**
   * Finishes a part that an operator has marked as recorded, or whose runner stopped before it unlocked. While a
   * later part runs, the lock belongs to that part.
   */
  async #finishRecorded(tx: Tx, { payment, lease }: LockedPayment, claimed: ClaimedTimer): Promise<TablePaymentResult> {
    const isLocked = lease === null || (lease.eposLocked && lease.openPayments === 0);
    const outputs: TablePaymentOutput[] = isLocked ? [{ do: 'unlock' }] : [];
    if (!isUnlockedByUs({ payment, outputs })) {
      await this.parts.queue.complete(tx, claimed, null);
      return { payment, outputs: [], isHeld: false };
    }
    await assertFence(tx, claimed);
    return { payment, outputs, isHeld: true };
  }

  /** Starts the card at the next machine, notifies the journey's listeners and schedules the check of its outcome. */
  async #continueOnNextTerminal(
    tx: Tx,
    { payment, journey }: LockedPayment,
    claimed: ClaimedTimer,
  ): Promise<TablePaymentResult> {
    if (journey !== null) await commitJourney(tx, journey, { ...journey, updatedAt: tx.now });
    const at = requireValue(payment.dueAt, 'the time of the next look');
    await this.parts.queue.complete(tx, claimed, { inMs: at.getTime() - tx.databaseNow.getTime() });
    return { payment, outputs: [{ do: 'wakeAt', at }, { do: 'publishJourney' }], isHeld: true };
  }

  /** The inputs from the card side; or the written payment, if another machine requests the card from now on. */
  async #cardInputs(tx: Tx, { payment, lease, journey }: LockedPayment): Promise<TablePaymentInput[] | TablePayment> {
    const outcome = await readCardOutcome(tx, payment);
    if (outcome === null) return [DUE];
    if (outcome.kind === 'due') return [outcome];
    if (outcome.kind === 'ended') {
      const to = movePayment(payment, outcome);
      if (to === null) return [outcome];
      const next = await this.#transfers.startOnNextTerminal(tx, payment, to);
      return 'kind' in next ? [next] : next;
    }
    // The EPOS stores the session's lock under the device that has locked, also after another device has taken over.
    const requestor: Requestor = lease?.requestor ?? journey?.requestor ?? { type: 'consumerDevice' };
    const approved = await buildApprovalInput(tx, payment, { intent: outcome.intent, lease, requestor });
    return [approved, DUE];
  }

  async #applyInputs(
    tx: Tx,
    lockedPayment: LockedPayment,
    { inputs, claimed }: { readonly inputs: readonly TablePaymentInput[]; readonly claimed: ClaimedTimer | null },
  ): Promise<TablePaymentResult> {
    const { payment: before } = lockedPayment;
    let after = before;
    const outputs: TablePaymentOutput[] = [];
    for (const input of inputs) {
      const next = stepTablePayment(after, input, tx.databaseNow);
      after = next.payment;
      outputs.push(...next.outputs);
    }
    const payment = await commitTablePayment(tx, before, after);
    const lease = payment === before ? null : await this.#applyToJourney(tx, lockedPayment, payment);
    const isReported = outputs.some(isUnsuccessfulReport) && (await this.#scheduleReport(tx, payment));
    await this.#completeOrKeepClaim(tx, { before, payment, outputs, claimed });
    const next = isReported ? outputs : outputs.filter((output) => !isUnsuccessfulReport(output));
    const isHeld = claimed !== null && !isReported;
    return { payment, outputs: next, isHeld, ...(lease !== null && !tx.isLocking && { lease }) };
  }

  /** Schedules the report of an ended payment, with its own tries, if the account requires it. */
  async #scheduleReport(tx: Tx, { id }: TablePayment): Promise<boolean> {
    const { settings } = await this.parts.accounts.get(tx);
    const { reportUnsuccessful } = settings.payAtTable;
    if (reportUnsuccessful) schedule(tx, { kind: 'table-payment', subject: id, dueInMs: 0, isRepeat: true });
    return reportUnsuccessful;
  }

  /** Applies the step to the journey, the lease and an intent that will not be paid any more. Returns an aged lease. */
  async #applyToJourney(
    tx: Tx,
    { payment: before, journey, lease }: LockedPayment,
    payment: TablePayment,
  ): Promise<Lease | null> {
    const [wasFinal, isFinal] = [isTablePaymentFinal(before), isTablePaymentFinal(payment)];
    const closed = lease !== null && isFinal && !wasFinal ? await this.parts.leases.closePayment(tx, lease) : null;
    if (lease !== null && !isFinal && wasFinal) await this.parts.leases.reopenPayment(tx, lease);
    if (journey !== null) await updateJourneyAfterPayment(tx, { journey, lease }, { before, payment });
    if (before.state === 'Started' && payment.state === 'Ended' && payment.intentId !== null)
      await this.#closeIntent(tx, payment.intentId);
    return closed;
  }

  /** Closes an intent, so that an old link cannot pay what the table has given up. */
  async #closeIntent(tx: Tx, intentId: string): Promise<void> {
    try {
      await this.parts.intents.cancel(tx, intentId);
    } catch (error) {
      // It is over already, or an attempt of the account's own still runs on it.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** A runner that makes a call keeps its claim; otherwise the row contains the time of the next check. */
  async #completeOrKeepClaim(
    tx: Tx,
    stepped: {
      readonly before: TablePayment;
      readonly payment: TablePayment;
      readonly outputs: readonly TablePaymentOutput[];
      readonly claimed: ClaimedTimer | null;
    },
  ): Promise<void> {
    const { before, payment, outputs, claimed } = stepped;
    if (claimed === null) {
      if (payment !== before && payment.dueAt !== null) await schedulePayment(tx, payment);
      // No runner holds it, so the next one unlocks.
      if (isUnlockedByUs({ payment, outputs })) {
        schedule(tx, { kind: 'table-payment', subject: payment.id, dueInMs: 0, isRepeat: true });
      }
      return;
    }
    // The claim is checked after all locks and writes: a runner that has lost the payment undoes them.
    const { dueAt } = payment;
    const isKept = findNextCall(outputs) !== null || isUnlockedByUs({ payment, outputs });
    if (!tx.isLocking && !isKept && isTablePaymentFinal(payment)) {
      completeClaimOrFail(tx, claimed);
      return;
    }
    if (!isKept && dueAt === null && (await completeClaim(tx, claimed))) return;
    await assertFence(tx, claimed);
    if (isKept) return;
    const dueInMs = dueAt === null ? null : dueAt.getTime() - tx.databaseNow.getTime();
    await this.parts.queue.complete(tx, claimed, dueInMs === null ? null : { inMs: Math.max(0, dueInMs) });
  }
}

interface LockedPayment {
  readonly lease: Lease | null;
  readonly journey: Journey | null;
  readonly payment: TablePayment;
}

const DUE: TablePaymentInput = { kind: 'due' };

function isMoneySettled(input: TablePaymentInput): boolean {
  if (input.kind === 'givenBack') return true;
  return input.kind === 'recordAnswered' && findRecordMeaning(input.answer, FIRST_CALL) === 'recorded';
}

const FIRST_CALL = { isUnanswered: false, hasOrder: false };
async function schedulePayment(tx: Tx, { id, dueAt }: TablePayment): Promise<void> {
  const dueInMs = requireValue(dueAt, 'the time of the next step').getTime() - tx.databaseNow.getTime();
  schedule(tx, { kind: 'table-payment', subject: id, dueInMs: Math.max(0, dueInMs), isRepeat: true });
}
