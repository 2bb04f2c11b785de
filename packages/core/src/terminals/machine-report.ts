import type { CardDetails, CardPresentApproval, Decline } from '../cards/card.js';
import type { AlarmDetails } from '../operators/alarm.js';
import { isSameAmount } from '../money/money.js';
import {
  bookApproval,
  type SessionContext,
  applyWindowEnd,
  applyApproval,
  withApproval,
  withDecline,
  withSlip,
} from './session-outcome.js';
import type { ApprovalConfirmation } from './machine-approval.js';
import { contradictApproval } from './contradicted-approval.js';
import {
  addApprovalAlarms,
  createGapAlarm,
  createUnbookedRefundAlarm,
  createUnbookedSaleAlarm,
  createUnreadableAlarm,
} from './report-alarms.js';
import { isApproval, isRepeatedReport, isReportAfterGap, isReportPostponed, isResultAwaited } from './report-order.js';
import {
  addWindow,
  CARD_PRESENTED_BY,
  isSessionFinal,
  type NotificationType,
  getNextSessionStatus,
  type SessionDecision,
  type SessionStatus,
  type SessionWindows,
  type TerminalSession,
  passThrough,
  createUnchangedDecision,
} from './terminal-session.js';

/** A card machine's report about a session. Numbers grow from 1; a report is repeated until it is acknowledged. */
export type MachineReport = { readonly number: number } & (
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'notification'; readonly notificationType: NotificationType }
  | {
      readonly kind: 'approved';
      readonly approval: CardPresentApproval;
      readonly isSignatureRequired: boolean;
      /** What could not be read of it, and is filled: the card, the time, the transaction id. */
      readonly missing?: readonly string[];
      /** What the acquirer said of it; absent if it was not asked, or does not know. */
      readonly confirmation?: ApprovalConfirmation;
    }
  /** An approval over an amount that cannot be read, with what can. */
  | { readonly kind: 'unreadableApproval'; readonly problem: string; readonly details: AlarmDetails }
  | { readonly kind: 'declined'; readonly result: CardPresentApproval }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'unable'; readonly reason: string }
  /** The machine never had the session that it was ordered to cancel, or has lost its memory. Always numbered 1. */
  | { readonly kind: 'unknownSession' }
  /** An event that this release does not know. Only its number counts. */
  | { readonly kind: 'unreadable' }
);

/** What a report is checked against beside the session itself. */
export interface ReportContext extends SessionContext {
  readonly windows: SessionWindows;
  /** False once the attempt has ended or its reversal is written: a later result moves nothing. */
  readonly isAttemptOpen: boolean;
  readonly endedCall: EndedCall;
  /** The card of the payment that the session refunds; null if it is not known, and for other sessions. */
  readonly paidCard: CardDetails | null;
}

/**
 * What an approval means for a call that has ended. A refund: its amount is free and can be booked, the payment has no room
 * for it any more, or it is booked already. A sale: it is booked already, or not, which `bookable` and `noRoom` both say.
 * It has no effect while the call is open.
 */
export type EndedCall = 'bookable' | 'noRoom' | 'booked';

/**
 * Applies one report. A repeated report, or one that the state does not allow, changes nothing but the number, and the
 * machine is ordered to stop when the session is final. A report after a gap is postponed, except for an approval: the
 * machine has to repeat everything that was not acknowledged (`isReportPostponed`).
 */
export function applyReport(
  session: TerminalSession,
  report: MachineReport,
  receiving: ReportContext,
): SessionDecision {
  if (report.kind === 'unknownSession') return withOrder(applyUnknownSession(session, receiving), receiving);
  if (isRepeatedReport(session, report, receiving)) return withOrder(createUnchangedDecision(session), receiving);
  if (isReportPostponed(session, report, receiving)) {
    // A missing report may be an approval, so an end without money is not applied before the machine has repeated
    // what it has.
    const postponed = { ...session, postponedReport: report.number };
    return { ...createUnchangedDecision(postponed), alarms: [createGapAlarm(session, report.number)] };
  }
  const hasGap = isReportAfterGap(session, report, receiving);
  const gapAlarms = hasGap && isApproval(report) ? [createGapAlarm(session, report.number)] : [];
  const received = {
    ...session,
    lastReport: Math.max(session.lastReport, report.number),
    // A report that never arrives may have shown the card.
    cardPresented: session.cardPresented || hasGap,
  };
  const decision = decideByKind(received, report, receiving) ?? createUnchangedDecision(received);
  return withOrder({ ...decision, alarms: [...gapAlarms, ...decision.alarms] }, receiving);
}

