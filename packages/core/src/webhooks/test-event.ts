import {
  BOOKING_EVENT_KINDS,
  CHARGE_EVENT_KINDS,
  type EventKind,
  PAYMENT_AMOUNT_EVENT_KINDS,
  PAYMENT_INTENT_EVENT_KINDS,
  type TerminalSessionEventKind,
} from '../events/event-kind.js';
import type { PaymentIntentId, TerminalId, TerminalSessionId } from '../identity/identity.js';
import { money } from '../money/money.js';
import {
  createBookingEvent,
  createPaymentAmountEvent,
  createPaymentIntentEvent,
  type Envelope,
  type EventHead,
} from './event.js';

/** Ids of what a test event is about. They name nothing. */
export interface TestEventSubjects {
  readonly intentId: PaymentIntentId;
  readonly sessionId: TerminalSessionId;
  readonly terminalId: TerminalId;
}

const AMOUNT = money(1_250, 'GBP');
const INTENT = { captureMode: 'Auto', captured: AMOUNT, refunded: money(0, 'GBP') } as const;
const SESSION_MS = 90_000;

/** An event of the kind with every member that its kind always has, about a sale of 12.50 GBP that never was. */
export function createTestEvent(head: EventHead<EventKind>, subjects: TestEventSubjects): Envelope {
  const { kind } = head;
  const intent = { ...INTENT, id: subjects.intentId };
  if (isOneOf(PAYMENT_INTENT_EVENT_KINDS, kind)) {
    const status = kind === 'payment_intent.created' ? 'Created' : 'Captured';
    return createPaymentIntentEvent({ ...head, kind }, { ...intent, status });
  }
  if (isOneOf(BOOKING_EVENT_KINDS, kind)) return createBookingEvent({ ...head, kind }, TEST_BOOKING);
  if (isOneOf(CHARGE_EVENT_KINDS, kind))
    return createPaymentIntentEvent({ ...head, kind }, { ...intent, status: 'Created' });
  if (isOneOf(PAYMENT_AMOUNT_EVENT_KINDS, kind)) {
    const refunded = kind === 'payment_intent.amount_refunded' ? AMOUNT : INTENT.refunded;
    return createPaymentAmountEvent({ ...head, kind }, { ...intent, refunded, status: 'Captured' }, MOVEMENT);
  }
  const { id, accountId } = head;
  const createdAt = head.createdAt.toISOString();
  const { intentId: paymentIntentId, sessionId: terminalSessionId, terminalId } = subjects;
  const data = {
    ...{ terminalSessionId, state: SESSION_STATES[kind], terminalId, createdAt, updatedAt: createdAt },
    expireAt: new Date(head.createdAt.getTime() + SESSION_MS).toISOString(),
    ...({ sessionType: 'Sale', paymentIntentId } as const),
  };
  return { id, event: kind, accountId, createdAt, data };
}

/** The id of a booking that no EPOS has. */
const TEST_BOOKING = 'test';

/** The movement has no id of its own, as that of a card machine. */
const MOVEMENT = { reference: '', amount: AMOUNT };

const SESSION_STATES = {
  'terminal_session.created': 'InitiateRequested',
  'terminal_session.status_updated': 'Initiated',
  'terminal_session.signature_verification_required': 'SignatureVerificationRequired',
  'terminal_session.notification': 'PresentCard',
} as const satisfies Record<TerminalSessionEventKind, string>;

function isOneOf<K extends EventKind>(kinds: readonly K[], kind: EventKind): kind is K {
  return kinds.some((each) => each === kind);
}
