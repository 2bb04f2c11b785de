import { expect, test } from '@jest/globals';
import { createDeliveryHeaders } from '@pos/core/webhook-signatures';
import { diagnoseSignature, type RecordedWebhook, type SignatureDiagnosis } from './signature-diagnosis.js';

const SECRET = 'a-secret';
const SENT_AT = new Date('2027-01-31T12:00:00Z');
const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', data: { note: 'café' } });
const headers = createDeliveryHeaders({
  ...{ secret: SECRET, eventId: 'evt_1', deliveryId: 'dlv_1', attempt: 1, sentAt: SENT_AT, body },
});

interface Given extends Partial<RecordedWebhook> {
  readonly secrets?: readonly string[];
  readonly now?: Date;
}

const latin = Buffer.from(body, 'utf8').toString('latin1');
const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

test.each<[string, SignatureDiagnosis['verdict'], string, Given]>([
  ['a delivery as it was sent', 'valid', 'is right', {}],
  ['one of two secrets', 'valid', 'is right', { secrets: ['another', SECRET] }],
  ['a recording', 'clock', 'sent 3600 s ago', { now: new Date('2027-01-31T13:00:00Z') }],
  ['a clock that is slow', 'clock', 'sent 3600 s in the future', { now: new Date('2027-01-31T11:00:00Z') }],
  ['a line feed at the end', 'body', 'line feed', { body: `${body}\n` }],
  ['a line feed in a recording', 'body', 'line feed', { body: `${body}\n`, now: new Date('2027-02-01T12:00:00Z') }],
  [
    'a body that was parsed and printed',
    'body',
    'parsed and written',
    { body: JSON.stringify(JSON.parse(body), null, 2) },
  ],
  ['a body in the wrong encoding', 'body', 'Latin-1', { body: latin }],
  ['a secret with a line feed', 'secret', 'space or a line feed', { secrets: [`${SECRET}\n`] }],
  ['another secret', 'unknown', 'Compare the secret', { secrets: ['another'] }],
  ['a body that somebody changed', 'unknown', 'not as it was sent', { body: body.replace('created', 'deleted') }],
  ['another webhook-id', 'signed-headers', 'webhook-id', { headers: { ...headers, 'webhook-id': 'evt_2' } }],
  [
    'another time',
    'signed-headers',
    'webhook-timestamp',
    { headers: { ...headers, 'webhook-timestamp': '1801396801' } },
  ],
  ['no time', 'header', 'webhook-timestamp is missing', { headers: without('webhook-timestamp') }],
  ['no signature', 'header', 'webhook-signature is missing', { headers: without('webhook-signature') }],
  [
    'a time that is a date',
    'header',
    'no number of seconds',
    { headers: { ...headers, 'webhook-timestamp': 'today' } },
  ],
])('%s: %s', async (_, verdict, says, { secrets = [SECRET], now = SENT_AT, ...given }) => {
  const diagnosis = await diagnoseSignature({ body, headers, ...given }, { secrets, now });
  expect(diagnosis).toEqual({ verdict, explanation: expect.stringContaining(says) });
});
