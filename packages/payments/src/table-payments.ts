import { required } from '@pos/core/assert';
import type { Bill } from '@pos/core/bill';
import type { Caller } from '@pos/core/caller';
import { billRead, type Journey } from '@pos/core/journey';
import type { Lease, Requestor } from '@pos/core/lease';
import { type Money, sum } from '@pos/core/money';
import { meaningOf } from '@pos/core/record-answer';
import { Refusal } from '@pos/core/refusal';
import { step } from '@pos/core/table-payment-step';
import {
  isFinal,
  moveOn,
  type OperatorAction,
  relayTablePayment,
  startTablePayment,
  type TablePayment,
  type TablePaymentInput,
  type TablePaymentOutput,
} from '@pos/core/table-payment';
import type { Tx } from '@pos/store/database';
import { lockJourney, updateJourney } from '@pos/store/journeys';
import { lockLease } from '@pos/store/leases';
import { findOrderSession } from '@pos/store/orders';
import { findTablePayment, insertTablePayment, lockTablePayment, updateTablePayment } from '@pos/store/table-payments';
import { endClaim, endClaimCertainly, scheduleNewClaimed } from '@pos/store/timer-claim';
import { assertFence, type ClaimedTimer, schedule, type TimerQueue } from '@pos/store/timers';
import type { Accounts } from './accounts.js';
import { followOn } from './journey-following.js';
import { JourneyMoves } from './journey-moves.js';
import type { Leases } from './leases.js';
import type { PaymentIntents } from './payment-intents.js';
import { intentWish, type PartToPay } from './part-to-pay.js';
import { adoptedIntent, unusable } from './device-money.js';
import { approvalOf, cardOutcome } from './table-payment-outcome.js';
import type { TerminalSessions } from './terminal-sessions.js';

/** A payment that a device has taken by itself, with its message as it will be sent. */
export interface PaymentToRelay {
  readonly paymentId: string;
  readonly lease: Lease;
  readonly message: Uint8Array;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  /** The acquirer's name for what was taken; empty when the device does not tell. */
  readonly transactionId: string;
  readonly paidBefore: Money;
  /** The order that the session stands for; null where the EPOS keeps sessions. */
  readonly orderId: string | null;
  /** For how long its runner has it. */
  readonly claimMs: number;
}

/** A payment in the hands of its first runner, with the step that was made when it was stored. */
export interface RelayedPayment {
  readonly claimed: ClaimedTimer;
  readonly stepped: TableStep;
  /** As it stands with the payment open. */
  readonly lease: Lease;
}

/**
 * A payment after a step, and what its runner does next. `isHeld`: this runner still has the payment. One that has ended,
 * and of which the EPOS is to be told, is taken up anew for that.
 */
export interface TableStep {
  readonly payment: TablePayment;
  readonly outputs: readonly TablePaymentOutput[];
  readonly isHeld: boolean;
}

/**
 * Payments at a table from the card to the books or back. Each method decides and remembers within the caller's
 * transaction; the calls to the EPOS and the acquirer that a step asks for are made by the gateway between two of them.
 */
export class TablePayments {
  readonly #moves: JourneyMoves;

  constructor(
    private readonly parts: {
      readonly accounts: Accounts;
      readonly intents: PaymentIntents;
      readonly sessions: TerminalSessions;
      readonly leases: Leases;
      readonly queue: TimerQueue;
    },
  ) {
    this.#moves = new JourneyMoves(parts);
  }

  /** Writes payment, intent and machine session at once: nobody is asked for a card before all three stand. */
  async start(tx: Tx, caller: Pick<Caller, 'permissions'>, part: PartToPay): Promise<TablePayment> {
    const { intents, sessions } = this.parts;
    const order = await findOrderSession(tx, part.journey.sessionId);
    const orderId = order?.orderId ?? null;
    const { intent } = await intents.create(tx, caller, intentWish(part, { orderId, now: tx.now }));
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
    await wake(tx, payment);
    return payment;
  }