function decideByKind(
  session: TerminalSession,
  report: Exclude<MachineReport, { kind: 'unknownSession' }>,
  receiving: ReportContext,
): SessionDecision | null {
  switch (report.kind) {
    case 'confirmed':
      return confirmSession(session, receiving);
    case 'notification':
      return applyNotification(session, report.notificationType);
    case 'approved':
      return addApprovalAlarms(approveSession(session, report, receiving), { ...report, session, ...receiving });
    case 'unreadableApproval':
      return suspendSession(session, report, receiving);
    case 'declined':
      return contradictApproval(session, 'declined', receiving) ?? declineSession(session, report.result, receiving);
    case 'canceled':
    case 'unable':
      return contradictApproval(session, report.kind, receiving) ?? endSession(session, report.kind, receiving);
    case 'unreadable':
      return null;
  }
}

/**
 * Money may have moved, and the report does not show how much: the outcome is uncertain. Machine and acquirer are
 * asked at once, as after the end of the window.
 */
function suspendSession(
  session: TerminalSession,
  report: Extract<MachineReport, { kind: 'unreadableApproval' }>,
  receiving: ReportContext,
): SessionDecision {
  const alarms = [createUnreadableAlarm(session, report)];
  const presented = { ...session, cardPresented: true };
  if (!isResultAwaited(session, receiving.isAttemptOpen)) {
    // A sale that had ended without money is undone, as one whose approval can be read.
    const isUndone = session.sessionType === 'Sale' && (session.status === 'Canceled' || session.status === 'Declined');
    return { ...createUnchangedDecision(presented), onAttempt: isUndone ? { kind: 'givenUp' } : null, alarms };
  }
  const { via, status } = ensureStarted(session);
  const to = getNextSessionStatus(status, 'expire');
  // An expired session is asked about already.
  if (to === null) return { ...createUnchangedDecision(presented), alarms };
  return { ...passThrough(presented, [...via, to], receiving.now), onAttempt: { kind: 'uncertain' }, alarms };
}

function confirmSession(session: TerminalSession, receiving: ReportContext): SessionDecision | null {
  // The machine has missed the order to end; it gets it again.
  if (session.status === 'CancelRequested') return { ...createUnchangedDecision(session), toMachine: 'cancel' };
  const status = getNextSessionStatus(session.status, 'confirm');
  if (status === null) return null;
  // Too late, although the timer has not run yet.
  const expired = applyWindowEnd(session, receiving);
  if (expired !== null) return expired;
  const initiated = { ...session, expireAt: addWindow(session.createdAt, receiving.windows.cardMs) };
  return passThrough(initiated, [status], receiving.now);
}

function applyNotification(session: TerminalSession, notificationType: NotificationType): SessionDecision | null {
  if (isSessionFinal(session.status)) return null;
  const cardPresented = session.cardPresented || CARD_PRESENTED_BY.has(notificationType);
  return {
    ...createUnchangedDecision({ ...session, cardPresented }),
    notifications: [notificationType],
    webhookEvents: [{ kind: 'terminal_session.notification', state: notificationType }],
  };
}

function approveSession(
  session: TerminalSession,
  { approval, isSignatureRequired, confirmation }: Extract<MachineReport, { kind: 'approved' }>,
  receiving: ReportContext,
): SessionDecision | null {
  const { now, heading } = receiving;
  if (!isSameAmount(approval.amount, session.total)) return applyContradiction(session, approval, receiving);
  if (confirmation?.outcome === 'denied') return denyApproval(session, approval, receiving);
  if (session.status === 'Expired' && receiving.isAttemptOpen) return applyLateApproval(session, approval, receiving);
  const { via, status } = ensureStarted(session);
  const toSign = getNextSessionStatus(status, 'askSignature');
  // No signature can be requested if no result is awaited.
  if (toSign === null) return applyContradiction(session, approval, receiving);

  const presented = { ...session, cardPresented: true };
  // A refund cannot be taken back from the card, so its signature is not checked.
  if (isSignatureRequired && session.sessionType === 'Sale') {
    const waiting = {
      ...withSlip(presented, approval, heading),
      expireAt: addWindow(now, receiving.windows.signatureMs),
    };
    const asked = passThrough(waiting, [...via, toSign], now);
    return {
      ...asked,
      webhookEvents: [
        ...asked.webhookEvents,
        { kind: 'terminal_session.signature_verification_required', state: toSign },
      ],
      onAttempt: { kind: 'approved', approval },
    };
  }
  return bookApproval(withApproval(presented, approval, heading), approval, { now, via });
}

