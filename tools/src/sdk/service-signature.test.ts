import { expect, test } from '@jest/globals';
import { createDeliveryHeaders } from '@pos/core/webhooks/webhook-signature';
import { signWebhook, verifyWebhook } from '@pos/sdk';

const SECRET = 'a-secret-of-the-subscription';
const SENT_AT = new Date('2027-01-31T12:00:00.700Z');
const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', note: 'café' });
const headers = createDeliveryHeaders({
  ...{ secret: SECRET, eventId: 'evt_1', deliveryId: 'dl_1', attempt: 2, sentAt: SENT_AT, body },
});

test('the client verifies what the service signs', async () => {
  expect(await verifyWebhook(body, headers, { secrets: [SECRET], now: SENT_AT })).toEqual(JSON.parse(body));
});

test('the client signs as the service does', async () => {
  const timestamp = Math.floor(SENT_AT.getTime() / 1000);
  expect(headers).toMatchObject(await signWebhook(SECRET, { id: 'evt_1', timestamp, body }));
});
