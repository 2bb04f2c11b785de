import { type CardPresentApproval, formatMaskedPan } from '../cards/card.js';
import { refundEntry } from '../ledger/ledger.js';
import { sum } from '../money/money.js';
import { createReceipt, type ReceiptHeading, type ReceiptSubject } from '../receipts/receipt.js';
import { Refusal } from '../refusals/refusal.js';
import {
  createAttemptTransaction,
  toPlainDraft,
  type TransactionChange,
  createUnlistedTransaction,
} from '../ledger/transaction.js';
import {
  getNextSessionStatus,
  type SessionDecision,
  type SessionStatus,
  type TerminalSession,
  passThrough,
} from './terminal-session.js';

/** The time, and the heading of the copies. */
export interface SessionContext {
  readonly now: Date;
  readonly heading: ReceiptHeading;
}

/** The merchant has compared the signature with the card. */
export function decideSignature(session: TerminalSession, isAccepted: boolean, at: SessionContext): SessionDecision {
  const { approval } = session;
  const status = getNextSessionStatus(session.status, isAccepted ? 'accept' : 'reject');
  if (status === null || approval === null) {
    throw new Refusal('signature_not_awaited', `the session is ${session.status}`);
  }
  if (!isAccepted) {
    return {
      ...passThrough({ ...session, signatureDecision: 'Rejected' }, [status], at.now),
      onIntent: { kind: 'rejectSignature', approval },
      onAttempt: { kind: 'undo', approval },
      toMachine: 'signature',
    };
  }
  const customerReceipt = createReceipt('customer', toReceiptSubject(session, approval, { heading: at.heading }));
  const accepted = { ...session, customerReceipt, signatureDecision: 'Accepted' } as const;
  return { ...bookApproval(accepted, approval, { now: at.now, via: [status] }), toMachine: 'signature' };
}

/** A window has passed: of the machine, the cardholder or the signature. Null when none has. */
export function applyWindowEnd(session: TerminalSession, at: SessionContext): SessionDecision | null {
  if (at.now < session.expireAt) return null;
  // A merchant who does not answer for the whole window has accepted the signature.
  if (session.status === 'SignatureVerificationRequired') return decideSignature(session, true, at);
  const status = getNextSessionStatus(session.status, 'expire');
  if (status === null) return null;
  return {
    ...passThrough(session, [status], at.now),
    onAttempt: { kind: 'uncertain' },
    // A machine that never confirmed must not begin now; a machine that runs it has to end. Both report how it
    // ended.
    toMachine: 'cancel',
  };
}

/** The money is taken, held or given back, and the attempt is over. */
export function bookApproval(
  session: TerminalSession,
  approval: CardPresentApproval,
  { now, via }: { readonly now: Date; readonly via: readonly SessionStatus[] },
): SessionDecision {
  const status = session.capture ? 'Captured' : 'Authorized';
  return { ...passThrough(session, [...via, status], now), ...applyApproval(session, approval) };
}

/** The effect of an approval on the intent, the books and the attempt, independent of the session's status. */
export function applyApproval(
  session: TerminalSession,
  approval: CardPresentApproval,
): Pick<SessionDecision, 'entries' | 'onIntent' | 'onAttempt'> {
  const onAttempt = { kind: 'settled', approval } as const;
  switch (session.sessionType) {
    case 'Sale':
      return { entries: [], onIntent: { kind: 'approve', approval }, onAttempt };
    case 'MatchedRefund':
      return { entries: [], onIntent: { kind: 'bookRefund', approval }, onAttempt };
    case 'UnlinkedRefund':
      return { entries: [refundEntry(session.acquirerReference, session.total)], onIntent: null, onAttempt };
  }
}

/** The listing of a refund without a payment, which no intent contains. */
export function listUnlinkedTransactions({ session, onAttempt }: SessionDecision): TransactionChange[] {
  if (session.sessionType !== 'UnlinkedRefund') return [];
  const line = { type: 'Refund', amounts: toPlainDraft(session.total) } as const;
  if (onAttempt?.kind === 'settled' || onAttempt?.kind === 'corrected')
    return [createAttemptTransaction(onAttempt.approval, { ...line, status: 'Authorized' })];
  if (onAttempt?.kind === 'booked')
    return [createUnlistedTransaction(session.acquirerReference, { ...line, status: 'Authorized' })];
  if (onAttempt?.kind === 'declined')
    return [createAttemptTransaction(onAttempt.decline, { ...line, status: 'Declined' })];
  return [];
}

/** The session with the card that was used and both copies of its receipt. */
export function withApproval(
  session: TerminalSession,
  approval: CardPresentApproval,
  heading: ReceiptHeading,
): TerminalSession {
  const subject = toReceiptSubject(session, approval, { heading });
  return {
    ...withCard(session, approval),
    approval,
    customerReceipt: createReceipt('customer', subject),
    merchantReceipt: createReceipt('merchant', subject),
  };
}

/** The session with the slip to be signed; the customer's copy is created after the merchant's decision. */
export function withSlip(
  session: TerminalSession,
  approval: CardPresentApproval,
  heading: ReceiptHeading,
): TerminalSession {
  const subject = toReceiptSubject(session, approval, { heading, isSignatureWanted: true });
  return { ...withCard(session, approval), approval, merchantReceipt: createReceipt('merchant', subject) };
}

/** The session with the declined card and both copies of the decline. */
export function withDecline(
  session: TerminalSession,
  result: CardPresentApproval,
  heading: ReceiptHeading,
): TerminalSession {
  const subject = toReceiptSubject(session, result, { heading, isApproved: false });
  return {
    ...withCard(session, result),
    customerReceipt: createReceipt('customer', subject),
    merchantReceipt: createReceipt('merchant', subject),
  };
}

function withCard(session: TerminalSession, { card, authCode }: CardPresentApproval): TerminalSession {
  return { ...session, paymentDetails: { cardScheme: card.cardType, maskedPan: formatMaskedPan(card), authCode } };
}

function toReceiptSubject(
  session: TerminalSession,
  approval: CardPresentApproval,
  print: { readonly heading: ReceiptHeading; readonly isApproved?: boolean; readonly isSignatureWanted?: boolean },
): ReceiptSubject {
  const { base, tips, cashback, serviceCharge } = session.parts;
  return {
    heading: print.heading,
    approval,
    isApproved: print.isApproved ?? true,
    isSignatureWanted: print.isSignatureWanted ?? false,
    kind: session.sessionType === 'Sale' ? (session.capture ? 'sale' : 'preAuthorisation') : 'refund',
    sessionId: session.id,
    // The receipt has no line for a service charge: it is part of the price.
    amount: sum([base, serviceCharge], base.currencyCode),
    gratuity: tips,
    cashback,
  };
}