  /**
   * Stores a device's own payment with its first step made, in the hands of a runner, who makes the call next. Its lease
   * is open from here until the payment has ended. The transaction breaks a unique index (23505) when there is a payment of
   * this id, or another one on its intent. Refuses with `card_transaction_unusable` money that cannot be recorded as this.
   */
  async relay(tx: Tx, { message, lease, claimMs, orderId, ...part }: PaymentToRelay): Promise<RelayedPayment> {
    const { paymentId: id, transactionId, ...amounts } = part;
    const intentId = await adoptedIntent(
      tx,
      transactionId,
      sum([part.base, part.gratuity, part.cashback], part.base.currencyCode),
    );
    if (orderId !== null && intentId === null) {
      throw unusable('an order lists only payments that were taken here, and this one is not known, or not yet');
    }
    const { payment: arrived } = relayTablePayment(
      {
        ...amounts,
        id,
        intentId,
        origin: 'device',
        journeyId: null,
        leaseId: lease.leaseId,
        sessionId: lease.sessionId,
        orderId,
      },
      message,
      tx.databaseNow,
    );
    const { payment, outputs } = step(arrived, DUE, tx.databaseNow);
    await insertTablePayment(tx, payment);
    const timer = { kind: 'table-payment', subject: id } as const;
    return { claimed: scheduleNewClaimed(tx, timer, claimMs), stepped: { payment, outputs, isHeld: true }, lease };
  }

  /**
   * A runner has taken the payment. A started one looks how its card stands, and whatever becomes due by that is taken
   * with it; a recorded one, whose session nobody has unlocked, is left; of an ended one the EPOS is told; any other goes on if its time has come. Throws
   * LeaseLost when another runner has the payment.
   */
  async advance(tx: Tx, known: TablePayment, claimed: ClaimedTimer): Promise<TableStep> {
    const held = await this.#hold(tx, known);
    if (held.payment.state === 'Recorded') return this.#leave(tx, held, claimed);
    if (held.payment.state === 'Ended') {
      await assertFence(tx, claimed);
      return { payment: held.payment, outputs: [{ do: 'reportUnsuccessful' }], isHeld: true };
    }
    const due = claimed.dueAt <= tx.databaseNow ? [DUE] : [];
    const inputs = held.payment.state === 'Started' ? await this.#cardInputs(tx, held) : due;
    if (!Array.isArray(inputs)) return this.#askedElsewhere(tx, { ...held, payment: inputs }, claimed);
    return this.#remember(tx, held, { inputs, claimed });
  }

  /**
   * Hears the answer to a call. Throws LeaseLost, which undoes it, when the runner has lost the payment. Heard without a
   * claim then, it counts only if it says that the payment is booked or given back, and leaves the timer alone. Without
   * locks, payment and lease are gone by as they were written last, by a runner that has had the payment since.
   */
  async tell(
    tx: Tx,
    known: TablePayment,
    heard: { readonly input: TablePaymentInput; readonly claimed: ClaimedTimer | null; readonly lease?: Lease | null },
  ): Promise<TableStep> {
    const { claimed } = heard;
    // Of what a replaced runner hears only that something is done counts; the rest its successor finds out.
    if (claimed === null && !isDone(heard.input)) return { payment: known, outputs: [], isHeld: false };
    const held = tx.locks
      ? await this.#hold(tx, known)
      : { payment: known, journey: null, lease: required(heard.lease, 'the lease that the payment was stored with') };
    return this.#remember(tx, held, { inputs: [heard.input], claimed });
  }

  /** The session is unlocked at the EPOS after a recorded part, or that was tried: the runner is done with the payment. */
  async settle(
    tx: Tx,
    known: TablePayment,
    after: { readonly isUnlocked: boolean; readonly bill: Bill | null; readonly claimed: ClaimedTimer },
  ): Promise<void> {
    if (after.isUnlocked && known.leaseId !== null) await this.parts.leases.lockGone(tx, known.leaseId);
    if (after.bill !== null && known.journeyId !== null) {
      const journey = await lockJourney(tx, known.journeyId);
      if (journey !== null) await updateJourney(tx, billRead(journey, after.bill, tx.now));
    }
    await this.parts.queue.finish(tx, after.claimed, null);
  }

