import type { Bill, Lease, Requestor, TablePayment } from '@pos/core/tables';
import type { Caller } from '@pos/core/accounts';
import {
  finishJourney,
  type Journey,
  type PartRequest,
  requireUnclaimed,
  startJourney,
  takePart,
  updateBill,
} from '@pos/core/journeys';
import { money } from '@pos/core/money';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { TerminalSession } from '@pos/core/terminals';
import type { Reader, Tx } from '@pos/store/database';
import {
  findJourney,
  findLease,
  findTablePayment,
  insertJourney,
  listJourneysOfLease,
  listOtherUnsettledJourneys,
  listTablePaymentsOfJourney,
  lockJourney,
  lockNewestJourney,
  lockTablePayment,
} from '@pos/store/tables';
import { findTerminal, findTerminalByTid, listSessionsOfIntent } from '@pos/store/terminals';
import { commitJourney } from './journey-commit.js';
import { commitTablePayment } from './table-payment-commit.js';
import { JourneyTransfers } from './journey-transfer.js';
import type { Leases } from './leases.js';
import type { PaymentIntents } from '../payment-intents/payment-intents.js';
import type { TablePayments } from './table-payments.js';
import type { TerminalSessions } from '../terminals/terminal-sessions.js';

/** A journey with everything that a device is shown of it. */
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
  /** The TID of the machine that requests the card. */
  readonly tid: string | null;
  /** The TID of the machine that requests it next, while the other is being stopped. */
  readonly movingToTid: string | null;
}

/** The requested part, its payer, and the extras on top. Extras are minor units of the journey's currency. */
export interface TakePartRequest {
  readonly journeyId: string;
  readonly paymentId: string;
  readonly part: PartRequest;
  readonly gratuity: number;
  readonly cashback: number;
  /** The TID of the card machine; null: the machine that began the journey, or a link on a payer's own device. */
  readonly tid: string | null;
}

/** A device's payments on a bill: each command is one transaction; calls to the EPOS were made before. */
export class Journeys {
  readonly #transfers: JourneyTransfers;

  constructor(
    private readonly parts: {
      readonly leases: Leases;
      readonly tablePayments: TablePayments;
      readonly sessions: TerminalSessions;
      readonly intents: PaymentIntents;
    },
  ) {
    this.#transfers = new JourneyTransfers(parts);
  }

  /** Begins a journey on a session that is locked for the device; a running one is returned as it is. */
  async start(
    tx: Tx,
    startRequest: {
      readonly lease: Lease;
      readonly name: string;
      readonly tableName: string | null;
      readonly bill: Bill;
      readonly requestor: Requestor;
    },
  ): Promise<JourneyView> {
    const lease = await this.parts.leases.renewForOwner(tx, startRequest.lease.leaseId, startRequest.lease.owner);
    const running = await findRunningJourney(tx, lease);
    if (running !== null) return buildJourneyView(tx, running);
    const { sessionId, leaseId, owner } = lease;
    const { name: sessionName, tableName, bill, requestor } = startRequest;
    // Locked: a part that is recorded in this moment counts as paid here, or is applied to this journey later.
    const before = await lockNewestJourney(tx, sessionId);
    const paidShares = before?.plan.split.shares ?? [];
    const request = {
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
    const journey = startJourney(request, tx.now);
    await insertJourney(tx, journey);
    return buildJourneyView(tx, journey);
  }

  /**
   * Takes the next part of the bill, which was read just before. Refuses `journey_not_found`, `lease_over`, what the
   * journey and the split refuse, and what the terminal refuses.
   */
  async take(
    tx: Tx,
    caller: Pick<Caller, 'permissions'>,
    request: TakePartRequest & { readonly bill: Bill },
  ): Promise<JourneyView> {
    const { lease, journey: found } = await this.#lockForCommand(tx, request.journeyId);
    const { currencyCode } = found;
    const { journey, amount } = takePart(
      updateBill(found, request.bill, tx.now),
      { paymentId: request.paymentId, request: request.part },
      tx.now,
    );
    if (request.part.mode === 'ITEMS') requireUnclaimed(request.part, await listOtherUnsettledJourneys(tx, journey));
    const terminalId = await findTerminalId(tx, found.requestor, request.tid);
    if (terminalId === null && request.cashback > 0) {
      throw createViolation('part_invalid', 'cashback_amount', 'cashback is not possible on the device of a payer');
    }
    const opened = await this.parts.leases.openPayment(tx, { before: lease, lease });
    const written = await commitJourney(tx, found, journey);
    await this.parts.tablePayments.startPayment(tx, caller, {
      paymentId: request.paymentId,
      journey: written,
      lease: opened,
      base: amount,
      gratuity: money(request.gratuity, currencyCode),
      cashback: money(request.cashback, currencyCode),
      terminalId,
    });
    return buildJourneyView(tx, written);
  }

  /**
   * Moves the journey to another card machine. Refuses `journey_not_found`, `lease_over`, and what
   * `JourneyTransfers` does.
   */
  async move(
    tx: Tx,
    caller: Pick<Caller, 'keyId'>,
    { journeyId, tid }: { readonly journeyId: string; readonly tid: string },
  ): Promise<JourneyView> {
    const { lease, journey } = await this.#lockForCommand(tx, journeyId);
    return buildJourneyView(tx, await this.#transfers.transferJourney(tx, caller, { journey, lease, tid }));
  }

  /** Cancels a payment. Refuses once a card was presented, or when it has ended. */
  async cancelPayment(tx: Tx, paymentId: string): Promise<JourneyView> {
    const { payment, journey } = await this.#lockPaymentForCommand(tx, paymentId);
    if (payment.state !== 'Started') throw createNotCancelableRefusal(payment);
    if (payment.movingTo !== null) await commitTablePayment(tx, payment, { ...payment, movingTo: null });
    else if (payment.terminalSessionId !== null) await this.parts.sessions.cancel(tx, payment.terminalSessionId);
    else if (payment.intentId !== null) await this.parts.intents.cancel(tx, payment.intentId);
    return buildJourneyView(tx, journey);
  }

  /** Applies the waiter's decision about the signature. Refuses `signature_not_awaited`. */
  async decideSignature(tx: Tx, paymentId: string, isAccepted: boolean): Promise<JourneyView> {
    const { payment, journey } = await this.#lockPaymentForCommand(tx, paymentId);
    if (payment.terminalSessionId === null) throw new Refusal('signature_not_awaited', 'no card machine is at work');
    await this.parts.sessions.decideSignature(tx, payment.terminalSessionId, isAccepted);
    return buildJourneyView(tx, journey);
  }

  /** Ends the journey and releases the session; a finished one stays as it is. */
  async finish(tx: Tx, journeyId: string): Promise<JourneyView> {
    const known = await findJourney(tx, journeyId);
    if (known?.state === 'FINISHED') return buildJourneyView(tx, known);
    const { lease, journey } = await this.#lockForCommand(tx, journeyId);
    const finished = await commitJourney(tx, journey, finishJourney(journey, tx.now));
    await this.parts.leases.release(tx, lease);
    return buildJourneyView(tx, finished);
  }

  /**
   * Locks first the lease, then the journey: the lock order. An ended journey is refused as such, in any state of
   * its lease.
   */
  async #lockForCommand(tx: Tx, journeyId: string): Promise<{ lease: Lease; journey: Journey }> {
    const known = await findJourney(tx, journeyId);
    if (known === null) throw createNotFoundRefusal();
    requireRunning(known);
    const lease = await this.parts.leases.renewForJourney(tx, known.leaseId);
    const journey = await lockJourney(tx, journeyId);
    if (journey === null) throw createNotFoundRefusal();
    return { lease, journey };
  }

  async #lockPaymentForCommand(tx: Tx, paymentId: string): Promise<{ payment: TablePayment; journey: Journey }> {
    const known = await findTablePayment(tx, paymentId);
    const journeyId = known?.journeyId ?? null;
    if (known === null || journeyId === null) {
      throw new Refusal('journey_not_found', 'there is no such payment of a journey');
    }
    const { journey } = await this.#lockForCommand(tx, journeyId);
    return { payment: (await lockTablePayment(tx, paymentId)) ?? known, journey };
  }
}

