import { refundEntry } from '../ledger/ledger.js';
import { type SessionDecision, type TerminalSession, createUnchangedDecision } from './terminal-session.js';

/**
 * How many inquiries in a row, with waits between them, have to find nothing of a refund that its machine does not
 * have either.
 */
export const NOT_FOUND_NEEDED = 3;

/**
 * Whether a refund was certainly not made, and never will be. All must hold: the session has expired; the machine
 * has reported that it has no such session, so it refuses a later start; no card was presented in any report; and
 * enough inquiries since then found no such refund at the acquirer. One condition alone proves nothing: a machine
 * can lose its memory, and an acquirer can be late.
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
    onIntent: isMatched ? { kind: 'bookRefund', approval: null } : null,
    onAttempt: { kind: 'booked' },
  };
}
