import {
  type EventKind,
  PAYMENT_AMOUNT_EVENT_KINDS,
  PAYMENT_INTENT_EVENT_KINDS,
  SUBSCRIBABLE_EVENT_KINDS,
  TERMINAL_SESSION_EVENT_KINDS,
} from '@pos/core/events/event-kind';
import { CAPTURE_MODES, PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents/payment-intent';
import { NOTIFICATION_TYPES, SESSION_STATUSES, SESSION_TYPES } from '@pos/core/terminals/terminal-session';
import { z } from 'zod';
import { Moment, Money } from '../shapes/shapes.js';

const head = { id: z.string(), accountId: z.string(), createdAt: Moment };

const intentData = {
  paymentIntentId: z.string(),
  paymentStatus: z.enum(PAYMENT_INTENT_STATUSES),
  captureMode: z.enum(CAPTURE_MODES),
};

/** Body of a webhook about a payment intent. */
export const PaymentIntentEvent = z
  .object({
    ...head,
    event: z.enum(PAYMENT_INTENT_EVENT_KINDS),
    data: z.object(intentData),
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

/** Body of a webhook about a capture or refund; only subscriptions with its kind receive it. */
const PaymentAmountEvent = z
  .object({
    ...head,
    event: z.enum(PAYMENT_AMOUNT_EVENT_KINDS),
    data: z.object({
      ...intentData,
      amount: Money.meta({ description: 'What this capture or refund moved.' }),
      capturedAmount: Money.meta({ description: 'The sum of all captures so far.' }),
      refundedAmount: Money.meta({ description: 'The sum of all refunds so far.' }),
      captureId: z.string().optional().meta({ description: 'Absent where the approval captured the money.' }),
      refundId: z.string().optional().meta({ description: 'Absent where a card machine refunded the money.' }),
    }),
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
    event: z.enum(TERMINAL_SESSION_EVENT_KINDS),
    data: z.object({
      terminalSessionId: z.string(),
      state: z.enum([...SESSION_STATUSES, ...NOTIFICATION_TYPES.filter((type) => type !== 'Declined')]),
      terminalId: z.string(),
      createdAt: Moment,
      updatedAt: Moment,
      expireAt: Moment,
      sessionType: z.enum(SESSION_TYPES),
      paymentIntentId: z.string().optional(),
      paymentDetails: z
        .object({
          cardScheme: z.string().optional(),
          maskedPan: z.string().optional(),
          authCode: z.string().optional(),
        })
        .optional(),
    }),
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

/** Any webhook body. */
export const WebhookEvent = z.union([PaymentIntentEvent, PaymentAmountEvent, TerminalSessionEvent]);
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
    description: '1 for the first attempt; a replay of a dead letter begins anew.',
    schema: { type: 'integer', minimum: 1 },
  },
  'webhook-id': {
    description: 'The id of the event: what has come before is known by it. One of the headers of standard-webhooks.',
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