/** The current journey. Refuses `journey_not_found`. */
export async function getJourneyView(reader: Reader, id: string): Promise<JourneyView> {
  const journey = await findJourney(reader, id);
  if (journey === null) throw createNotFoundRefusal();
  return buildJourneyView(reader, journey);
}

/** The journey under a lease that has not ended, or null. */
export async function findRunningJourney(reader: Reader, lease: Pick<Lease, 'leaseId'>): Promise<Journey | null> {
  const journeys = await listJourneysOfLease(reader, lease.leaseId);
  return journeys.find(({ state }) => state !== 'FINISHED' && state !== 'ABANDONED') ?? null;
}

/** Refuses `journey_over`. */
export function requireRunning({ state }: Journey): void {
  if (state === 'FINISHED' || state === 'ABANDONED') throw new Refusal('journey_over', `the journey is ${state}`);
}

/** Everything that a device is shown of a journey. */
async function buildJourneyView(reader: Reader, journey: Journey): Promise<JourneyView> {
  const lease = await findLease(reader, journey.leaseId);
  const payments: JourneyPaymentView[] = [];
  const versions = [journey.version, lease?.version ?? 0];
  for (const payment of await listTablePaymentsOfJourney(reader, journey.id)) {
    const { intentId, terminalSessionId } = payment;
    // A payment that moved has had a session on each machine.
    const sessions =
      intentId === null || terminalSessionId === null ? [] : await listSessionsOfIntent(reader, intentId);
    const session = sessions.find(({ id }) => id === terminalSessionId) ?? null;
    versions.push(...sessions.map((each) => each.version));
    const terminal = session === null ? null : await findTerminal(reader, session.terminalId);
    const next = payment.movingTo === null ? null : await findTerminal(reader, payment.movingTo);
    payments.push({ payment, session, tid: terminal?.tid ?? null, movingToTid: next?.tid ?? null });
  }
  // Each of these only grows, and everything that is shown belongs to one of them.
  return { journey, lease, payments, version: versions.reduce((all, version) => all + version, 0) };
}

async function findTerminalId(tx: Tx, requestor: Requestor, tid: string | null): Promise<string | null> {
  const tidOrNull = tid ?? (requestor.type === 'cardMachine' ? requestor.terminalId : null);
  if (tidOrNull === null) return null;
  const terminal = await findTerminalByTid(tx, tidOrNull);
  if (terminal === null) throw new Refusal('terminal_not_found', `there is no terminal ${tidOrNull}`);
  return terminal.id;
}

function createNotFoundRefusal(): Refusal {
  return new Refusal('journey_not_found', 'there is no such journey');
}

function createNotCancelableRefusal({ state }: TablePayment): Refusal {
  return new Refusal('terminal_session_not_cancelable', `the payment is ${state}`);
}
