import type { EventKind } from '@pos/core/events';
import type { Envelope } from '@pos/core/webhooks';
import type { TerminalSessionId, Scope, PaymentIntentId } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { randomBytes } from 'crypto';

export const KIND: EventKind = 'terminal_session.notification';

export function createSessionEvent(session: TerminalSessionId, number: number): Envelope {
  const at = '2026-03-01T12:00:00.000Z';
  return {
    id: createId('event', 'sandbox', Buffer.from(`${session.slice(-11)}${String(number).padStart(5, '0')}`)),
    event: KIND,
    accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA',
    createdAt: at,
    data: {
      terminalSessionId: session,
      state: 'EnterPin',
      terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
      createdAt: at,
      updatedAt: at,
      expireAt: at,
      sessionType: 'Sale',
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: String(number) },
    },
  };
}
export function createIntentEvent(scope: Scope, paymentIntentId: PaymentIntentId): Envelope {
  return {
    id: createId('event', 'sandbox', randomBytes(16)),
    event: 'payment_intent.status_updated',
    accountId: scope.accountId,
    createdAt: '2026-03-01T12:00:00.000Z',
    data: { paymentIntentId, paymentStatus: 'Captured', captureMode: 'Auto' },
  };
}
