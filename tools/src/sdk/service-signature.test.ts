import { expect, test } from '@jest/globals';
import { createDeliveryHeaders, encodeStandardSecret } from '@pos/core/webhook-signatures';
import { Webhook } from 'standardwebhooks';
import { signServiceSignature, signWebhook, verifyServiceSignature, verifyWebhook } from '@pos/sdk';

const SECRET = 'a-secret-of-the-subscription';
const SENT_AT = new Date('2027-01-31T12:00:00.700Z');
const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', note: 'café' });
const headers = createDeliveryHeaders({
  ...{ secret: SECRET, eventId: 'evt_1', deliveryId: 'dl_1', attempt: 2, sentAt: SENT_AT, body },
});

test('the client verifies what the service signs', async () => {
  expect(await verifyWebhook(body, headers, { secrets: [SECRET], now: SENT_AT })).toEqual(JSON.parse(body));
  expect(await verifyServiceSignature(body, headers, { secrets: [SECRET] })).toEqual(JSON.parse(body));
});

test('the client signs as the service does', async () => {
  const timestamp = Math.floor(SENT_AT.getTime() / 1000);
  expect(headers).toMatchObject(await signWebhook(SECRET, { id: 'evt_1', timestamp, body }));
  expect(headers).toMatchObject(await signServiceSignature(SECRET, body));
});

test('the public library of standard-webhooks verifies with the secret in the form that is shown for it', () => {
  const sentNow = createDeliveryHeaders({
    ...{ secret: SECRET, eventId: 'evt_1', deliveryId: 'dl_1', attempt: 1, sentAt: new Date(), body },
  });
  expect(new Webhook(encodeStandardSecret(SECRET)).verify(body, sentNow)).toEqual(JSON.parse(body));
  expect(() => new Webhook(encodeStandardSecret('another')).verify(body, sentNow)).toThrow('No matching signature');
});
