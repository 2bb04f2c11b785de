import type { Approval, CardPresentApproval, Decline } from '@pos/core/card';
import type { AcquirerAnswer } from '@pos/core/ports';
import { type SessionDecision, unchanged } from '@pos/core/terminal-session';
import { bookRefund } from '@pos/core/unmade-refund';
import type { HeldSession } from './session-effects.js';

/**
 * What the acquirer's answer means for a session whose machine is silent; null where it ends nothing. `isDecided`: an
 * operator has decided to settle by it.
 */
export function lateDecision(
  held: HeldSession,
  answer: AcquirerAnswer,
  { approve, isDecided }: { readonly approve: (approval: Approval) => SessionDecision; readonly isDecided: boolean },
): SessionDecision | null {
  const nothing = unchanged({ ...held.session });
  const isSale = held.session.sessionType === 'Sale';
  switch (answer.outcome) {
    case 'approved':
      return approve(answer.approval);
    case 'declined':
      return {
        ...nothing,
        onIntent: isSale ? { kind: 'decline', decline: answer.decline } : freed(held, answer.decline),
        onAttempt: { kind: 'declined', decline: answer.decline },
      };
    case 'reversed':
      return { ...nothing, onIntent: isSale ? null : freed(held, null), onAttempt: { kind: 'canceled' } };
    // A yes without a card says too little to print; the machine that made the call still has to report. One that does not
    // know the session any more never will, and an operator may decide not to wait for it.
    case 'done':
      return !isSale && (isDecided || held.session.isUnknownToMachine) ? bookRefund(held.session) : null;
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

function freed({ session }: HeldSession, decline: Decline | null): SessionDecision['onIntent'] {
  return session.sessionType === 'MatchedRefund' ? { kind: 'freeRefund', decline } : null;
}

/** The acquirer does not tell what only the machine has read from the chip. */
export function presented(approval: Approval, merchantId: string): CardPresentApproval {
  return { ...approval, merchantId, aid: null, panSequence: null, cardProduct: null };
}