/**
 * The cardholder paid although the session had been given up. The money is taken while the attempt is open; the
 * session stays Expired.
 */
function applyLateApproval(
  session: TerminalSession,
  approval: CardPresentApproval,
  receiving: ReportContext,
): SessionDecision {
  const taken = withApproval({ ...session, cardPresented: true }, approval, receiving.heading);
  return { ...createUnchangedDecision(taken), ...applyApproval(taken, approval) };
}

/**
 * The acquirer does not have the approval. A sale is undone, in case it has it all the same. A refund cannot be undone:
 * its outcome is uncertain, and its amount stays reserved until machine and acquirer agree.
 */
function denyApproval(
  session: TerminalSession,
  approval: CardPresentApproval,
  receiving: ReportContext,
): SessionDecision | null {
  if (session.sessionType === 'Sale') {
    const decision = applyContradiction(session, approval, receiving);
    // The answer of the acquirer has an alarm of its own.
    return decision === null ? null : { ...decision, alarms: [] };
  }
  if (!isResultAwaited(session, receiving.isAttemptOpen)) return createUnchangedDecision({ ...session });
  const { via, status } = ensureStarted(session);
  const to = getNextSessionStatus(status, 'expire');
  const presented = { ...session, cardPresented: true };
  if (to === null) return createUnchangedDecision(presented);
  return { ...passThrough(presented, [...via, to], receiving.now), onAttempt: { kind: 'uncertain' } };
}

/**
 * An approval over another amount, or after the machine or the acquirer had reported that nothing was taken. A sale
 * is undone. A refund cannot be undone. Money that is not booked is in no row, so an alarm names it.
 */
function applyContradiction(
  session: TerminalSession,
  approval: CardPresentApproval,
  receiving: ReportContext,
): SessionDecision | null {
  const isOtherAmount = !isSameAmount(approval.amount, session.total);
  if (session.sessionType !== 'Sale') return bookContradictedRefund(session, approval, receiving);
  const { now, isAttemptOpen } = receiving;
  const onAttempt = { kind: 'undo', approval } as const;
  const { via, status } = ensureStarted(session);
  const to = getNextSessionStatus(status, 'decline');
  if (to !== null) {
    const onIntent = { kind: 'decline', decline: declineOf(approval, 'FAILED') } as const;
    const alarms = [createUnbookedSaleAlarm(session, approval)];
    return { ...passThrough(session, [...via, to], now), onIntent, onAttempt, alarms };
  }
  // The approval that was taken is never undone: a second one under the same reference is only an error of the machine.
  const isTaken = session.approval !== null || receiving.endedCall === 'booked';
  if (isTaken && !isOtherAmount) return null;
  const alarms = [createUnbookedSaleAlarm(session, approval, { isTaken })];
  const isUndone = session.status === 'Expired' && !isAttemptOpen;
  const tookNothing = !isTaken && TOOK_NOTHING.has(session.status);
  return { ...createUnchangedDecision(session), ...(tookNothing && !isUndone && { onAttempt }), alarms };
}

/**
 * A refund that ended without money and is approved after all is booked while the payment has room for it: the money
 * has left, regardless of earlier reports. Without room, or over another amount, an operator has to check. A refund
 * that has not ended stays open over another amount, expires and is listed as pending.
 */
function bookContradictedRefund(
  session: TerminalSession,
  approval: CardPresentApproval,
  receiving: ReportContext,
): SessionDecision | null {
  const raise = (problem: string): SessionDecision => ({
    ...createUnchangedDecision(session),
    alarms: [createUnbookedRefundAlarm(session, approval, problem)],
  });
  if (!isSameAmount(approval.amount, session.total)) return raise('another amount than asked');
  // A second approval under the same reference is only an error of the machine.
  if (session.approval !== null || receiving.endedCall === 'booked') return null;
  const hasEnded = TOOK_NOTHING.has(session.status) && !(session.status === 'Expired' && receiving.isAttemptOpen);
  if (!hasEnded) return null;
  if (receiving.endedCall === 'noRoom') return raise('an amount that the payment has no room for any more');
  const given = withApproval({ ...session, cardPresented: true }, approval, receiving.heading);
  const { entries } = applyApproval(given, approval);
  const onIntent =
    session.sessionType === 'MatchedRefund' ? ({ kind: 'concludeFreedRefund', approval } as const) : null;
  return { ...createUnchangedDecision(given), entries, onIntent, onAttempt: { kind: 'corrected', approval } };
}

