import type { Bill } from '@pos/core/bill';
import type { Caller } from '@pos/core/caller';
import { billRead, choosePart, finishJourney, type Journey, requireUnclaimed, startJourney } from '@pos/core/journey';
import type { Lease, Requestor } from '@pos/core/lease';
import { money } from '@pos/core/money';
import { keyed, Refusal } from '@pos/core/refusal';
import type { PartWish } from '@pos/core/split';
import type { TablePayment } from '@pos/core/table-payment';
import type { TerminalSession } from '@pos/core/terminal-session';
import type { Reader, Tx } from '@pos/store/database';
import {
  findJourney,
  insertJourney,
  journeysOfLease,
  journeysUnsettledBeside,
  lockJourney,
  lockLastJourneyOn,
  updateJourney,
} from '@pos/store/journeys';
import { findLease } from '@pos/store/leases';
import { findTablePayment, lockTablePayment, tablePaymentsOf, updateTablePayment } from '@pos/store/table-payments';
import { findTerminal, findTerminalByTid } from '@pos/store/terminals';
import { sessionsOf } from '@pos/store/terminal-sessions';
import { JourneyMoves } from './journey-moves.js';
import type { Leases } from './leases.js';
import type { PaymentIntents } from './payment-intents.js';
import type { TablePayments } from './table-payments.js';
import type { TerminalSessions } from './terminal-sessions.js';

/** A journey with all that a device is shown of it. */
export interface JourneyView {
  readonly journey: Journey;
  readonly lease: Lease | null;
  readonly payments: readonly JourneyPaymentView[];
  /** Grows with every change of anything that is shown. */
  readonly version: number;
}

export interface JourneyPaymentView {
  readonly payment: TablePayment;
  readonly session: TerminalSession | null;
  /** The TID of the machine that asks for the card. */
  readonly tid: string | null;
  /** The TID of the machine that asks next, while the other is being stopped. */
  readonly movingToTid: string | null;
}

/** Which part is wanted, by whom it is paid for, and what comes on top. Extras are minor units of the journey's currency. */
export interface TakeWish {
  readonly journeyId: string;
  readonly paymentId: string;
  readonly part: PartWish;
  readonly gratuity: number;
  readonly cashback: number;
  /** The TID of the card machine; null: the machine that began the journey, or a link on a guest's own device. */
  readonly tid: string | null;
}

/** A device's way through a bill: each command is one transaction; what it needs of the EPOS was asked before. */
export class Journeys {
  readonly #moves: JourneyMoves;

  constructor(
    private readonly parts: {
      readonly leases: Leases;
      readonly tablePayments: TablePayments;
      readonly sessions: TerminalSessions;
      readonly intents: PaymentIntents;
    },
  ) {
    this.#moves = new JourneyMoves(parts);
  }

  /** Begins a journey on a session that is locked for the device; one that runs already is given as it stands. */
  async start(
    tx: Tx,
    begin: {
      readonly lease: Lease;
      readonly name: string;
      readonly tableName: string | null;
      readonly bill: Bill;
      readonly requestor: Requestor;
    },
  ): Promise<JourneyView> {
    const lease = await this.parts.leases.command(tx, begin.lease.leaseId, begin.lease.owner);
    const running = await runningJourney(tx, lease);
    if (running !== null) return journeyView(tx, running);
    const { sessionId, leaseId, owner } = lease;
    const { name: sessionName, tableName, bill, requestor } = begin;
    // Under its lock: a part that it records in this moment is paid for here, or this journey is there to be told.
    const before = await lockLastJourneyOn(tx, sessionId);
    const paidShares = before?.plan.split.shares ?? [];
    const wish = {
      id: await tx.newUuid(),
      sessionId,
      sessionName,
      tableName,
      leaseId,
      owner,
      requestor,
      bill,
      paidShares,
    };
    const journey = startJourney(wish, tx.now);
    await insertJourney(tx, journey);
    return journeyView(tx, journey);
  }

  /**
   * Takes the next part of the bill, which was read a moment ago. Refuses `journey_not_found`, `lease_over`, what the
   * journey and the split refuse, and what the terminal refuses.
   */
  async take(
    tx: Tx,
    caller: Pick<Caller, 'permissions'>,
    wish: TakeWish & { readonly bill: Bill },
  ): Promise<JourneyView> {
    const { lease, journey: found } = await this.#command(tx, wish.journeyId);
    const { currencyCode } = found;
    const { journey, amount } = choosePart(
      billRead(found, wish.bill, tx.now),
      { paymentId: wish.paymentId, wish: wish.part },
      tx.now,
    );
    if (wish.part.mode === 'ITEMS') requireUnclaimed(wish.part, await journeysUnsettledBeside(tx, journey));
    const terminalId = await terminalOf(tx, found.requestor, wish.tid);
    if (terminalId === null && wish.cashback > 0) {
      throw keyed('part_invalid', 'cashback_amount', 'nobody hands out cash where a guest pays on his own device');
    }
    const opened = await this.parts.leases.open(tx, lease);
    const written = await updateJourney(tx, journey);
    await this.parts.tablePayments.start(tx, caller, {
      paymentId: wish.paymentId,
      journey: written,
      lease: opened,
      base: amount,
      gratuity: money(wish.gratuity, currencyCode),
      cashback: money(wish.cashback, currencyCode),
      terminalId,
    });
    return journeyView(tx, written);
  }

