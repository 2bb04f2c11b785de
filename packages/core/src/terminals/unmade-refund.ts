import { refundEntry } from '../ledger/ledger.js';
import { type SessionDecision, type TerminalSession, createUnchangedDecision } from './terminal-session.js';

/** How often in a row, each time after a wait, the acquirer has to know nothing of a refund that its machine does not know either. */
export const NOT_FOUND_NEEDED = 3;

/**
 * Whether a refund was certainly not made, and never will be: its session has expired, the machine does not know the session
 * and so refuses a later start of it, no card was presented as far as it ever said, and the acquirer has answered often enough
 * since that it knows of no such refund. Either alone proves nothing: a machine can lose its memory, and an acquirer can be
 * late.
 */
export function isCertainlyUnmade(session: TerminalSession, notFoundCount: number): boolean {
  const { sessionType, status, isUnknownToMachine, cardPresented } = session;
  const isOpenRefund = sessionType !== 'Sale' && status === 'Expired';
  return isOpenRefund && isUnknownToMachine && !cardPresented && notFoundCount >= NOT_FOUND_NEEDED;
}

/** A refund that was not made: its reservation is free again. The session stays Expired. */
export function releaseUnmadeRefund(session: TerminalSession): SessionDecision {
  const onIntent = session.sessionType === 'MatchedRefund' ? ({ kind: 'freeRefund', decline: null } as const) : null;
  return { ...createUnchangedDecision({ ...session }), onIntent, onAttempt: { kind: 'canceled' } };
}

/** A refund that was made, as an operator has seen in the acquirer's books. The session stays Expired. */
export function bookUnmadeRefund(session: TerminalSession): SessionDecision {
  const isMatched = session.sessionType === 'MatchedRefund';
  return {
    ...createUnchangedDecision({ ...session }),
    entries: isMatched ? [] : [refundEntry(session.acquirerReference, session.total)],
    onIntent: isMatched ? { kind: 'settleRefund', approval: null } : null,
    onAttempt: { kind: 'booked' },
  };
}