const TOOK_NOTHING: ReadonlySet<SessionStatus> = new Set(['Canceled', 'Declined', 'Expired']);

function declineSession(
  session: TerminalSession,
  result: CardPresentApproval,
  receiving: ReportContext,
): SessionDecision | null {
  const decline = declineOf(result, 'DECLINED');
  const effects: Pick<SessionDecision, 'onIntent' | 'onAttempt'> = {
    onIntent: session.sessionType === 'Sale' ? { kind: 'decline', decline } : releaseRefund(session, decline),
    onAttempt: { kind: 'declined', decline },
  };
  const presented = withDecline({ ...session, cardPresented: true }, result, receiving.heading);
  if (session.status === 'Expired')
    return receiving.isAttemptOpen ? { ...createUnchangedDecision(presented), ...effects } : null;
  const { via, status } = ensureStarted(session);
  const to = getNextSessionStatus(status, 'decline');
  return to === null ? null : { ...passThrough(presented, [...via, to], receiving.now), ...effects };
}

/** The session ended unpaid: cancelled on our request, cancelled at the machine, or the machine could not begin. */
function endSession(
  session: TerminalSession,
  move: 'canceled' | 'unable',
  receiving: ReportContext,
): SessionDecision | null {
  // A machine without the session refuses its start. It cannot report whether it had run the session before.
  if (session.isUnknownToMachine) return null;
  const effects: Pick<SessionDecision, 'onIntent' | 'onAttempt'> = {
    onIntent: releaseRefund(session, null),
    onAttempt: { kind: 'canceled' },
  };
  if (session.status === 'Expired')
    return receiving.isAttemptOpen ? { ...createUnchangedDecision(session), ...effects } : null;
  // A machine that could not begin has not confirmed either.
  const { via, status } = move === 'unable' ? { via: [], status: session.status } : ensureStarted(session);
  const to = getNextSessionStatus(status, move);
  return to === null ? null : { ...passThrough(session, [...via, to], receiving.now), ...effects };
}

/**
 * The machine has no such session. If it was ordered to cancel and never confirmed, the session has not begun and
 * never will: it is seconds old, too young for a machine that has run it and restarted. For an expired session this
 * is one of two conditions that free its refund: the acquirer has to report that it is unknown, too.
 */
function applyUnknownSession(session: TerminalSession, receiving: ReportContext): SessionDecision {
  const hasNotBegun = session.lastReport === 0 && !session.cardPresented;
  if (session.status === 'CancelRequested' && hasNotBegun) {
    return endSession(session, 'canceled', receiving) ?? createUnchangedDecision(session);
  }
  const isAwaited = session.status === 'Expired' && receiving.isAttemptOpen && !session.isUnknownToMachine;
  return createUnchangedDecision(isAwaited ? { ...session, isUnknownToMachine: true } : session);
}

/** A result proves that the machine had begun, even if its confirmation has not arrived. */
function ensureStarted(session: TerminalSession): {
  readonly via: readonly SessionStatus[];
  readonly status: SessionStatus;
} {
  const isUnconfirmed = session.status === 'InitiateRequested';
  return isUnconfirmed ? { via: ['Initiated'], status: 'Initiated' } : { via: [], status: session.status };
}

function releaseRefund(session: TerminalSession, decline: Decline | null): SessionDecision['onIntent'] {
  return session.sessionType === 'MatchedRefund' ? { kind: 'freeRefund', decline } : null;
}

function declineOf(result: CardPresentApproval, message: Decline['message']): Decline {
  const { reference, transactionId, acquirerTransactionId, transactionDateTime, card } = result;
  return {
    ...{ reference, transactionId, transactionDateTime, message, card },
    ...(acquirerTransactionId !== undefined && { acquirerTransactionId }),
  };
}

/**
 * A machine whose session is final stops and reports nothing more. If the session has expired without a result, the
 * machine is ordered to end it and to report the end; after an order to stop it would not report the outcome.
 */
function withOrder(decision: SessionDecision, { isAttemptOpen }: ReportContext): SessionDecision {
  const { session, onAttempt } = decision;
  if (!isSessionFinal(session.status)) return decision;
  const isAwaited =
    session.status === 'Expired' && (onAttempt === null ? isAttemptOpen : onAttempt.kind === 'uncertain');
  return { ...decision, toMachine: isAwaited ? 'cancel' : 'stop' };
}