  /** An operator decides; the payment before and after. Refuses `pending_payment_not_found`, `pending_payment_not_decidable`. */
  async resolve(tx: Tx, id: string, action: OperatorAction): Promise<readonly [TablePayment, TablePayment]> {
    const known = await findTablePayment(tx, id);
    if (known === null) throw new Refusal('pending_payment_not_found', 'there is no such payment');
    const held = await this.#hold(tx, known);
    return [held.payment, (await this.#remember(tx, held, { inputs: [{ kind: action }], claimed: null })).payment];
  }

  /** The EPOS has connected anew: this payment, which waits for it, goes on at once. */
  async reconnected(tx: Tx, known: TablePayment): Promise<void> {
    await this.#remember(tx, await this.#hold(tx, known), { inputs: [{ kind: 'reconnected' }], claimed: null });
  }

  async #hold(tx: Tx, known: TablePayment): Promise<Held> {
    // Asked at once, and locked in this order all the same.
    const [lease, journey, payment] = await Promise.all([
      known.leaseId === null ? null : lockLease(tx, known.leaseId),
      known.journeyId === null ? null : lockJourney(tx, known.journeyId),
      lockTablePayment(tx, known.id),
    ]);
    return { lease, journey, payment: required(payment, `table payment ${known.id}`) };
  }

  /**
   * A part that a person has marked as recorded, or whose runner died before it unlocked. While a later part runs, the lock
   * is that one's.
   */
  async #leave(tx: Tx, { payment, lease }: Held, claimed: ClaimedTimer): Promise<TableStep> {
    const isLocked = lease === null || (lease.eposLocked && lease.openPayments === 0);
    const outputs: TablePaymentOutput[] = isLocked ? [{ do: 'unlock' }] : [];
    if (!isUnlockedByUs({ payment, outputs })) {
      await this.parts.queue.finish(tx, claimed, null);
      return { payment, outputs: [], isHeld: false };
    }
    await assertFence(tx, claimed);
    return { payment, outputs, isHeld: true };
  }

  /** The next machine asks for the card: the journey's watchers are told, and the net below its reports is set again. */
  async #askedElsewhere(tx: Tx, { payment, journey }: Held, claimed: ClaimedTimer): Promise<TableStep> {
    if (journey !== null) await updateJourney(tx, { ...journey, updatedAt: tx.now });
    const at = required(payment.dueAt, 'the time of the next look');
    await this.parts.queue.finish(tx, claimed, { inMs: at.getTime() - tx.databaseNow.getTime() });
    return { payment, outputs: [{ do: 'wakeAt', at }, { do: 'publishJourney' }], isHeld: true };
  }

  /** What the card side tells the payment; the payment itself, written, when another machine asks from now on. */
  async #cardInputs(tx: Tx, { payment, lease, journey }: Held): Promise<TablePaymentInput[] | TablePayment> {
    const outcome = await cardOutcome(tx, payment);
    if (outcome === null) return [DUE];
    if (outcome.kind === 'due') return [outcome];
    if (outcome.kind === 'ended') {
      const to = moveOn(payment, outcome);
      if (to === null) return [outcome];
      const next = await this.#moves.askElsewhere(tx, payment, to);
      return 'kind' in next ? [next] : next;
    }
    // The EPOS knows the session's lock as the device's that has locked, whoever goes on with it.
    const requestor: Requestor = lease?.requestor ?? journey?.requestor ?? { type: 'consumerDevice' };
    const { accounts } = this.parts;
    const approved = await approvalOf(tx, payment, { intent: outcome.intent, lease, requestor, accounts });
    return [approved, DUE];
  }

  async #remember(
    tx: Tx,
    held: Held,
    { inputs, claimed }: { readonly inputs: readonly TablePaymentInput[]; readonly claimed: ClaimedTimer | null },
  ): Promise<TableStep> {
    const { payment: before } = held;
    let after = before;
    const outputs: TablePaymentOutput[] = [];
    for (const input of inputs) {
      const next = step(after, input, tx.databaseNow);
      after = next.payment;
      outputs.push(...next.outputs);
    }
    const payment = after === before ? before : await updateTablePayment(tx, after);
    if (payment !== before) await this.#follow(tx, held, payment);
    const isReported = outputs.some(isReport) && (await this.#reportLater(tx, payment));
    await this.#keepTime(tx, { before, payment, outputs, claimed });
    const next = isReported ? outputs : outputs.filter((output) => !isReport(output));
    return { payment, outputs: next, isHeld: claimed !== null && !isReported };
  }

  /** The payment is over; the EPOS of an account that asks for it is told beside everything else, with tries of its own. */
  async #reportLater(tx: Tx, { id }: TablePayment): Promise<boolean> {
    const { settings } = await this.parts.accounts.get(tx);
    const { reportUnsuccessful } = settings.payAtTable;
    if (reportUnsuccessful) schedule(tx, { kind: 'table-payment', subject: id, dueInMs: 0, isRepeat: true });
    return reportUnsuccessful;
  }

  /** What the payment's step means for its journey, its lease and an intent that nobody will pay any more. */
  async #follow(tx: Tx, { payment: before, journey, lease }: Held, payment: TablePayment): Promise<void> {
    if (lease !== null && isFinal(payment) && !isFinal(before)) await this.parts.leases.close(tx, lease);
    if (lease !== null && !isFinal(payment) && isFinal(before)) await this.parts.leases.reopen(tx, lease);
    if (journey !== null) await followOn(tx, { journey, lease }, { before, payment });
    if (before.state === 'Started' && payment.state === 'Ended' && payment.intentId !== null) {
      await this.#closeIntent(tx, payment.intentId);
    }
  }

  /** Nobody is to pay by an old link what the table has given up. */
  async #closeIntent(tx: Tx, intentId: string): Promise<void> {
    try {
      await this.parts.intents.cancel(tx, intentId);
    } catch (error) {
      // It is over already, or something of the account's own still runs on it.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** A runner that goes on calling keeps its claim; otherwise the row says when somebody has to look again. */
  async #keepTime(
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
      if (payment !== before && payment.dueAt !== null) await wake(tx, payment);
      // Nobody's runner has it, so the next one unlocks.
      if (isUnlockedByUs({ payment, outputs })) {
        schedule(tx, { kind: 'table-payment', subject: payment.id, dueInMs: 0, isRepeat: true });
      }
      return;
    }
    // The last word on whose the payment is comes after all locks and writes: whoever has lost it undoes them.
    const { dueAt } = payment;
    const isKept = callOf(outputs) !== null || isUnlockedByUs({ payment, outputs });
    if (!tx.locks && !isKept && isFinal(payment)) {
      endClaimCertainly(tx, claimed);
      return;
    }
    if (!isKept && dueAt === null && (await endClaim(tx, claimed))) return;
    await assertFence(tx, claimed);
    if (isKept) return;
    const dueInMs = dueAt === null ? null : dueAt.getTime() - tx.databaseNow.getTime();
    await this.parts.queue.finish(tx, claimed, dueInMs === null ? null : { inMs: Math.max(0, dueInMs) });
  }
}

