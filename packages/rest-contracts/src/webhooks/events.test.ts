import { expect, test } from '@jest/globals';
import {
  encodeEvent,
  createPaymentAmountEvent,
  createPaymentIntentEvent,
  createTerminalSessionEvent,
} from '@pos/core/webhooks';
import {
  CHARGE_EVENT_KINDS,
  PAYMENT_AMOUNT_EVENT_KINDS,
  PAYMENT_INTENT_EVENT_KINDS,
  TERMINAL_SESSION_EVENT_KINDS,
} from '@pos/core/events';
import { PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents';
import { NOTIFICATION_TYPES, SESSION_STATUSES } from '@pos/core/terminals';
import { buildSession, gbp, createIntentIn, NOON, SCOPE, testId } from '@pos/core/testing';
import { WebhookEvent } from './events.js';

const head = { id: testId('event'), accountId: SCOPE.accountId, createdAt: NOON };

const intentBodies = PAYMENT_INTENT_EVENT_KINDS.flatMap((kind) =>
  PAYMENT_INTENT_STATUSES.map((status) =>
    encodeEvent(createPaymentIntentEvent({ ...head, kind }, createIntentIn(status))),
  ),
);
const sessionBodies = TERMINAL_SESSION_EVENT_KINDS.flatMap((kind) =>
  [...SESSION_STATUSES, ...NOTIFICATION_TYPES].map((state) =>
    encodeEvent(createTerminalSessionEvent({ ...head, kind }, buildSession(), state)),
  ),
);
const amountBodies = PAYMENT_AMOUNT_EVENT_KINDS.flatMap((kind) =>
  [testId('refund'), testId('capture'), 'call'].map((reference) =>
    encodeEvent(
      createPaymentAmountEvent({ ...head, kind }, createIntentIn('Captured'), { reference, amount: gbp(600) }),
    ),
  ),
);

const chargeBodies = CHARGE_EVENT_KINDS.map((kind) =>
  encodeEvent(createPaymentIntentEvent({ ...head, kind }, createIntentIn('Created'))),
);

test('every sent event has a documented shape in all its members', () => {
  for (const body of [...intentBodies, ...amountBodies, ...chargeBodies, ...sessionBodies]) {
    expect(WebhookEvent.parse(JSON.parse(body))).toEqual(JSON.parse(body));
  }
  expect(intentBodies.length + sessionBodies.length).toBe(3 * 6 + 4 * 22);
});

test.each([
  ['an unknown kind', { event: 'payment_intent.lost' }],
  ['a kind of the other model', { event: 'terminal_session.created' }],
  ['an amount event without its amount', { event: 'payment_intent.amount_captured' }],
  ['no data', { data: {} }],
  ['an unknown status', { data: { paymentIntentId: 'pi', paymentStatus: 'Lost', captureMode: 'Auto' } }],
])('%s is no event', (_, other) => {
  const body = JSON.parse(intentBodies[0] ?? '') as object;
  expect(WebhookEvent.safeParse({ ...body, ...other }).success).toBe(false);
});
