import { assert } from './assert.js';
import type { CardType } from './card.js';
import type { EventKind, PaymentIntentEventKind, TerminalSessionEventKind } from './event-kind.js';
import type { AccountId, EventId, PaymentIntentId, TerminalId, TerminalSessionId } from './identity.js';
import type { CaptureMode, PaymentIntent, PaymentIntentStatus } from './payment-intent.js';
import type { NotificationType, SessionStatus, SessionType, TerminalSession } from './terminal-session.js';

/** What is delivered; times are ISO 8601 text, because a body is made once and never read back. */
export interface Envelope<K extends EventKind = EventKind, D extends EventSubject = EventSubject> {
  readonly id: EventId;
  readonly event: K;
  readonly accountId: AccountId;
  readonly createdAt: string;
  readonly data: D;
}

export interface PaymentIntentEventData {
  readonly paymentIntentId: PaymentIntentId;
  readonly paymentStatus: PaymentIntentStatus;
  readonly captureMode: CaptureMode;
}

export interface TerminalSessionEventData {
  readonly terminalSessionId: TerminalSessionId;
  readonly state: SessionStatus | NotificationType;
  readonly terminalId: TerminalId;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expireAt: string;
  readonly sessionType: SessionType;
  readonly paymentIntentId?: PaymentIntentId;
  readonly paymentDetails?: {
    readonly cardScheme: CardType;
    readonly maskedPan: string;
    readonly authCode?: string;
  };
}

export type EventSubject = PaymentIntentEventData | TerminalSessionEventData;
export type PaymentIntentEnvelope = Envelope<PaymentIntentEventKind, PaymentIntentEventData>;
export type TerminalSessionEnvelope = Envelope<TerminalSessionEventKind, TerminalSessionEventData>;

/** What every event needs beside its subject. */
export interface EventHead<K extends EventKind> {
  readonly id: EventId;
  readonly kind: K;
  readonly accountId: AccountId;
  readonly createdAt: Date;
}

export function paymentIntentEvent(
  head: EventHead<PaymentIntentEventKind>,
  intent: Pick<PaymentIntent, 'id' | 'status' | 'captureMode'>,
): PaymentIntentEnvelope {
  return {
    ...envelopeHead(head),
    data: { paymentIntentId: intent.id, paymentStatus: intent.status, captureMode: intent.captureMode },
  };
}

/** The state is a status or a notification: each told on its own, so a passing status is not lost. */
export function terminalSessionEvent(
  head: EventHead<TerminalSessionEventKind>,
  session: TerminalSession,
  state: SessionStatus | NotificationType,
): TerminalSessionEnvelope {
  const { paymentIntentId, paymentDetails } = session;
  return {
    ...envelopeHead(head),
    data: {
      terminalSessionId: session.id,
      state,
      terminalId: session.terminalId,
      createdAt: session.createdAt.toISOString(),
      updatedAt: session.updatedAt.toISOString(),
      expireAt: session.expireAt.toISOString(),
      sessionType: session.sessionType,
      ...(paymentIntentId === null ? {} : { paymentIntentId }),
      ...(paymentDetails === null ? {} : { paymentDetails: shownDetails(paymentDetails) }),
    },
  };
}

/**
 * The bytes of an event as text, made once and the same in every attempt. Members stand in the
 * order in which the envelope is built above; a golden test holds it.
 */
export function eventBody(envelope: Envelope): string {
  const { id, event, accountId, createdAt, data } = envelope;
  return JSON.stringify({ id, event, accountId, createdAt, data });
}

/** The row an event is about: its intent or its session. */
export function eventSubjectId(envelope: Envelope): PaymentIntentId | TerminalSessionId {
  return 'terminalSessionId' in envelope.data ? envelope.data.terminalSessionId : envelope.data.paymentIntentId;
}

function envelopeHead<K extends EventKind>({ id, kind, accountId, createdAt }: EventHead<K>) {
  assert(!Number.isNaN(createdAt.getTime()), 'an event without a time');
  return { id, event: kind, accountId, createdAt: createdAt.toISOString() };
}

function shownDetails({ cardScheme, maskedPan, authCode }: NonNullable<TerminalSession['paymentDetails']>) {
  return { cardScheme, maskedPan, ...(authCode === '' ? {} : { authCode }) };
}
