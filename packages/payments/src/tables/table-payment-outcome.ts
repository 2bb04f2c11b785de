import {
  findReversalRequestedAt,
  getAuthorisationState,
  getCallMerchant,
  listPaymentEvents,
  lockIntent,
} from '@pos/store/payments';
import type { PaymentIntent } from '@pos/core/payment-intents';
import {
  ALARM_AFTER_MS,
  isMoneyCertain,
  type Lease,
  type Requestor,
  type TablePayment,
  type TablePaymentInput,
} from '@pos/core/tables';
import { isSessionFinal, type SessionStatus, type TerminalSession } from '@pos/core/terminals';
import { requireValue } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { findTerminal, findTerminalSession } from '@pos/store/terminals';
import { isLeaseOver } from './leases.js';
import { encodeRecordMessage } from './record-message.js';

/**
 * The state of the card side of a payment at a table. `due`: it is over, and its money was not returned for a
 * minute.
 */
export type CardOutcome =
  | Extract<TablePaymentInput, { kind: 'ended' }>
  | { readonly kind: 'taken'; readonly intent: PaymentIntent }
  | { readonly kind: 'due'; readonly note: string }
  | null;

/**
 * Reads the result of the card side of a payment; null while it is open. A session that expired may still bring an
 * approval, and money is certainly returned only when the acquirer has confirmed it. The intent is locked first, in
 * the order of the machine's reports: otherwise an approval that commits between two reads would show a session that
 * is over and an unpaid intent.
 */
export async function readCardOutcome(tx: Tx, payment: TablePayment): Promise<CardOutcome> {
  const { intent } = requireValue(
    await lockIntent(tx, requireValue(payment.intentId, 'the intent')),
    'the intent of a payment',
  );
  if (intent.status === 'Authorized' || intent.status === 'Captured') return { kind: 'taken', intent };
  const reason = await findEndReason(tx, payment, intent);
  if (reason === null) return null;
  if (isMoneyCertain(await getAuthorisationState(tx, intent.id))) return { kind: 'ended', reason };
  const orderedAt = await findReversalRequestedAt(tx, intent.id);
  const isOverdue = orderedAt !== null && tx.databaseNow.getTime() - orderedAt.getTime() >= ALARM_AFTER_MS;
  return isOverdue ? REVERSAL_OVERDUE : null;
}

const REVERSAL_OVERDUE = {
  kind: 'due',
  note: 'the acquirer has not acknowledged that the money of the card is back',
} as const;

export type EndReason = Extract<TablePaymentInput, { kind: 'ended' }>['reason'];

/** How the card side of an unpaid intent has ended; null while it has not. */
async function findEndReason(tx: Tx, payment: TablePayment, intent: PaymentIntent): Promise<EndReason | null> {
  const end = getIntentEndReason(intent);
  if (end !== null || payment.terminalSessionId === null) return end;
  return getSessionEndReason(
    requireValue(await findTerminalSession(tx, payment.terminalSessionId), 'the session of a payment'),
  );
}

/** How an unpaid intent has ended; null while it has not. */
export function getIntentEndReason(intent: Pick<PaymentIntent, 'status' | 'updatedAt' | 'expireAt'>): EndReason | null {
  // Undone before the table received it: a refused signature, or a call of the payments API.
  if (intent.status === 'Reversed' || intent.status === 'Refunded') return 'declined';
  if (intent.status === 'Canceled') return intent.updatedAt >= intent.expireAt ? 'expired' : 'cancelled';
  return null;
}

/** How a card session without money has ended; null while it has not. */
export function getSessionEndReason({ status }: Pick<TerminalSession, 'status'>): EndReason | null {
  return isSessionFinal(status) ? (REASONS[status] ?? 'declined') : null;
}

const REASONS: Partial<Record<SessionStatus, EndReason>> = {
  Canceled: 'cancelled',
  Expired: 'expired',
};

/** The approval as an input of the payment: with the message to send, and whether the lock has to be taken again. */
export async function buildApprovalInput(
  reader: Reader,
  payment: TablePayment,
  context: {
    readonly intent: PaymentIntent;
    readonly lease: Lease | null;
    readonly requestor: Requestor;
  },
): Promise<TablePaymentInput> {
  const { intent, lease, requestor } = context;
  const { reference } = requireValue(intent.paymentDetails, 'how the payment was taken');
  const [session, { merchantId }] = await Promise.all([
    payment.terminalSessionId === null ? null : findTerminalSession(reader, payment.terminalSessionId),
    getCallMerchant(reader, reference),
  ]);
  const terminal = session === null ? null : await findTerminal(reader, session.terminalId);
  const events = session === null ? await listPaymentEvents(reader, intent.id) : [];
  const message = encodeRecordMessage({
    paymentId: payment.id,
    sessionId: payment.sessionId,
    requestor,
    intent,
    merchantId,
    tid: terminal?.tid ?? null,
    hasPassedChallenge: events.some(({ eventType }) => eventType === 'AuthChallenged'),
  });
  return { kind: 'approved', message, mustLock: lease === null || isLeaseOver(lease) || !lease.eposLocked };
}
