import type { CardPresentApproval, Decline } from './card.js';
import { isSameAmount } from './money.js';
import { booked, type Occasion, passTime, takenFrom, withApproval, withDecline, withSlip } from './session-outcome.js';
import {
  after,
  CARD_PRESENTED_BY,
  isFinal,
  type NotificationType,
  sessionDestination,
  type SessionDecision,
  type SessionStatus,
  type SessionWindows,
  type TerminalSession,
  through,
  unchanged,
} from './terminal-session.js';

/** What a card machine says of a session. Numbers grow from 1; a report is repeated until it is acknowledged. */
export type MachineReport = { readonly number: number } & (
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'notification'; readonly notificationType: NotificationType }
  | { readonly kind: 'approved'; readonly approval: CardPresentApproval; readonly isSignatureRequired: boolean }
  | { readonly kind: 'declined'; readonly result: CardPresentApproval }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'unable'; readonly reason: string }
  /** The machine never had the session that it was told to cancel, or has lost its memory. Always numbered 1. */
  | { readonly kind: 'unknownSession' }
);

/** What a report is judged by beside the session itself. */
export interface Hearing extends Occasion {
  readonly windows: SessionWindows;
  /** False once the attempt has ended or its reversal is written: a later result moves nothing. */
  readonly isAttemptOpen: boolean;
  readonly endedRefund: EndedRefund;
}

/**
 * What an approval of a refund means that has ended: its amount is free and can be booked, the payment has no room for it any
 * more, or it is booked already. Nothing for a refund that is open, and for a sale.
 */
export type EndedRefund = 'bookable' | 'noRoom' | 'booked';

/**
 * Hears one report. Every report is acknowledged: one that was heard before, or that the state does
 * not allow, changes nothing but the number, and the machine is told to stop when the session is final.
 */
export function hear(session: TerminalSession, report: MachineReport, hearing: Hearing): SessionDecision {
  if (report.kind === 'unknownSession') return withOrder(sessionUnknown(session, hearing), hearing);
  if (report.number <= session.lastReport) return withOrder(unchanged(session), hearing);
  const heard = { ...session, lastReport: report.number };
  return withOrder(decide(heard, report, hearing) ?? unchanged(heard), hearing);
}

function decide(
  session: TerminalSession,
  report: Exclude<MachineReport, { kind: 'unknownSession' }>,
  hearing: Hearing,
): SessionDecision | null {
  switch (report.kind) {
    case 'confirmed':
      return confirmed(session, hearing);
    case 'notification':
      return notified(session, report.notificationType);
    case 'approved':
      return approved(session, report, hearing);
    case 'declined':
      return declined(session, report.result, hearing);
    case 'canceled':
    case 'unable':
      return ended(session, report.kind, hearing);
  }
}

function confirmed(session: TerminalSession, hearing: Hearing): SessionDecision | null {
  // The machine has missed the order to end; it gets it again.
  if (session.status === 'CancelRequested') return { ...unchanged(session), toMachine: 'cancel' };
  const status = sessionDestination(session.status, 'confirm');
  if (status === null) return null;
  // Too late, though the timer has not come by yet.
  const expired = passTime(session, hearing);
  if (expired !== null) return expired;
  const initiated = { ...session, expireAt: after(session.createdAt, hearing.windows.cardMs) };
  return through(initiated, [status], hearing.now);
}

function notified(session: TerminalSession, notificationType: NotificationType): SessionDecision | null {
  if (isFinal(session.status)) return null;
  const cardPresented = session.cardPresented || CARD_PRESENTED_BY.has(notificationType);
  return {
    ...unchanged({ ...session, cardPresented }),
    notifications: [notificationType],
    tells: [{ kind: 'terminal_session.notification', state: notificationType }],
  };
}