/** Whether the runner unlocks next, and keeps the payment until then. A device that pays step by step unlocks by itself. */
export function isUnlockedByUs({ payment, outputs }: Pick<TableStep, 'payment' | 'outputs'>): boolean {
  return payment.origin === 'journey' && outputs.some((output) => output.do === 'unlock');
}

/** Whether the EPOS is to be told of a part that has ended without money. */
export function isReport({ do: what }: TablePaymentOutput): boolean {
  return what === 'reportUnsuccessful';
}

/** The call that a runner makes next; `readOutcome` is no call: `advance` has looked. */
export function callOf(outputs: readonly TablePaymentOutput[]): TableCall | null {
  return outputs.find(isCall) ?? null;
}
export type TableCall =
  { readonly do: 'record' | 'lock' | 'readBill' | 'readOrder' } | Extract<TablePaymentOutput, { do: 'giveBack' }>;

function isCall(output: TablePaymentOutput): output is TableCall {
  return CALLS.has(output.do);
}

const CALLS: ReadonlySet<TablePaymentOutput['do']> = new Set(['record', 'lock', 'readBill', 'readOrder', 'giveBack']);

interface Held {
  readonly lease: Lease | null;
  readonly journey: Journey | null;
  readonly payment: TablePayment;
}

const DUE: TablePaymentInput = { kind: 'due' };

function isDone(input: TablePaymentInput): boolean {
  if (input.kind === 'givenBack') return true;
  return input.kind === 'recordAnswered' && meaningOf(input.answer, FIRST_CALL) === 'recorded';
}

const FIRST_CALL = { isUnanswered: false, hasOrder: false };
async function wake(tx: Tx, { id, dueAt }: TablePayment): Promise<void> {
  const dueInMs = required(dueAt, 'the time of the next step').getTime() - tx.databaseNow.getTime();
  schedule(tx, { kind: 'table-payment', subject: id, dueInMs: Math.max(0, dueInMs), isRepeat: true });
}
