import { expect, test } from '@jest/globals';
import { EVENT_KINDS, EVENT_MODELS, isEventKind } from './event-kind.js';
import { eventBody, paymentIntentEvent, terminalSessionEvent } from './event.js';
import { createdIntent, createdSession, NOON, past, testId } from './testing.js';

const HEAD = { id: testId('event'), accountId: testId('account'), createdAt: NOON } as const;

test('the body of an intent event has these members in this order', () => {
  const body = eventBody(paymentIntentEvent({ ...HEAD, kind: 'payment_intent.created' }, createdIntent()));
  expect(body).toMatchInlineSnapshot(
    `"{"id":"evt_GmxoDT6aW9OHxMhrnU_5QQ","event":"payment_intent.created","accountId":"acc_KcdKAcdT93_zCvQJZiML5Q","createdAt":"2026-03-01T12:00:00.000Z","data":{"paymentIntentId":"pi_sandbox_gBPT43RzmYsvd6i1sP4J-Q","paymentStatus":"Created","captureMode":"Auto"}}"`,
  );
});

test('the body of a session event is the published example, byte for byte', () => {
  const session = {
    ...createdSession('Sale', {
      id: 'ts_sandbox_66a1f0c2d4e5f60718293a4b',
      terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
      paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
    }),
    status: 'Captured',
    updatedAt: past(8_700),
    expireAt: past(90_000),
    paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' },
  } as const;
  const event = terminalSessionEvent(
    {
      id: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg',
      kind: 'terminal_session.status_updated',
      accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
      createdAt: past(8_700),
    },
    session,
    'Captured',
  );
  expect(eventBody(event)).toBe(
    '{"id":"evt_9mX2qfF1S8aTtq0w6Yb3Zg","event":"terminal_session.status_updated","accountId":"acc_Qk1v5r0bT4a2S7n8Lw3XyA","createdAt":"2026-03-01T12:00:08.700Z","data":{"terminalSessionId":"ts_sandbox_66a1f0c2d4e5f60718293a4b","state":"Captured","terminalId":"tm_sandbox_66a1f0c2d4e5f60718293a01","createdAt":"2026-03-01T12:00:00.000Z","updatedAt":"2026-03-01T12:00:08.700Z","expireAt":"2026-03-01T12:01:30.000Z","sessionType":"Sale","paymentIntentId":"pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw","paymentDetails":{"cardScheme":"VISA","maskedPan":"************1096","authCode":"204711"}}}',
  );
});

test('a refund of no known sale names no intent, and before the card there are no details', () => {
  const session = createdSession('UnlinkedRefund');
  const { data } = terminalSessionEvent({ ...HEAD, kind: 'terminal_session.created' }, session, session.status);
  expect(Object.keys(data)).toEqual([
    'terminalSessionId',
    'state',
    'terminalId',
    'createdAt',
    'updatedAt',
    'expireAt',
    'sessionType',
  ]);
});

test('a declined card is shown without an authorisation code', () => {
  const declined = {
    ...createdSession(),
    paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '' },
  } as const;
  const { data } = terminalSessionEvent({ ...HEAD, kind: 'terminal_session.status_updated' }, declined, 'Declined');
  expect(data.paymentDetails).toEqual({ cardScheme: 'VISA', maskedPan: '************1096' });
});

test('seven kinds in two models, and no others', () => {
  expect(EVENT_KINDS).toHaveLength(7);
  expect(EVENT_MODELS.flatMap(({ events }) => [...events])).toEqual([...EVENT_KINDS]);
  expect(['payment_intent.created', 'payment_intent.deleted', ''].map(isEventKind)).toEqual([true, false, false]);
});