function approved(
  session: TerminalSession,
  { approval, isSignatureRequired }: Extract<MachineReport, { kind: 'approved' }>,
  hearing: Hearing,
): SessionDecision | null {
  const { now, heading } = hearing;
  if (!isSameAmount(approval.amount, session.total)) return contradicted(session, approval, hearing);
  if (session.status === 'Expired' && hearing.isAttemptOpen) return lateApproval(session, approval, hearing);
  const { via, status } = started(session);
  const toSign = sessionDestination(status, 'askSignature');
  // No signature can be asked for where no result is waited for.
  if (toSign === null) return contradicted(session, approval, hearing);

  const presented = { ...session, cardPresented: true };
  // A refund cannot be taken back from the card, so there is nothing to judge a signature for.
  if (isSignatureRequired && session.sessionType === 'Sale') {
    const waiting = { ...withSlip(presented, approval, heading), expireAt: after(now, hearing.windows.signatureMs) };
    const asked = through(waiting, [...via, toSign], now);
    return {
      ...asked,
      tells: [...asked.tells, { kind: 'terminal_session.signature_verification_required', state: toSign }],
      onAttempt: { kind: 'approved', approval },
    };
  }
  return booked(withApproval(presented, approval, heading), approval, { now, via });
}

/** The cardholder paid though the session had been given up: taken while the attempt is open, the session stays Expired. */
function lateApproval(session: TerminalSession, approval: CardPresentApproval, hearing: Hearing): SessionDecision {
  const taken = withApproval({ ...session, cardPresented: true }, approval, hearing.heading);
  return { ...unchanged(taken), ...takenFrom(taken, approval) };
}

/**
 * An approval over another amount, or after the machine or the acquirer had said that nothing was taken. A sale is undone
 * rather than believed. A refund cannot be undone.
 */
function contradicted(
  session: TerminalSession,
  approval: CardPresentApproval,
  hearing: Hearing,
): SessionDecision | null {
  if (session.sessionType !== 'Sale') return contradictedRefund(session, approval, hearing);
  const { now, isAttemptOpen } = hearing;
  const onAttempt = { kind: 'undo', approval } as const;
  const { via, status } = started(session);
  const to = sessionDestination(status, 'decline');
  if (to !== null) {
    const onIntent = { kind: 'decline', decline: declineOf(approval, 'FAILED') } as const;
    return { ...through(session, [...via, to], now), onIntent, onAttempt };
  }
  // Never the approval that was taken: a second one under the same reference is the machine's confusion alone.
  const isUndone = session.status === 'Expired' && !isAttemptOpen;
  const tookNothing = session.approval === null && TOOK_NOTHING.has(session.status);
  return tookNothing && !isUndone ? { ...unchanged(session), onAttempt } : null;
}

/**
 * A refund that ended without money and is approved after all is booked while the payment has room for it: the money has left,
 * whatever was said before. Where it has no room, and over another amount, an operator has to look. A refund that has not
 * ended stays open over another amount, expires and is listed as pending.
 */
function contradictedRefund(
  session: TerminalSession,
  approval: CardPresentApproval,
  hearing: Hearing,
): SessionDecision | null {
  // A second approval under the same reference is the machine's confusion alone.
  if (session.approval !== null || hearing.endedRefund === 'booked') return null;
  if (!isSameAmount(approval.amount, session.total)) return refundAlarm(session, approval, 'another amount than asked');
  const hasEnded = TOOK_NOTHING.has(session.status) && !(session.status === 'Expired' && hearing.isAttemptOpen);
  if (!hasEnded) return null;
  if (hearing.endedRefund === 'noRoom')
    return refundAlarm(session, approval, 'an amount that the payment has no room for any more');
  const given = withApproval({ ...session, cardPresented: true }, approval, hearing.heading);
  const { entries } = takenFrom(given, approval);
  const onIntent = session.sessionType === 'MatchedRefund' ? ({ kind: 'settleFreedRefund', approval } as const) : null;
  return { ...unchanged(given), entries, onIntent, onAttempt: { kind: 'corrected', approval } };
}

function refundAlarm(session: TerminalSession, approval: CardPresentApproval, what: string): SessionDecision {
  const { amount, transactionId, reference } = approval;
  const message =
    `The card machine approved a refund over ${what} in a session that is ${session.status}. Nothing was booked: ` +
    "compare the acquirer's books with ours.";
  const details = {
    ...{ reference, transactionId, amount: amount.value, currencyCode: amount.currencyCode },
    ...{ total: session.total.value, paymentIntentId: session.paymentIntentId },
  };
  return { ...unchanged(session), alarm: { kind: 'MachineApprovalNotBooked', message, details } };
}

