import type { CardDetails } from '../cards/card.js';
import type { SessionAlarm, TerminalSession } from './terminal-session.js';

/** What is visible of a card. */
type ShownCard = Pick<CardDetails, 'cardNumber' | 'last4PAN' | 'cardType'>;

/**
 * The facts that show that two descriptions are of different cards. Only what both show is compared: machines and
 * acquirers mask differently, and a phone has a number of its own.
 */
function listCardDifferences(first: ShownCard, second: ShownCard): string[] {
  const differences: Record<string, boolean> = {
    'last four digits': isOther(first.last4PAN, second.last4PAN),
    'first digits': isOtherBeginning(findFirstDigits(first), findFirstDigits(second)),
    scheme: first.cardType !== 'UNKNOWN' && second.cardType !== 'UNKNOWN' && first.cardType !== second.cardType,
  };
  return Object.keys(differences).filter((name) => differences[name]);
}

/** The alarm about a refund of a payment that went to another card than the payment's; null if nothing shows that. */
export function findOtherCardAlarm(
  session: TerminalSession,
  { paid, refunded }: { readonly paid: CardDetails | null; readonly refunded: CardDetails },
): SessionAlarm | null {
  if (session.sessionType !== 'MatchedRefund' || paid === null) return null;
  const differences = listCardDifferences(paid, refunded);
  if (differences.length === 0) return null;
  return {
    kind: 'RefundToOtherCard',
    message:
      `A card machine refunded a payment to another card (${differences.join(', ')}). The refund is booked, because ` +
      'the money has left: find out who presented the card.',
    details: {
      ...{ paymentIntentId: session.paymentIntentId, amount: session.total.value },
      ...{ currencyCode: session.total.currencyCode, paidLast4: paid.last4PAN, refundedLast4: refunded.last4PAN },
      ...{ paidScheme: paid.cardType, refundedScheme: refunded.cardType },
    },
  };
}

function isOther(first: string, second: string): boolean {
  return first !== '' && second !== '' && first !== second;
}

/** The digits before the mask; empty if none are visible. */
export function findFirstDigits({ cardNumber }: Pick<CardDetails, 'cardNumber'>): string {
  return /^\d+/.exec(cardNumber)?.[0] ?? '';
}

function isOtherBeginning(first: string, second: string): boolean {
  const length = Math.min(first.length, second.length);
  return first.slice(0, length) !== second.slice(0, length);
}
