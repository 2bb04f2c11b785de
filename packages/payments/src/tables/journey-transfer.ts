import { Refusal, requireValue } from '@pos/core/refusals';
import type { Caller } from '@pos/core/accounts';
import type { TerminalId } from '@pos/core/identity';
import { type Journey, moveJourney } from '@pos/core/journeys';
import { type Lease, requestElsewhere, type TablePayment, type TablePaymentInput } from '@pos/core/tables';
import type { Tx } from '@pos/store/database';
import { lockTablePayment } from '@pos/store/tables';
import { insertOperatorCall } from '@pos/store/repositories';
import { findTerminalByTid, findTerminalSession } from '@pos/store/terminals';
import { commitJourney } from './journey-commit.js';
import { commitTablePayment } from './table-payment-commit.js';
import type { Leases } from './leases.js';
import type { TerminalSessions } from '../terminals/terminal-sessions.js';
import { getTerminal } from '../terminals/terminals.js';

/** A journey and its lease, locked, and the TID of the machine to which they move. */
export interface JourneyTransferRequest {
  readonly journey: Journey;
  readonly lease: Lease;
  readonly tid: string;
}

/**
 * Moves running journeys between the card machines of an account. One machine at a time may take money: the next one
 * requests a card only when the session of the one before has ended and no answer of the acquirer is open on it (ADR
 * 0036).
 */
export class JourneyTransfers {
  constructor(private readonly parts: { readonly leases: Leases; readonly sessions: TerminalSessions }) {}

  /**
   * Moves the journey to the other machine; a running card session is ordered to end. Refuses what `moveJourney`
   * does, `terminal_not_found`, `terminal_unavailable`, and `terminal_session_not_cancelable` once a card is in.
   */
  async transferJourney(
    tx: Tx,
    caller: Pick<Caller, 'keyId'>,
    { journey, lease, tid }: JourneyTransferRequest,
  ): Promise<Journey> {
    const moved = moveJourney(journey, tid, tx.now);
    const terminal = await findTerminalByTid(tx, tid);
    if (terminal === null) throw new Refusal('terminal_not_found', `there is no terminal ${tid}`);
    const inHand = journey.plan.inHand?.paymentId ?? null;
    const payment = inHand === null ? null : await lockTablePayment(tx, inHand);
    const isMoving = payment !== null && (await this.#stopCard(tx, payment, terminal.id));
    if (moved === journey && !isMoving) return journey;
    const { owner, requestor } = moved;
    await this.parts.leases.moveToDevice(tx, lease, { owner, requestor });
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'MoveJourney', subject: journey.id, isConfirmed: false, outcome: 'Done' },
      note: `from ${journey.owner} to ${tid}`,
      stateBefore: journey.state,
      stateAfter: moved.state,
    });
    return commitJourney(tx, journey, { ...moved, updatedAt: tx.now });
  }

  /** Orders the current machine to end. False: the payment stays where it is. */
  async #stopCard(tx: Tx, payment: TablePayment, to: TerminalId): Promise<boolean> {
    if (payment.state !== 'Started') throw createNotCancelableRefusal(`the payment is ${payment.state}`);
    if (payment.movingTo === to) return false;
    const id = requireValue(payment.terminalSessionId, 'the session of a payment on a card machine');
    const session = requireValue(await findTerminalSession(tx, id), 'the session of a payment');
    if (payment.movingTo === null) {
      if (session.terminalId === to) return false;
      if (session.status === 'CancelRequested') throw createNotCancelableRefusal('the payment is being cancelled');
      await requireAvailable(tx, to);
      await this.parts.sessions.cancel(tx, id);
    } else if (session.terminalId !== to) await requireAvailable(tx, to);
    await commitTablePayment(tx, payment, { ...payment, movingTo: to, updatedAt: tx.databaseNow });
    return true;
  }

  /**
   * Starts the next machine after the card session of a moving payment has ended without money. A refusal of that
   * machine ends the payment. Throws `terminal_unavailable` when another session took the machine in this moment;
   * then nothing is written.
   */
  async startOnNextTerminal(tx: Tx, payment: TablePayment, to: TerminalId): Promise<TablePayment | TablePaymentInput> {
    const paymentIntentId = requireValue(payment.intentId, 'the intent of a payment on a card machine');
    const { status, terminal } = await getTerminal(tx, to);
    if (status !== 'Available') return createCancelledInput(`terminal ${terminal.tid} is ${status}`);
    try {
      const request = { sessionType: 'Sale', terminalId: to, paymentIntentId } as const;
      const { session } = await this.parts.sessions.create(tx, { permissions: new Set() }, request);
      return await commitTablePayment(tx, payment, requestElsewhere(payment, session.id, tx.databaseNow));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'terminal_unavailable') throw error;
      return createCancelledInput(error.detail);
    }
  }
}

function createCancelledInput(note: string): TablePaymentInput {
  return { kind: 'ended', reason: 'cancelled', note: `the payment could not be moved: ${note}` };
}

async function requireAvailable(tx: Tx, to: TerminalId): Promise<void> {
  const { status } = await getTerminal(tx, to);
  if (status !== 'Available') throw new Refusal('terminal_unavailable', `the terminal is ${status}`);
}

function createNotCancelableRefusal(reason: string): Refusal {
  return new Refusal('terminal_session_not_cancelable', reason);
}