const TOOK_NOTHING: ReadonlySet<SessionStatus> = new Set(['Canceled', 'Declined', 'Expired']);

function declined(session: TerminalSession, result: CardPresentApproval, hearing: Hearing): SessionDecision | null {
  const decline = declineOf(result, 'DECLINED');
  const effects: Pick<SessionDecision, 'onIntent' | 'onAttempt'> = {
    onIntent: session.sessionType === 'Sale' ? { kind: 'decline', decline } : freedRefund(session, decline),
    onAttempt: { kind: 'declined', decline },
  };
  const presented = withDecline({ ...session, cardPresented: true }, result, hearing.heading);
  if (session.status === 'Expired') return hearing.isAttemptOpen ? { ...unchanged(presented), ...effects } : null;
  const { via, status } = started(session);
  const to = sessionDestination(status, 'decline');
  return to === null ? null : { ...through(presented, [...via, to], hearing.now), ...effects };
}

/** Nobody paid: cancelled by our wish, at the machine, or the machine could not begin. */
function ended(session: TerminalSession, move: 'canceled' | 'unable', hearing: Hearing): SessionDecision | null {
  // A machine that did not know the session refuses a start of it. Whether it had run it before, it does not know.
  if (session.isUnknownToMachine) return null;
  const effects: Pick<SessionDecision, 'onIntent' | 'onAttempt'> = {
    onIntent: freedRefund(session, null),
    onAttempt: { kind: 'canceled' },
  };
  if (session.status === 'Expired') return hearing.isAttemptOpen ? { ...unchanged(session), ...effects } : null;
  // A machine that could not begin has not confirmed either.
  const { via, status } = move === 'unable' ? { via: [], status: session.status } : started(session);
  const to = sessionDestination(status, move);
  return to === null ? null : { ...through(session, [...via, to], hearing.now), ...effects };
}

/**
 * The machine does not know the session. One that it was told to cancel and never confirmed has not begun, and never will: it
 * is seconds old, too young for a machine that has run it and restarted. Of an expired one this is half of what frees its
 * refund: the acquirer has to know of none, too.
 */
function sessionUnknown(session: TerminalSession, hearing: Hearing): SessionDecision {
  const hasNotBegun = session.lastReport === 0 && !session.cardPresented;
  if (session.status === 'CancelRequested' && hasNotBegun) {
    return ended(session, 'canceled', hearing) ?? unchanged(session);
  }
  const isAwaited = session.status === 'Expired' && hearing.isAttemptOpen && !session.isUnknownToMachine;
  return unchanged(isAwaited ? { ...session, isUnknownToMachine: true } : session);
}

/** A result says that the machine had begun, should its confirmation not have been heard. */
function started(session: TerminalSession): { readonly via: readonly SessionStatus[]; readonly status: SessionStatus } {
  const isUnconfirmed = session.status === 'InitiateRequested';
  return isUnconfirmed ? { via: ['Initiated'], status: 'Initiated' } : { via: [], status: session.status };
}

function freedRefund(session: TerminalSession, decline: Decline | null): SessionDecision['onIntent'] {
  return session.sessionType === 'MatchedRefund' ? { kind: 'freeRefund', decline } : null;
}

function declineOf(result: CardPresentApproval, message: Decline['message']): Decline {
  const { reference, transactionId, transactionDateTime, card } = result;
  return { reference, transactionId, transactionDateTime, message, card };
}

/**
 * A machine whose session is final stops, and says nothing of it any more. One whose session has expired without a result is
 * asked to end and to say how: stopped, it would keep the outcome to itself.
 */
function withOrder(decision: SessionDecision, { isAttemptOpen }: Hearing): SessionDecision {
  const { session, onAttempt } = decision;
  if (!isFinal(session.status)) return decision;
  const isAwaited =
    session.status === 'Expired' && (onAttempt === null ? isAttemptOpen : onAttempt.kind === 'uncertain');
  return { ...decision, toMachine: isAwaited ? 'cancel' : 'stop' };
}
