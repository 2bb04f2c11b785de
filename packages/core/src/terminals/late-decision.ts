import type { Approval, CardPresentApproval, Decline } from '../cards/card.js';
import type { AcquirerAnswer } from '../acquirer/ports.js';
import { type SessionDecision, type TerminalSession, createUnchangedDecision } from './terminal-session.js';
import { bookUnmadeRefund } from './unmade-refund.js';

/**
 * What the acquirer's answer means for a session whose machine is silent; null where it ends nothing. `isDecided`: an
 * operator has decided to settle by it.
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
    // A yes without a card says too little to print; the machine that made the call still has to report. One that does not
    // know the session any more never will, and an operator may decide not to wait for it.
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

/** The acquirer does not tell what only the machine has read from the chip. */
export function toPresentApproval(approval: Approval, merchantId: string): CardPresentApproval {
  return { ...approval, merchantId, aid: null, panSequence: null, cardProduct: null };
}
