import { expect, test } from '@jest/globals';
import { EVENT_KINDS, EVENT_MODELS, isEventKind, OPT_IN_EVENT_KINDS } from '../events/event-kind.js';
import {
  listAmountMovements,
  encodeEvent,
  createPaymentAmountEvent,
  createPaymentIntentEvent,
  createTerminalSessionEvent,
} from './event.js';
import { authoriseEntry, captureEntry, refundEntry, releaseEntry, reverseCaptureEntry } from '../ledger/ledger.js';
import { buildIntent, buildSession, gbp, NOON, createPastDate, testId } from '../testing/builders.js';

const HEAD = { id: testId('event'), accountId: testId('account'), createdAt: NOON } as const;

test('the body of an intent event has these members in this order', () => {
  const body = encodeEvent(createPaymentIntentEvent({ ...HEAD, kind: 'payment_intent.created' }, buildIntent()));
  expect(body).toMatchInlineSnapshot(
    `"{"id":"evt_GmxoDT6aW9OHxMhrnU_5QQ","event":"payment_intent.created","accountId":"acc_KcdKAcdT93_zCvQJZiML5Q","createdAt":"2026-03-01T12:00:00.000Z","data":{"paymentIntentId":"pi_sandbox_gBPT43RzmYsvd6i1sP4J-Q","paymentStatus":"Created","captureMode":"Auto"}}"`,
  );
});

test('the body of a session event is the published example, byte for byte', () => {
  const session = {
    ...buildSession('Sale', {
      id: 'ts_sandbox_66a1f0c2d4e5f60718293a4b',
      terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
      paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
    }),
    status: 'Captured',
    updatedAt: createPastDate(8_700),
    expireAt: createPastDate(90_000),
    paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' },
  } as const;
  const event = createTerminalSessionEvent(
    {
      id: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg',
      kind: 'terminal_session.status_updated',
      accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
      createdAt: createPastDate(8_700),
    },
    session,
    'Captured',
  );
  expect(encodeEvent(event)).toBe(
    '{"id":"evt_9mX2qfF1S8aTtq0w6Yb3Zg","event":"terminal_session.status_updated","accountId":"acc_Qk1v5r0bT4a2S7n8Lw3XyA","createdAt":"2026-03-01T12:00:08.700Z","data":{"terminalSessionId":"ts_sandbox_66a1f0c2d4e5f60718293a4b","state":"Captured","terminalId":"tm_sandbox_66a1f0c2d4e5f60718293a01","createdAt":"2026-03-01T12:00:00.000Z","updatedAt":"2026-03-01T12:00:08.700Z","expireAt":"2026-03-01T12:01:30.000Z","sessionType":"Sale","paymentIntentId":"pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw","paymentDetails":{"cardScheme":"VISA","maskedPan":"************1096","authCode":"204711"}}}',
  );
});

test('a refund of no known sale has no intent, and before the card there are no details', () => {
  const session = buildSession('UnlinkedRefund');
  const { data } = createTerminalSessionEvent({ ...HEAD, kind: 'terminal_session.created' }, session, session.status);
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
    ...buildSession(),
    paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: '' },
  } as const;
  const { data } = createTerminalSessionEvent(
    { ...HEAD, kind: 'terminal_session.status_updated' },
    declined,
    'Declined',
  );
  expect(data.paymentDetails).toEqual({ cardScheme: 'VISA', maskedPan: '************1096' });
});

test('captures and refunds are read from the ledger; holds, releases and reversals have no amount event', () => {
  const entries = [
    ...[authoriseEntry('a', gbp(2_000)), captureEntry('b', gbp(1_500)), releaseEntry('c', gbp(500))],
    ...[refundEntry('d', gbp(600)), reverseCaptureEntry('e', gbp(900))],
  ];
  expect(listAmountMovements(entries)).toEqual([
    { kind: 'payment_intent.amount_captured', reference: 'b', amount: gbp(1_500) },
    { kind: 'payment_intent.amount_refunded', reference: 'd', amount: gbp(600) },
  ]);
});

test('the body of an amount event has these members in this order, and names a capture or refund of our own', () => {
  const intent = { ...buildIntent(), status: 'Captured', captured: gbp(1_500), refunded: gbp(600) } as const;
  const getBody = (reference: string): string =>
    encodeEvent(
      createPaymentAmountEvent({ ...HEAD, kind: 'payment_intent.amount_refunded' }, intent, {
        reference,
        amount: gbp(600),
      }),
    );
  const data = `"paymentIntentId":"${intent.id}","paymentStatus":"Captured","captureMode":"Auto","amount":{"value":600,"currencyCode":"GBP"},"capturedAmount":{"value":1500,"currencyCode":"GBP"},"refundedAmount":{"value":600,"currencyCode":"GBP"}`;
  const [refund, capture] = [testId('refund'), testId('capture')];
  expect(getBody(refund)).toContain(`"data":{${data},"refundId":"${refund}"}`);
  expect(getBody(capture)).toContain(`"data":{${data},"captureId":"${capture}"}`);
  // Our reference of an acquirer call never leaves the service.
  expect(getBody('0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20')).toContain(`"data":{${data}}`);
});

test('the two default models have seven kinds, and subscribers can name three more', () => {
  expect(EVENT_KINDS).toHaveLength(7);
  expect(EVENT_MODELS.flatMap(({ events }) => [...events])).toEqual([...EVENT_KINDS]);
  expect(EVENT_MODELS.flatMap(({ optIn }) => [...optIn])).toEqual([...OPT_IN_EVENT_KINDS]);
  const optIn = new Set<string>(OPT_IN_EVENT_KINDS);
  expect(EVENT_KINDS.filter((kind) => optIn.has(kind))).toEqual([]);
  const asked = ['payment_intent.created', 'payment_intent.amount_refunded', 'payment_intent.deleted', ''];
  expect(asked.map(isEventKind)).toEqual([true, true, false, false]);
});
