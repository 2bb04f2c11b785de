import {
  BOOKING_EVENT_KINDS,
  CHARGE_EVENT_KINDS,
  type EventKind,
  PAYMENT_AMOUNT_EVENT_KINDS,
  PAYMENT_INTENT_EVENT_KINDS,
  SUBSCRIBABLE_EVENT_KINDS,
  TERMINAL_SESSION_EVENT_KINDS,
} from '@pos/core/events';
import { CAPTURE_MODES, PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents';
import { NOTIFICATION_TYPES, SESSION_STATUSES, SESSION_TYPES } from '@pos/core/terminals';
import { z } from 'zod';
import { Moment, Money } from '../shapes/shapes.js';

const head = {
  id: z.string().describe('Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.'),
  accountId: z.string().describe('Account in which it happened (`acc_…`).'),
  createdAt: Moment.describe('When it happened.'),
};

const intentData = {
  paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).'),
  paymentStatus: z
    .enum(PAYMENT_INTENT_STATUSES)
    .describe('Status of the intent right after the change; read the intent for its current status.'),
  captureMode: z.enum(CAPTURE_MODES).describe('Capture mode of the intent.'),
};

/** Body of a webhook about a payment intent. */
export const PaymentIntentEvent = z
  .object({
    ...head,
    event: z.enum(PAYMENT_INTENT_EVENT_KINDS).describe('The kind of event.'),
    data: z.object(intentData).describe('The intent at the time of the event.'),
  })
  .meta({
    id: 'PaymentIntentEvent',
    examples: [
      {
        id: 'evt_hnnHxIKR_Uy6bhZCusCltw',
        event: 'payment_intent.created',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        createdAt: '2026-03-01T12:00:00.000Z',
        data: { paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', paymentStatus: 'Created', captureMode: 'Auto' },
      },
    ],
  });

/** Body of a webhook about a charge that took no money; only subscriptions with its kind receive it. */
const PaymentChargeEvent = z
  .object({
    ...head,
    event: z.enum(CHARGE_EVENT_KINDS).describe('The kind of event.'),
    data: z.object(intentData).describe('The intent at the time of the event.'),
  })
  .meta({
    id: 'PaymentChargeEvent',
    examples: [
      {
        id: 'evt_7cVQ0x9bT2a8S1n4Lw7XyC',
        event: 'payment_intent.charge_failed',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        createdAt: '2026-03-01T12:00:00.000Z',
        data: { paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', paymentStatus: 'Created', captureMode: 'Auto' },
      },
    ],
  });

/** Body of a webhook about a capture or refund; only subscriptions with its kind receive it. */
const PaymentAmountEvent = z
  .object({
    ...head,
    event: z.enum(PAYMENT_AMOUNT_EVENT_KINDS).describe('The kind of event.'),
    data: z
      .object({
        ...intentData,
        amount: Money.meta({ description: 'What this capture or refund moved.' }),
        capturedAmount: Money.meta({ description: 'The sum of all captures so far.' }),
        refundedAmount: Money.meta({ description: 'The sum of all refunds so far.' }),
        captureId: z.string().optional().meta({ description: 'Absent where the approval captured the money.' }),
        refundId: z.string().optional().meta({ description: 'Absent where a card machine refunded the money.' }),
      })
      .describe('The intent and the sums at the time of the event.'),
  })
  .meta({
    id: 'PaymentAmountEvent',
    examples: [
      {
        id: 'evt_3pVQ0x9bT2a8S1n4Lw7XyB',
        event: 'payment_intent.amount_refunded',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        createdAt: '2026-03-01T12:00:00.000Z',
        data: {
          paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
          paymentStatus: 'Captured',
          captureMode: 'Auto',
          amount: { value: 600, currencyCode: 'GBP' },
          capturedAmount: { value: 2000, currencyCode: 'GBP' },
          refundedAmount: { value: 600, currencyCode: 'GBP' },
          refundId: 'rfnd_hnnHxIKR_Uy6bhZCusCltw',
        },
      },
    ],
  });

/** Body of a webhook about a session of a card machine; `state` is a status or, for a notification, its type. */
const TerminalSessionEvent = z
  .object({
    ...head,
    event: z.enum(TERMINAL_SESSION_EVENT_KINDS).describe('The kind of event.'),
    data: z
      .object({
        terminalSessionId: z
          .string()
          .describe('Id of the session (`ts_…`). Events of one session arrive in their order.'),
        state: z
          .enum([...SESSION_STATUSES, ...NOTIFICATION_TYPES.filter((type) => type !== 'Declined')])
          .describe('The status that was reached; for `terminal_session.notification` what the machine displays.'),
        terminalId: z.string().describe('Id of the card machine (`tm_…`).'),
        createdAt: Moment.describe('When the session was created.'),
        updatedAt: Moment.describe('When the session reached its last status.'),
        expireAt: Moment.describe('When the current step of the session must have ended.'),
        sessionType: z
          .enum(SESSION_TYPES)
          .describe('`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one.'),
        paymentIntentId: z
          .string()
          .optional()
          .describe('Id of the payment intent (`pi_…`); absent for an `UnlinkedRefund`.'),
        paymentDetails: z
          .object({
            cardScheme: z.string().optional().describe('Scheme of the card in capitals.'),
            maskedPan: z.string().optional().describe('Twelve asterisks and the last four digits of the card.'),
            authCode: z.string().optional().describe('Code of the approval; absent without one.'),
          })
          .optional()
          .describe('The card; absent until the machine reports it.'),
      })
      .describe('The session at the time of the event.'),
  })
  .meta({
    id: 'TerminalSessionEvent',
    examples: [
      {
        id: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg',
        event: 'terminal_session.status_updated',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        createdAt: '2026-03-01T12:00:08.700Z',
        data: {
          terminalSessionId: 'ts_sandbox_66a1f0c2d4e5f60718293a4b',
          state: 'Captured',
          terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
          createdAt: '2026-03-01T12:00:00.000Z',
          updatedAt: '2026-03-01T12:00:08.700Z',
          expireAt: '2026-03-01T12:01:30.000Z',
          sessionType: 'Sale',
          paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
          paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' },
        },
      },
    ],
  });

/** Body of a webhook about a reservation or a party; only subscriptions with its kind receive it. */
const BookingEvent = z
  .object({
    ...head,
    event: z.enum(BOOKING_EVENT_KINDS).describe('The kind of event.'),
    data: z
      .object({
        reservationId: z
          .string()
          .optional()
          .describe('Id of the reservation at the EPOS; with `reservation.updated` only.'),
        partyId: z.string().optional().describe('Id of the party at the EPOS; with `party.updated` only.'),
      })
      .describe('What was created, changed or deleted. Read it again; one that is not found any more was deleted.'),
  })
  .meta({
    id: 'BookingEvent',
    examples: [
      {
        id: 'evt_5tVQ0x9bT2a8S1n4Lw7XyD',
        event: 'reservation.updated',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        createdAt: '2026-03-01T12:00:00.000Z',
        data: { reservationId: 'r-1' },
      },
    ],
  });

/** Any webhook body. */
export const WebhookEvent = z.union([
  PaymentIntentEvent,
  PaymentAmountEvent,
  PaymentChargeEvent,
  TerminalSessionEvent,
  BookingEvent,
]);
export type WebhookEvent = z.output<typeof WebhookEvent>;

/** A kind of webhook with the shape of its body. */
export interface WebhookBody {
  readonly kind: EventKind;
  readonly body: z.ZodType;
}

export const WEBHOOK_BODIES: readonly WebhookBody[] = SUBSCRIBABLE_EVENT_KINDS.map((kind) => ({
  kind,
  body: getWebhookBody(kind),
}));

function getWebhookBody(kind: EventKind): z.ZodType {
  if (kind.startsWith('terminal_session.')) return TerminalSessionEvent;
  if (BOOKING_EVENT_KINDS.some((each) => each === kind)) return BookingEvent;
  if (CHARGE_EVENT_KINDS.some((each) => each === kind)) return PaymentChargeEvent;
  return PAYMENT_AMOUNT_EVENT_KINDS.some((each) => each === kind) ? PaymentAmountEvent : PaymentIntentEvent;
}

/** The headers of every attempt; the body is the same each time. */
export const WEBHOOK_HEADERS = {
  'service-signature': {
    description:
      'HMAC-SHA256 over the raw body with the active secret as key: `sha256=`, then each byte as two upper-case hex digits, joined by hyphens.',
    schema: { type: 'string' },
  },
  'delivery-id': { description: 'The delivery, the same in all its attempts.', schema: { type: 'string' } },
  'delivery-attempt': {
    description: '1 for the first attempt, also of a replay of a dead letter.',
    schema: { type: 'integer', minimum: 1 },
  },
  'webhook-id': {
    description: 'The id of the event: receivers detect repeats by it. One of the headers of standard-webhooks.',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    description: 'When this attempt was sent, in seconds since 1970.',
    schema: { type: 'integer', format: 'int64' },
  },
  'webhook-signature': {
    description:
      '`v1,` and the base64 HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the raw body, joined by dots, with the bytes of the secret text as key.',
    schema: { type: 'string' },
  },
} as const;
