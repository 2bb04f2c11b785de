import type { Approval, CardPresentApproval, Decline } from '@pos/core/card';
import type { AcquirerAnswer } from '@pos/core/ports';
import { type SessionDecision, unchanged } from '@pos/core/terminal-session';
import type { HeldSession } from './session-effects.js';

/** What the acquirer's word means for a session whose machine is silent; null where it ends nothing. */
export function lateDecision(
  held: HeldSession,
  answer: AcquirerAnswer,
  approve: (approval: Approval) => SessionDecision,
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
    // A yes without a card says too little to print and to book; the machine that made the call still has to tell.
    case 'done':
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
