import { assert } from '../refusals/assert.js';
import type { CardType } from '../cards/card.js';
import type {
  BookingEventKind,
  ChargeEventKind,
  EventKind,
  PaymentAmountEventKind,
  PaymentIntentEventKind,
  TerminalSessionEventKind,
} from '../events/event-kind.js';
import {
  type AccountId,
  type CaptureId,
  type EventId,
  isId,
  type PaymentIntentId,
  type RefundId,
  type TerminalId,
  type TerminalSessionId,
} from '../identity/identity.js';
import { getCardAmount, type LedgerEntryDraft } from '../ledger/ledger.js';
import type { Money } from '../money/money.js';
import type { CaptureMode, PaymentIntent, PaymentIntentStatus } from '../payment-intents/payment-intent.js';
import type { NotificationType, SessionStatus, SessionType, TerminalSession } from '../terminals/terminal-session.js';

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

/** A capture or refund: the moved amount, and the payment intent after it. */
export interface PaymentAmountEventData extends PaymentIntentEventData {
  readonly amount: Money;
  readonly capturedAmount: Money;
  readonly refundedAmount: Money;
  /** Absent where the approval itself captured the money. */
  readonly captureId?: CaptureId;
  /** Absent where a card machine refunded the money. */
  readonly refundId?: RefundId;
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

/** A booking at the EPOS. Its content is read from there: an event contains no data of guests. */
export type BookingEventData = { readonly reservationId: string } | { readonly partyId: string };

export type EventSubject =
  | PaymentIntentEventData
  | PaymentAmountEventData
  | TerminalSessionEventData
  | BookingEventData;
export type PaymentAmountEnvelope = Envelope<PaymentAmountEventKind, PaymentAmountEventData>;
export type PaymentIntentEnvelope = Envelope<PaymentIntentEventKind | ChargeEventKind, PaymentIntentEventData>;
export type BookingEnvelope = Envelope<BookingEventKind, BookingEventData>;
export type TerminalSessionEnvelope = Envelope<TerminalSessionEventKind, TerminalSessionEventData>;

/** What every event needs beside its subject. */
export interface EventHead<K extends EventKind> {
  readonly id: EventId;
  readonly kind: K;
  readonly accountId: AccountId;
  readonly createdAt: Date;
}

export function createPaymentIntentEvent(
  head: EventHead<PaymentIntentEventKind | ChargeEventKind>,
  intent: Pick<PaymentIntent, 'id' | 'status' | 'captureMode'>,
): PaymentIntentEnvelope {
  return {
    ...createEnvelopeHead(head),
    data: { paymentIntentId: intent.id, paymentStatus: intent.status, captureMode: intent.captureMode },
  };
}

/** A capture or refund as its ledger entry states it; other entries have no event of their own. */
export interface AmountMovement {
  readonly kind: PaymentAmountEventKind;
  readonly reference: string;
  readonly amount: Money;
}

/**
 * The captures and refunds among the entries of one decision. They are read from the ledger, so that money cannot be
 * captured or refunded without an event, by any operation.
 */
export function listAmountMovements(entries: readonly LedgerEntryDraft[]): AmountMovement[] {
  return entries.flatMap((entry) => {
    const kind = AMOUNT_EVENT_OF[entry.kind];
    return kind === null ? [] : [{ kind, reference: entry.reference, amount: getCardAmount(entry) }];
  });
}

const AMOUNT_EVENT_OF = {
  authorise: null,
  capture: 'payment_intent.amount_captured',
  refund: 'payment_intent.amount_refunded',
  reverse: null,
  release: null,
} as const satisfies Record<LedgerEntryDraft['kind'], PaymentAmountEventKind | null>;

/** The event of one movement; the intent is as the decision leaves it. */
export function createPaymentAmountEvent(
  head: EventHead<PaymentAmountEventKind>,
  intent: Pick<PaymentIntent, 'id' | 'status' | 'captureMode' | 'captured' | 'refunded'>,
  { reference, amount }: Omit<AmountMovement, 'kind'>,
): PaymentAmountEnvelope {
  return {
    ...createEnvelopeHead(head),
    data: {
      paymentIntentId: intent.id,
      paymentStatus: intent.status,
      captureMode: intent.captureMode,
      amount,
      capturedAmount: intent.captured,
      refundedAmount: intent.refunded,
      ...(isId('capture', reference) ? { captureId: reference } : {}),
      ...(isId('refund', reference) ? { refundId: reference } : {}),
    },
  };
}

/** The state is a status or a notification: each has its own event, so a passing status is not lost. */
export function createTerminalSessionEvent(
  head: EventHead<TerminalSessionEventKind>,
  session: TerminalSession,
  state: SessionStatus | NotificationType,
): TerminalSessionEnvelope {
  const { paymentIntentId, paymentDetails } = session;
  return {
    ...createEnvelopeHead(head),
    data: {
      terminalSessionId: session.id,
      state,
      terminalId: session.terminalId,
      createdAt: session.createdAt.toISOString(),
      updatedAt: session.updatedAt.toISOString(),
      expireAt: session.expireAt.toISOString(),
      sessionType: session.sessionType,
      ...(paymentIntentId === null ? {} : { paymentIntentId }),
      ...(paymentDetails === null ? {} : { paymentDetails: presentDetails(paymentDetails) }),
    },
  };
}

/** A booking was created, changed or deleted: receivers read it again. */
export function createBookingEvent(head: EventHead<BookingEventKind>, bookingId: string): BookingEnvelope {
  const data = head.kind === 'reservation.updated' ? { reservationId: bookingId } : { partyId: bookingId };
  return { ...createEnvelopeHead(head), data };
}

/**
 * The bytes of an event as text, made once and the same in every attempt. Members are written in the order in which
 * the envelope is built above; a golden test checks it.
 */
export function encodeEvent(envelope: Envelope): string {
  const { id, event, accountId, createdAt, data } = envelope;
  return JSON.stringify({ id, event, accountId, createdAt, data });
}

/**
 * What an event is about: its intent, its session, or the booking at the EPOS. The id of a booking may be any text, so
 * it is encoded: it must not be taken for another subject, or for a lane of the EPOS.
 */
export function getEventSubjectId({ data }: Envelope): string {
  if ('terminalSessionId' in data) return data.terminalSessionId;
  if ('paymentIntentId' in data) return data.paymentIntentId;
  return 'reservationId' in data
    ? `reservation:${encodeURIComponent(data.reservationId)}`
    : `party:${encodeURIComponent(data.partyId)}`;
}

function createEnvelopeHead<K extends EventKind>({ id, kind, accountId, createdAt }: EventHead<K>) {
  assert(!Number.isNaN(createdAt.getTime()), 'an event without a time');
  return { id, event: kind, accountId, createdAt: createdAt.toISOString() };
}

function presentDetails({ cardScheme, maskedPan, authCode }: NonNullable<TerminalSession['paymentDetails']>) {
  return { cardScheme, maskedPan, ...(authCode === '' ? {} : { authCode }) };
}
