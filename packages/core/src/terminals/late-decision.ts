import type { Approval, CardPresentApproval, Decline } from '../cards/card.js';
import type { AcquirerAnswer } from '../acquirer/ports.js';
import { type SessionDecision, type TerminalSession, createUnchangedDecision } from './terminal-session.js';
import { bookUnmadeRefund } from './unmade-refund.js';

/**
 * What the acquirer's answer means for a session whose machine does not report; null if it ends nothing.
 * `isDecided`: an operator has decided to conclude by this answer.
 */
export function decideLate(
  session: TerminalSession,
  answer: AcquirerAnswer,
  { approve, isDecided }: { readonly approve: (approval: Approval) => SessionDecision; readonly isDecided: boolean },
): SessionDecision | null {
  const nothing = createUnchangedDecision({ ...session });
  const isSale = session.sessionType === 'Sale';
  switch (answer.outcome) {
    case 'approved':
      return approve(answer.approval);
    case 'declined':
      return {
        ...nothing,
        onIntent: isSale ? { kind: 'decline', decline: answer.decline } : releaseReservation(session, answer.decline),
        onAttempt: { kind: 'declined', decline: answer.decline },
      };
    case 'reversed':
      return {
        ...nothing,
        onIntent: isSale ? null : releaseReservation(session, null),
        onAttempt: { kind: 'canceled' },
      };
    // A `done` answer has no card, so it is not enough for a receipt: the machine that made the call still has to
    // report. A machine that has lost the session never reports, and an operator may decide not to wait for it.
    case 'done':
      return !isSale && (isDecided || session.isUnknownToMachine) ? bookUnmadeRefund(session) : null;
    case 'challenged':
    case 'inProgress':
    case 'notFound':
    case 'refused':
    case 'alreadyExists':
    case 'accessRefused':
    case 'unknown':
      return null;
  }
}

function releaseReservation(session: TerminalSession, decline: Decline | null): SessionDecision['onIntent'] {
  return session.sessionType === 'MatchedRefund' ? { kind: 'freeRefund', decline } : null;
}

/** The acquirer's answer lacks what only the machine has read from the chip. */
export function toPresentApproval(approval: Approval, merchantId: string): CardPresentApproval {
  return { ...approval, merchantId, aid: null, panSequence: null, cardProduct: null };
}