  /** Gives the journey to another card machine. Refuses `journey_not_found`, `lease_over`, and what `JourneyMoves` does. */
  async move(
    tx: Tx,
    caller: Pick<Caller, 'keyId'>,
    { journeyId, tid }: { readonly journeyId: string; readonly tid: string },
  ): Promise<JourneyView> {
    const { lease, journey } = await this.#command(tx, journeyId);
    return journeyView(tx, await this.#moves.move(tx, caller, { journey, lease, tid }));
  }

  /** Calls a payment off. Refuses once a card was presented, or when it has ended. */
  async cancelPayment(tx: Tx, paymentId: string): Promise<JourneyView> {
    const { payment, journey } = await this.#commandOnPayment(tx, paymentId);
    if (payment.state !== 'Started') throw notRunning(payment);
    if (payment.movingTo !== null) await updateTablePayment(tx, { ...payment, movingTo: null });
    else if (payment.terminalSessionId !== null) await this.parts.sessions.cancel(tx, payment.terminalSessionId);
    else if (payment.intentId !== null) {
      await this.parts.intents.cancel(tx, payment.intentId);
      tx.hint('journeys', payment.intentId);
    }
    return journeyView(tx, journey);
  }

  /** The waiter has judged the signature. Refuses `signature_not_awaited`. */
  async decideSignature(tx: Tx, paymentId: string, isAccepted: boolean): Promise<JourneyView> {
    const { payment, journey } = await this.#commandOnPayment(tx, paymentId);
    if (payment.terminalSessionId === null) throw new Refusal('signature_not_awaited', 'no card machine is at work');
    await this.parts.sessions.decideSignature(tx, payment.terminalSessionId, isAccepted);
    return journeyView(tx, journey);
  }

  /** Ends the journey and lets the session go; a finished one stays as it is. */
  async finish(tx: Tx, journeyId: string): Promise<JourneyView> {
    const known = await findJourney(tx, journeyId);
    if (known?.state === 'FINISHED') return journeyView(tx, known);
    const { lease, journey } = await this.#command(tx, journeyId);
    const finished = await updateJourney(tx, finishJourney(journey, tx.now));
    await this.parts.leases.release(tx, lease);
    return journeyView(tx, finished);
  }

  /** The lease first, then the journey: the order of locks. An ended journey refuses as such, whatever its lease is. */
  async #command(tx: Tx, journeyId: string): Promise<{ lease: Lease; journey: Journey }> {
    const known = await findJourney(tx, journeyId);
    if (known === null) throw notFound();
    requireRunning(known);
    const lease = await this.parts.leases.commandJourney(tx, known.leaseId);
    const journey = await lockJourney(tx, journeyId);
    if (journey === null) throw notFound();
    return { lease, journey };
  }

  async #commandOnPayment(tx: Tx, paymentId: string): Promise<{ payment: TablePayment; journey: Journey }> {
    const known = await findTablePayment(tx, paymentId);
    const journeyId = known?.journeyId ?? null;
    if (known === null || journeyId === null) {
      throw new Refusal('journey_not_found', 'there is no such payment of a journey');
    }
    const { journey } = await this.#command(tx, journeyId);
    return { payment: (await lockTablePayment(tx, paymentId)) ?? known, journey };
  }
}

/** The journey as it stands. Refuses `journey_not_found`. */
export async function getJourneyView(reader: Reader, id: string): Promise<JourneyView> {
  const journey = await findJourney(reader, id);
  if (journey === null) throw notFound();
  return journeyView(reader, journey);
}

/** The journey under a lease that has not ended, or null. */
export async function runningJourney(reader: Reader, lease: Pick<Lease, 'leaseId'>): Promise<Journey | null> {
  const journeys = await journeysOfLease(reader, lease.leaseId);
  return journeys.find(({ state }) => state !== 'FINISHED' && state !== 'ABANDONED') ?? null;
}

/** Refuses `journey_over`. */
export function requireRunning({ state }: Journey): void {
  if (state === 'FINISHED' || state === 'ABANDONED') throw new Refusal('journey_over', `the journey is ${state}`);
}

/** Everything that a device is shown of a journey. */
async function journeyView(reader: Reader, journey: Journey): Promise<JourneyView> {
  const lease = await findLease(reader, journey.leaseId);
  const payments: JourneyPaymentView[] = [];
  const versions = [journey.version, lease?.version ?? 0];
  for (const payment of await tablePaymentsOf(reader, journey.id)) {
    const { intentId, terminalSessionId } = payment;
    // A payment that moved has had a session on each machine.
    const sessions = intentId === null || terminalSessionId === null ? [] : await sessionsOf(reader, intentId);
    const session = sessions.find(({ id }) => id === terminalSessionId) ?? null;
    versions.push(...sessions.map((each) => each.version));
    const terminal = session === null ? null : await findTerminal(reader, session.terminalId);
    const next = payment.movingTo === null ? null : await findTerminal(reader, payment.movingTo);
    payments.push({ payment, session, tid: terminal?.tid ?? null, movingToTid: next?.tid ?? null });
  }
  // Each of these only grows, and whatever is shown belongs to one of them.
  return { journey, lease, payments, version: versions.reduce((all, version) => all + version, 0) };
}

async function terminalOf(tx: Tx, requestor: Requestor, tid: string | null): Promise<string | null> {
  const wanted = tid ?? (requestor.type === 'cardMachine' ? requestor.terminalId : null);
  if (wanted === null) return null;
  const terminal = await findTerminalByTid(tx, wanted);
  if (terminal === null) throw new Refusal('terminal_not_found', `there is no terminal ${wanted}`);
  return terminal.id;
}

function notFound(): Refusal {
  return new Refusal('journey_not_found', 'there is no such journey');
}

function notRunning({ state }: TablePayment): Refusal {
  return new Refusal('terminal_session_not_cancelable', `the payment is ${state}`);
}
